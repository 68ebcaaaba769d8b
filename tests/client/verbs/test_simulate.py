"""`idlebrush simulate` as a command."""

import json
from pathlib import Path

from tests.command_line import idlebrush
from tests.swarms.tiny_run import write_tiny_run

_SWARM = """
run = "run/run.toml"
duration_hours = 0.2
[[groups]]
name = "homes"
count = 2
samples_per_second = 2.0
down = 20
up = 5
"""


def described(folder: Path, text: str = _SWARM) -> Path:
    write_tiny_run(folder / "run")
    path = folder / "swarm.toml"
    path.write_text(text)
    return path


def test_a_swarm_is_simulated_and_told_in_a_table_and_in_json(tmp_path: Path) -> None:
    path = described(tmp_path)
    shown = idlebrush("simulate", path)
    assert shown.returncode == 0
    assert "2 computers, 0.2 simulated hours" in shown.stdout
    assert "too old, as epochs came without them" in shown.stdout
    found = json.loads(idlebrush("simulate", path, "--json", "--hours", "0.1", "--seed", "4").stdout)
    assert (found["summary"]["hours"], found["topology"]["seed"]) == (0.1, 4)
    assert 16 < found["summary"]["epochs"] < 24  # 64 samples at 4 a second, in 360 s less the start


def test_a_fault_of_the_description_is_told_with_its_remedy(tmp_path: Path) -> None:
    refused = idlebrush("simulate", described(tmp_path, _SWARM.replace("up = 5", "up = 0")))
    assert refused.returncode == 2
    assert "groups.0.up" in refused.stderr
    assert "docs/simulation.md" in refused.stderr


def test_a_missing_run_is_told(tmp_path: Path) -> None:
    refused = idlebrush("simulate", described(tmp_path, _SWARM.replace("run/run.toml", "none.toml")))
    assert refused.returncode == 2
    assert "none.toml" in refused.stderr
