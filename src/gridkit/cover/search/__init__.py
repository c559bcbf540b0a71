"""Searching: exact covers by backtracking, counted, listed, in parts, at least cost."""
