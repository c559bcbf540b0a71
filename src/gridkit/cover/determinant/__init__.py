"""Domino tilings: counted by determinants, found as matchings."""
