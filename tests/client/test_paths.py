"""A volunteer's files lie in folders that other users cannot access."""

from pathlib import Path
from stat import S_IMODE

from client.paths import HOME_VARIABLE, Paths


def test_folders_are_closed_to_others_whoever_made_them_first(tmp_path: Path) -> None:
    paths = Paths.of_user({HOME_VARIABLE: str(tmp_path)})
    for folder in (paths.logs, paths.data):
        folder.mkdir()
        folder.chmod(0o755)
    paths.prepare()
    folders = (paths.config, paths.data, paths.logs, paths.runtime)
    assert [S_IMODE(folder.stat().st_mode) for folder in folders] == [0o700] * 4
