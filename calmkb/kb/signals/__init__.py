"""Signals that hooks captured, and the learnings made of them.

Read `signals` first, then `learning` (`reflect --signals`).
"""
