"""Which embedding model there is: none, unless the [semantic] extra is installed."""

from calmkb.kb.private import Embedder


def find_embedder() -> Embedder | None:
    """Return the model's function, or None where the extra is missing."""
    return None
