"""Compiled loops of the sweep over items."""
