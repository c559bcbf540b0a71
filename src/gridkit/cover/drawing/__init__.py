"""Pictures of tilings, of galleries of them, and of what an exact cover chose."""
