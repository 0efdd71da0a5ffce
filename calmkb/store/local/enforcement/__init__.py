"""Which memories are enforced on this machine, and what their checks stopped."""
