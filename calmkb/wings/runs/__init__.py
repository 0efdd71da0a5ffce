"""The run journal: what agents that run as programs write, live and for later.

Read `store` first, then `sinks` (what agents write through) and `agents`; `http` serves it.
"""
