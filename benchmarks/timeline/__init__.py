"""Proposals over time: what proposals would have been worth on a given day, by what came later."""
