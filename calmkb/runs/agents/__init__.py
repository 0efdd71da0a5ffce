"""Agents: what does the work of a run and says so to a sink."""
