"""Who approved a memory: what its record says, and what git says of the commit that brought it."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Approval:
    """What a record and git say of who approved it.

    `claimed` is its `approved_by`; `committed_by` who wrote it or merged it, empty where it is not
    committed as it is. `differs` where the two are not the same person.
    """

    claimed: str = ""
    committed_by: str = ""
    differs: bool = False

    @property
    def words(self) -> str:
        """Who approved, in words; where record and git differ, both."""
        if not self.differs:
            return self.claimed or self.committed_by
        committed = f"committed by {self.committed_by}" if self.committed_by else "not committed"
        return f"says {self.claimed}, {committed}" if self.claimed else committed
