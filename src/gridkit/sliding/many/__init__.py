"""Many puzzles of one kind at once: arrays of boards in, columns of answers out."""
