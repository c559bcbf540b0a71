"""Exact cover and tilings: counted, enumerated, sampled and explained."""
