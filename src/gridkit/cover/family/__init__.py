"""One exact cover, many questions: rows of options that are given, answered in a batch."""
