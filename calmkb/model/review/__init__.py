"""What a person decides on: proposals, signals and improvements, and the record of a review.

Read `proposals` first (`Proposal`, `Decision`), then `reflections` (`Reflection`, `Rejection`),
`signals` (`Signal`) and `improvements` (`Improvement`).
"""
