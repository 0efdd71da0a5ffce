"""How approved memories fare: confidence, troubles met again, staleness.

Read `backtest` first, then `stale`.
"""
