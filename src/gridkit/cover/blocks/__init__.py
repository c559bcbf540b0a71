"""One tiling of a large region, put together from blocks that are tileable."""
