"""Random domino tilings of wide boards by coupling from the past."""
