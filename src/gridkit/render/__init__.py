"""Pictures from tuples of ints and strings: SVG, text and small HTML pages; knows no puzzle."""
