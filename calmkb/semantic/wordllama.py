"""WordLlama's token vectors, averaged: the weights come in its package, 16 MB, on numpy alone.

Token embeddings taken from a large language model and trained to stand alone (Miller 2024, MIT).
Two thousand texts a second, where MiniLM does a hundred.
"""

from collections.abc import Sequence
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from calmkb.errors import CalmError
from calmkb.system.install_source import install_extra

WIDTH = 256
_NEEDED = ("wordllama", "tokenizers", "safetensors")


def available() -> bool:
    """Return whether the extra is installed, without loading it."""
    return all(find_spec(name) is not None for name in _NEEDED)


def embed(texts: Sequence[str]) -> list[list[float]]:
    """Return a vector of 256 numbers for each text, of length 1; zeros for an empty one."""
    filled = [text for text in texts if text]
    vectors = iter(_model().embed(filled, norm=True).tolist() if filled else ())
    return [next(vectors) if text else [0.0] * WIDTH for text in texts]


@cache
def _model() -> Any:
    spec = find_spec(_NEEDED[0])
    if spec is None or spec.origin is None:
        raise CalmError(f"the embedding model is missing: {install_extra('semantic')}")
    from wordllama import WordLlama

    # The package looks for its tokenizer beside the folder it ships it in, and would download it:
    # named as its own cache, it finds all that it needs, and nothing is fetched.
    return WordLlama.load(cache_dir=Path(spec.origin).parent, disable_download=True)
