"""Agents that run as programs, tied to a knowledge base.

Read `running` first, then `execution`; `agents` lists the agents.
"""
