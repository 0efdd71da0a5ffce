"""Files written whole, programs found by full path, paths that stay inside a folder.

Read `files` first.
"""
