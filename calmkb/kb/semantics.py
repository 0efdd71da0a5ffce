"""Which embedding model there is: none, unless the [semantic] extra is installed."""

from calmkb.kb.private import Embedder
from calmkb.semantic import minilm


def find_embedder() -> Embedder | None:
    """Return the model's function, or None where the extra is missing; nothing heavy is loaded."""
    return minilm.embed if minilm.available() else None
