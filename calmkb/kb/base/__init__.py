"""A knowledge base as every verb receives it: settings, filter, journal, environment.

Read `knowledge_base` first: `open_kb` makes one, `KnowledgeBase.save` writes; `environment` is what
surrounds a call.
"""
