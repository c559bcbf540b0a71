"""Counting without searching: sweeps over the cells that keep all states of the frontier."""
