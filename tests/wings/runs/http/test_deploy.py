"""The container, compose and unit files: what they run is there, and starts on PostgreSQL."""

import configparser
import json
import os
import shlex
import shutil
import signal
import socket
import subprocess
import sys
import tomllib
import urllib.request
from pathlib import Path

import pytest
import yaml

from calmkb.wings.runs.commands.serve import serve
from tests.wings.runs.conftest import postgres_url

DEPLOY = Path(__file__).parents[4] / "deploy"
OPTIONS = {option for parameter in serve.params for option in parameter.opts}
VARIABLES = {"CALMKB_RUNS_URL", "CALMKB_RUNS_TOKEN"}


def unit():
    parser = configparser.ConfigParser(strict=False)
    parser.optionxform = str
    parser.read(DEPLOY / "calmkb-runs.service")
    return parser["Service"]


def entry_point():
    lines = (DEPLOY / "Containerfile").read_text().splitlines()
    line = next(line for line in lines if line.startswith("ENTRYPOINT "))
    return json.loads(line.removeprefix("ENTRYPOINT "))


def options(words):
    return {word for word in words if word.startswith("--")}


def test_each_command_and_option_is_calmkbs():
    started = shlex.split(unit()["ExecStart"])
    assert [Path(started[0]).name, *started[1:3]] == entry_point()[:3] == ["calmkb", "run", "serve"]
    composed = yaml.safe_load((DEPLOY / "compose.yaml").read_text())["services"]["runs"]
    given = options(started) | options(entry_point()) | options(composed["command"])
    assert given <= OPTIONS
    assert set(composed["environment"]) == VARIABLES


def test_no_file_holds_a_secret_and_the_port_is_this_machines_own():
    composed = yaml.safe_load((DEPLOY / "compose.yaml").read_text())["services"]
    assert composed["runs"]["ports"] == ["127.0.0.1:8766:8766"]
    secrets = [composed["runs"]["environment"]["CALMKB_RUNS_TOKEN"],
               composed["database"]["environment"]["POSTGRES_PASSWORD"]]  # fmt: skip
    assert all(secret.startswith("${") and secret.endswith(":?}") for secret in secrets)
    assert "127.0.0.1" in unit()["ExecStart"]


def test_the_server_waits_for_a_healthy_database_whose_data_stay():
    composed = yaml.safe_load((DEPLOY / "compose.yaml").read_text())
    runs, database = composed["services"]["runs"], composed["services"]["database"]
    assert runs["depends_on"] == {"database": {"condition": "service_healthy"}}
    assert database["healthcheck"]["test"][1] == "pg_isready"
    (volume,) = database["volumes"]
    assert volume.split(":")[0] in composed["volumes"]


def test_the_image_gets_what_the_package_needs_by_name_and_runs_as_no_root():
    lines = (DEPLOY / "Containerfile").read_text().splitlines()
    copied = {word for line in lines if line.startswith("COPY ") for word in line.split()[1:-1]}
    build = tomllib.loads((DEPLOY.parent / "pyproject.toml").read_text())
    wheel = build["tool"]["hatch"]["build"]["targets"]["wheel"]
    project = build["project"]
    needed = {*wheel["packages"], *wheel["force-include"], "pyproject.toml", project["readme"],
              *(name for name in project["license-files"] if "/" not in name)}  # fmt: skip
    assert copied == needed
    (user,) = [line.split()[1] for line in lines if line.startswith("USER ")]
    assert int(user) > 0


@pytest.mark.skipif(not shutil.which("systemd-analyze"), reason="systemd-analyze is not there")
def test_systemd_finds_no_fault_in_the_unit(tmp_path):
    program = shlex.split(unit()["ExecStart"])[0]
    text = (DEPLOY / "calmkb-runs.service").read_text().replace(program, sys.executable)
    (tmp_path / "calmkb-runs.service").write_text(text)
    command = ["systemd-analyze", "verify", tmp_path / "calmkb-runs.service"]
    done = subprocess.run(command, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")


def test_what_the_container_runs_starts_on_postgresql_and_ends_on_sigterm(
    postgres, emptied, tmp_path
):
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    env = {**os.environ, "CALMKB_RUNS_URL": postgres_url(postgres, emptied),
           "CALMKB_RUNS_TOKEN": "0123456789abcdef"}  # fmt: skip
    words = [*entry_point()[1:], "--name", "localhost", "--port", str(port)]
    server = subprocess.Popen(
        [sys.executable, "-m", "calmkb", *words], env=env, cwd=tmp_path,
        stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    said = server.stderr.readline()
    assert said.startswith("Runs at http"), said
    with urllib.request.urlopen(f"http://localhost:{port}/health", timeout=30) as reply:
        assert reply.status == 200
    server.send_signal(signal.SIGTERM)
    server.communicate(timeout=60)
    assert server.returncode in (0, -signal.SIGTERM, 128 + signal.SIGTERM)
