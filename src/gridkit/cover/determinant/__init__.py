"""Counting domino tilings by determinants."""
