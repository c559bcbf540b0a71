"""Games in which pieces ride on one another over cells with effects."""
