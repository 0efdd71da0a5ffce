"""Tool calls of a session: joined with their answers, what failed, and how that ended.

Read `attempts` first; `failures` tells what failed (`error_line` why, `remedies` how it ended) and
`commands` what a shell command does.
"""
