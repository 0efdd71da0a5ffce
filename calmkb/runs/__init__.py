"""The run journal: what agents that run as programs write, live and for later."""
