"""How long to wait for a rival."""

import random
import time


def pause(attempt: int) -> None:
    """Wait a little, longer each time and never twice the same, so that rivals part."""
    time.sleep(random.uniform(0.5, 1) * min(0.01 * 2**attempt, 0.25))  # noqa: S311 - no secret
