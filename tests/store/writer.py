"""A writer in a process of its own: `writer.py FOLDER NAME COUNT`.

It prints the path of each file that was acknowledged, and tries again where HEAD is detached.
"""

import sys
from pathlib import Path

from calmkb.errors import StoreError
from tests.store.writing import write


def main(folder: Path, name: str, count: int) -> None:
    for number in range(count):
        path = f"journal/{name}-{number}.md"
        while True:
            try:
                write(folder, path, f"{name} {number}\n".encode())
            except StoreError as error:
                if "detached" not in str(error) and "HEAD" not in str(error):
                    raise
                continue
            print(path, flush=True)
            break


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2], int(sys.argv[3]))
