"""All Rush Hour boards of a size: enumerated by the contents of lines, in connected components."""
