"""What a memory's trouble cost the sessions that met it, before its approval and since."""

from dataclasses import dataclass

from calmkb.model.words import counted


@dataclass(frozen=True, slots=True)
class TurnsLost:
    """Calls of tools lost in each session whose cost is known; the one that taught it is left out.

    `chance` is how likely the later ones are so few by chance, 0 to 1; None where a side has none.
    """

    before: tuple[int, ...] = ()
    since: tuple[int, ...] = ()
    chance: float | None = None

    @property
    def words(self) -> str:
        """Both sides in one line; "" where neither is known."""
        sides = [
            f"{_each(lost)} {when} (known of {counted(len(lost), 'session')})"
            for lost, when in ((self.before, "before"), (self.since, "since"))
            if lost
        ]
        if self.chance is None:
            return ", ".join(sides)
        return f"{', '.join(sides)}: {'cheaper' if self.chance < 0.05 else 'too early to say'}"


def _each(lost: tuple[int, ...]) -> str:
    return f"{sum(lost) / len(lost):.3g} a session"
