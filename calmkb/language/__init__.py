"""Which language a text is written in.

Read `detect` first: `language` reads the script and the small words.
"""
