"""Four questions that programs of the user answer about sessions.

Read `questions` first; `answers` reads what came back as hostile input.
"""
