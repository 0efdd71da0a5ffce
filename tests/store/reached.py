"""Kills a process at a function of calmkb; imports nothing else, as many are started for it."""

import os
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from types import FrameType

import calmkb

OURS = str(Path(calmkb.__file__).parent)


def die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def function_reached(name: str) -> Callable[[], None]:
    """Return a hook that kills as one of our functions of that name is called."""

    def call(frame: FrameType, _event: str, _: object) -> None:
        if frame.f_code.co_name == name and frame.f_code.co_filename.startswith(OURS):
            die()

    return lambda: sys.settrace(call)
