"""The verbs of a knowledge base: each loads, lets a craft work, and saves.

Read `base.knowledge_base` first, then `journal.wrapup` (`wrap_up`), `reflect.reflection`
(`pending`, `apply`) and `export.plan`. Faces call these packages, and these alone know all crafts.
"""
