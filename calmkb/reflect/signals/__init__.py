"""From captured signals to learnings, and their place in Markdown files.

Read `learnings` first; `sections` inserts a line into a person's file.
"""
