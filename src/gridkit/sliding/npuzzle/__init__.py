"""n-puzzles: solvability, shortest plans, fast plans, distance tables."""
