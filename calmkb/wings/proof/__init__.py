"""Memories held against the code: what is gone, what is enforced, what a prompt is about.

Read `verbs.verify.anchors` and `verbs.enforce.before_tool` first; their crafts stand beside.
"""
