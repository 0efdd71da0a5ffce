"""From statements to proposals; plain data in, plain data out.

Read `proposals.propose` first. `similarity` measures and clusters texts, `opposites` finds
contradictions, `signals` turns captured signals into learnings, `themes` groups friction; `memo`
keeps what was found.
"""
