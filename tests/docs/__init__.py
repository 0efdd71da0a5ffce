"""The project's own pages and workflows, held against what they speak of."""
