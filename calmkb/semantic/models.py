"""The embedding models by name: a model is a module and one line here."""

from collections.abc import Callable, Sequence
from types import ModuleType

from calmkb.semantic import minilm, wordllama

_MODELS: dict[str, ModuleType] = {"minilm": minilm, "wordllama": wordllama}


def find_model(name: str) -> Callable[[Sequence[str]], list[list[float]]] | None:
    """Return the function of the model `name`, or None where it is unknown or not installed."""
    model = _MODELS.get(name)
    if model is None or not model.available():
        return None
    found: Callable[[Sequence[str]], list[list[float]]] = model.embed
    return found
