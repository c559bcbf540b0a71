"""The first solution: in the order of the tree, and from shuffled beginnings in turns with it."""
