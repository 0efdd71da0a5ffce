"""Pages rendered as Markdown, those alone that have changed.

Read `stage` first (`stage`, `restage`); `render` has the templates' filters (`PageWriter`),
`fingerprints` says whether a page would come out as before.
"""
