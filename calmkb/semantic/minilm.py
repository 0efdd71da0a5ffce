"""all-MiniLM-L6-v2 on numpy: the weights come from a package, and no deep-learning framework.

BERT with 6 layers of 12 heads over 384 numbers (Devlin et al. 2018; Wang et al. 2020), mean pooling
over the tokens, length 1. The same texts give the same bytes on one machine.
"""

import json
import zipfile
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from calmkb.errors import CalmError
from calmkb.system.install_source import install_extra

LAYERS, HEADS, WIDTH = 6, 12, 384
TOKENS = 512
"""What the model reads of a text; the rest is left out, as in the reference program."""
_EPSILON = 1e-12
_BATCH = 32
_NEEDED = ("all_minilm_l6_v2", "tokenizers", "safetensors")


def available() -> bool:
    """Return whether the extra is installed, without loading it."""
    return all(find_spec(name) is not None for name in _NEEDED)


def embed(texts: Sequence[str]) -> list[list[float]]:
    """Return a vector of 384 numbers and length 1 for each text."""
    from threadpoolctl import threadpool_limits

    model = _model()
    # More threads wait for each other in a loop: twenty times the processor time, and no faster.
    with threadpool_limits(1, user_api="blas"):
        return _embed(model, texts)


def _embed(model: "_Model", texts: Sequence[str]) -> list[list[float]]:
    order = sorted(range(len(texts)), key=lambda row: len(texts[row]))
    vectors: list[list[float]] = [[] for _ in texts]
    for start in range(0, len(order), _BATCH):
        rows = order[start : start + _BATCH]
        for row, vector in zip(rows, model.embed([texts[row] for row in rows]), strict=True):
            vectors[row] = vector.tolist()
    return vectors


class _Model:
    """The weights and the tokenizer, ready to be asked."""

    def __init__(self, weights: Mapping[str, Any], tokenizer: Any) -> None:
        self._weights, self._tokenizer = weights, tokenizer

    def embed(self, texts: Sequence[str]) -> Any:
        import numpy as np

        encoded = self._tokenizer.encode_batch(list(texts))
        ids = np.array([item.ids for item in encoded])
        mask = np.array([item.attention_mask for item in encoded], dtype=np.float32)
        states = self._embeddings(ids)
        for layer in range(LAYERS):
            states = self._layer(f"encoder.layer.{layer}", states, mask)
        pooled = (states * mask[:, :, None]).sum(axis=1) / mask.sum(axis=1, keepdims=True)
        return pooled / np.linalg.norm(pooled, axis=1, keepdims=True)

    def _embeddings(self, ids: Any) -> Any:
        words = self._weights["embeddings.word_embeddings.weight"][ids]
        places = self._weights["embeddings.position_embeddings.weight"][: ids.shape[1]]
        kinds = self._weights["embeddings.token_type_embeddings.weight"][0]
        return self._normal("embeddings.LayerNorm", words + places + kinds)

    def _layer(self, name: str, states: Any, mask: Any) -> Any:
        attended = self._linear(f"{name}.attention.output.dense", self._attend(name, states, mask))
        states = self._normal(f"{name}.attention.output.LayerNorm", states + attended)
        inner = _gelu(self._linear(f"{name}.intermediate.dense", states))
        return self._normal(
            f"{name}.output.LayerNorm", states + self._linear(f"{name}.output.dense", inner)
        )

    def _attend(self, name: str, states: Any, mask: Any) -> Any:
        import numpy as np

        batch, length, _ = states.shape
        query, key, value = (
            self._linear(f"{name}.attention.self.{part}", states)
            .reshape(batch, length, HEADS, WIDTH // HEADS)
            .transpose(0, 2, 1, 3)
            for part in ("query", "key", "value")
        )
        scores = query @ key.transpose(0, 1, 3, 2) / np.sqrt(np.float32(WIDTH // HEADS))
        scores = scores + (1 - mask[:, None, None, :]) * np.float32(-1e9)
        weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
        weights /= weights.sum(axis=-1, keepdims=True)
        return (weights @ value).transpose(0, 2, 1, 3).reshape(batch, length, WIDTH)

    def _linear(self, name: str, states: Any) -> Any:
        return states @ self._weights[f"{name}.weight"].T + self._weights[f"{name}.bias"]

    def _normal(self, name: str, states: Any) -> Any:
        import numpy as np

        centred = states - states.mean(axis=-1, keepdims=True)
        spread = np.sqrt((centred**2).mean(axis=-1, keepdims=True) + _EPSILON)
        return centred / spread * self._weights[f"{name}.weight"] + self._weights[f"{name}.bias"]


def _gelu(states: Any) -> Any:
    import numpy as np
    from scipy.special import erf

    return states * np.float32(0.5) * (1 + erf(states / np.sqrt(np.float32(2))))


@cache
def _model() -> _Model:
    from safetensors.numpy import load
    from tokenizers import Tokenizer

    # Not imported: the package greets on standard output, where an MCP client listens.
    spec = find_spec(_NEEDED[0])
    if spec is None or spec.origin is None:
        raise CalmError(f"the embedding model is missing: {install_extra('semantic')}")
    package = Path(spec.origin).parent
    with zipfile.ZipFile(package / "model.zip") as archive:
        weights = load(archive.read("model.safetensors"))
        settings = json.loads(archive.read("tokenizer.json"))
    tokenizer = Tokenizer.from_str(json.dumps(settings))
    tokenizer.enable_truncation(TOKENS)
    tokenizer.enable_padding()
    return _Model(weights, tokenizer)
