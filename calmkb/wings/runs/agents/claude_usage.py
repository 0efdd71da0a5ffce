"""Tokens and cost in the stream of Claude Code."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from calmkb.wings.runs.usage import Usage, dollars, reported, whole


class ClaudeUsage:
    """Adds up the answers of the model; one answer comes as several lines with the same id."""

    def __init__(self) -> None:
        self._answers: dict[str, Usage] = {}
        self._model = ""

    def answered(self, message: Mapping[str, Any]) -> Usage | None:
        """Return the total so far where an answer changes it."""
        given, model = message.get("usage"), message.get("model")
        if not isinstance(given, dict):
            return None
        self._model = model if isinstance(model, str) else self._model
        name, one = str(message.get("id", "")), _usage(given, self._model)
        if self._answers.get(name) == one:
            return None
        self._answers[name] = one
        return sum(self._answers.values(), Usage(model=self._model))

    def ended(self, result: Mapping[str, Any]) -> Usage | None:
        """Return what the client itself reports at its end, sub-agents included."""
        cost = dollars(result.get("total_cost_usd"))
        models = result.get("modelUsage")
        if isinstance(models, dict) and models:
            each = [_of_model(one) for one in models.values() if isinstance(one, dict)]
            total = sum(each, Usage())
        elif isinstance(result.get("usage"), dict):
            total = _usage(result["usage"], self._model)
        else:
            total = sum(self._answers.values(), Usage())
        return replace(total, model=self._model or next(iter(models or {}), ""), cost=cost)


def _usage(given: Mapping[str, Any], model: str) -> Usage:
    written = whole(given.get("cache_creation_input_tokens"))
    known = reported(given, cached="cache_read_input_tokens", model=model)
    whole_input = known.input_tokens + known.cache_read_tokens + written
    return replace(known, input_tokens=whole_input, cache_write_tokens=written)


def _of_model(given: Mapping[str, Any]) -> Usage:
    names = {
        "input_tokens": "inputTokens", "output_tokens": "outputTokens",
        "cache_read_input_tokens": "cacheReadInputTokens",
        "cache_creation_input_tokens": "cacheCreationInputTokens",
    }  # fmt: skip
    return _usage({name: given.get(theirs) for name, theirs in names.items()}, "")
