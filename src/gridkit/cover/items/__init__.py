"""Any exact cover counted without a search: sweeps over items, subproblems remembered."""
