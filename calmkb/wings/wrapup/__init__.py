"""The agent that was there writes its session down: asked once, at the end of a turn.

Read `verbs` first.
"""
