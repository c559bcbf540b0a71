"""Sliding blocks: Klotski, Rush Hour and other rigid pieces on a board."""
