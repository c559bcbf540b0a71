"""Moving pictures of sprites on a board: a page that plays, an SVG without scripts, a GIF."""
