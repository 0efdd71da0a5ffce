"""Client hooks: what each does, and switching them on and off.

Read `events` first; `toggle` edits the settings of Claude Code.
"""
