"""Commands that install this very calmkb again: in a workflow, or with one of its extras."""

from calmkb.system.install_source import install_extra, install_source

__all__ = ["UNKNOWN", "install_command", "install_extra"]

UNKNOWN = (
    "echo \"Put calmkb's repository and a full commit of it here, and delete this line and the "
    "next: pip install 'calmkb @ git+https://HOST/calmkb.git@COMMIT'\" >&2\nexit 1"
)
"""What a workflow says where nothing is known."""


def install_command() -> str:
    """Return shell lines that install this very calmkb, or that fail and say what to do."""
    source = install_source()
    return (
        f'pip install "calmkb @ {source.repository}"' if source and source.repository else UNKNOWN
    )
