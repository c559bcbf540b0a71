"""Sliding blocks: Klotski, Rush Hour, n-puzzles and kings that keep their distance."""
