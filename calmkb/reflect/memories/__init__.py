"""How approved memories fare: confidence, effectiveness, staleness.

Read `stale` first.
"""
