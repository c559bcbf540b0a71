"""State spaces as graphs: arrays, texts of other tools, cut states, all shortest plans."""
