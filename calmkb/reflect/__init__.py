"""From statements to proposals: vectors, clusters, verdicts, decisions."""
