"""One filter for every text that is about to be kept, proven by a canary before its first use."""

import copy
import hashlib
import os
import string
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path

from calmkb.errors import RedactionError
from calmkb.model import Place, check_characters
from calmkb.redact.allowances import Allowances, random_text
from calmkb.redact.invisible import join_visible
from calmkb.redact.known import distinct_values, hide_known, parted
from calmkb.redact.machine import Machine
from calmkb.redact.rules.rule import Hits
from calmkb.redact.secrets import redact_secrets
from calmkb.redact.spans import hide_private, hide_spans
from calmkb.redact.structured import JsonCleaner, whole

_ALNUM = string.ascii_letters + string.digits
_PASSES = 8


class Redactor:
    """Takes out secrets, `<private>` spans, calmkb's own injected text and the machine's paths.

    `allow` lists patterns of values that are known to be no secrets; `chance` gives random bytes.
    Raises RedactionError when made, if a canary gets through or a pattern may not be trusted.
    """

    def __init__(
        self,
        *,
        home: Path,
        places: Sequence[Place] = (),
        user: str = "",
        host: str = "",
        allow: Sequence[str] = (),
        chance: Callable[[int], bytes] = os.urandom,
    ) -> None:
        self._machine = Machine(home=home, places=places, user=user, host=host)
        self._is_allowed = Allowances(allow, chance=chance)
        self._known: Mapping[str, str] = {}
        self.hits = Hits()
        self._prove(chance)

    def _prove(self, chance: Callable[[int], bytes]) -> None:
        """Raise RedactionError if a random test secret gets through."""
        # Put together here, so that no scanner finds a live-looking secret in this file.
        token = "gh" + "p_" + random_text(_ALNUM, 36, chance)
        password = "q7Z" + random_text(_ALNUM, 13, chance)
        # No pattern spares a token's shape; a password's many rules take 25 ms to compile.
        named = f"\nDB_PASSWORD={password}" if self._is_allowed.patterns else ""
        kept = self.text(f"deploy with {token} now{named}")
        self.hits = Hits()
        if token in kept or password in kept:
            raise RedactionError(
                "the secret filter missed its canary; nothing will be written "
                "(does a pattern under [redact] allow spare everything?)"
            )

    def stamp(self, *, with_places: bool = True) -> str:
        """Return 32 hex digits that change with all that decides what this filter finds.

        Without places, whatever repositories are called by their names.
        """
        home, places, *others = self._machine.names
        machine = (home, places if with_places else (), *others)
        made = repr((self._is_allowed.patterns, machine))
        digest = hashlib.blake2b(made.encode(errors="replace"), digest_size=16)
        for source in sorted(Path(__file__).parent.rglob("*.[pt]*")):  # the rules themselves: 1 ms
            digest.update(source.read_bytes())
        return digest.hexdigest()

    def knowing(self, texts: Iterable[str], values: Mapping[str, str] | None = None) -> "Redactor":
        """Return this filter for one record: a secret found in one of `texts` goes from all.

        So do `values`, each with the name of the rule that found it.
        """
        other = copy.copy(self)
        other.hits = Hits()
        read = [whole(text) for text in texts]
        for text in read:
            other.text(text)
        found = distinct_values(other.hits.values_found | parted(read))
        other._known = {**self._known, **(values or {}), **found}
        other.hits = Hits()
        return other

    def text(self, text: str) -> str:
        """Return `text` fit to be kept; idempotent, and to the letter where there is nothing.

        Raises RecordError on a NUL or half a surrogate pair: no record can hold them.
        """
        return self._until_nothing_is_found(text, self._machine.neutralise)

    def contents(self, texts: Iterable[str]) -> tuple[str, ...]:
        """Return the texts of one record filtered together, before they are cut.

        The machine's names stay: paths are still to be compared.
        """
        before, self.hits = self.hits, Hits()
        try:
            read = [whole(text) for text in texts]
            cleaned = [self._until_nothing_is_found(text, str) for text in read]
            known = distinct_values(self.hits.values_found | parted(read))
            return tuple(hide_known(text, known, self.hits) for text in cleaned)
        finally:
            before.add(self.hits)
            self.hits = before

    def line(self, text: str) -> str:
        """Return one line of `text` fit to be kept, for names and paths."""
        return " ".join(self.text(text).split())

    def without_machine(self, text: str) -> str:
        """Return `text` without homes, repositories' places, the user's login and the host."""
        return self._machine.neutralise(text)

    def without_secrets(self, text: str) -> str:
        """Return `text` without secrets and private spans; the machine's names stay."""
        return self._without_secrets(hide_private(text), Hits())

    def json_lines(self, content: bytes) -> bytes:
        """Return JSON Lines redacted inside their values, each line still JSON.

        What is no JSON is redacted as one text. A secret that is found once goes from all lines.
        """
        return self._as_one_record(
            lambda json: json.lines(content.decode(errors="replace"))
        ).encode()

    def text_or_json(self, text: str) -> str:
        """Return a text redacted, or one JSON document redacted inside its values."""
        return self._as_one_record(lambda json: json.document(whole(text)))

    def _as_one_record(self, clean: Callable[[JsonCleaner], str]) -> str:
        before, self.hits = self.hits, Hits()
        hide = partial(self.hits.note, "key")
        try:
            first = JsonCleaner(self.text, self._is_allowed, hide)
            cleaned = clean(first)
            known = distinct_values(self.hits.values_found | parted(first.texts))
            once_more = JsonCleaner(
                lambda text: hide_known(text, known, self.hits), self._is_allowed, hide
            )
            return once_more.lines_with(known, cleaned)
        finally:
            before.add(self.hits)
            self.hits = before

    def _until_nothing_is_found(self, text: str, neutralise: Callable[[str], str]) -> str:
        check_characters(text, "The text")
        found = Hits()
        pieces = distinct_values(parted([text]))
        # Removing a part may join what was apart, so it is done until nothing more is found.
        for _ in range(_PASSES):
            before = text
            text = neutralise(self._without_secrets(hide_spans(text), found))
            if text == before:
                break
        text = hide_known(text, pieces, found)
        self.hits.add(found)
        return text

    def _without_secrets(self, text: str, hits: Hits) -> str:
        """Return `text` without secrets, those too that an invisible character parts in two."""
        text = self._visible_secrets(text, hits)
        bare = join_visible(text)
        if len(bare) < len(text):
            cleaned = self._visible_secrets(bare, hits)
            return cleaned if cleaned != bare else text
        return text

    def _visible_secrets(self, text: str, hits: Hits) -> str:
        text = hide_known(text, self._known, hits)
        text = redact_secrets(text, is_allowed=self._is_allowed, hits=hits)
        if hits.values_found:
            text = hide_known(text, distinct_values(hits.values_found), hits)
        return text
