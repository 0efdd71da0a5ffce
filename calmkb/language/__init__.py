"""Which language a text is written in: `detect.language` reads its script and its small words."""
