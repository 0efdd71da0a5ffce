"""From statements of sessions to proposals, and decisions on them.

Read `propose` first, then `verdicts` and `decisions`.
"""
