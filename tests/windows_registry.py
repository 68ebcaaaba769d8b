"""A stand-in for Python's winreg, with keys of a test's own."""

from collections.abc import Mapping
from typing import Any, Self


class StandInKey:
    """A key that is open: its path, and the number of openings that it has to give back."""

    def __init__(self, registry: "StandInWinreg", path: str) -> None:
        self.registry, self.path = registry, path

    def __enter__(self) -> Self:
        self.registry.open += 1
        return self

    def __exit__(self, *_: object) -> None:
        self.registry.open -= 1


class StandInWinreg:
    """The module, over values by their names by their keys; case does not count, as in the registry."""

    HKEY_LOCAL_MACHINE = 0x80000002

    def __init__(self, keys: Mapping[str, Mapping[str, Any]], denied: str = "") -> None:
        """Prepare `keys`; `denied`: the one that may not be read."""
        self._keys = {path.lower(): values for path, values in keys.items()}
        self._denied = denied.lower()
        self.open = 0

    def OpenKey(self, root: int, path: str) -> StandInKey:  # noqa: N802 - this and what follows: names of winreg
        assert root == self.HKEY_LOCAL_MACHINE
        if path.lower() == self._denied:
            raise PermissionError(5, "Access is denied")
        if not any(f"{key}\\".startswith(f"{path.lower()}\\") for key in self._keys):
            raise FileNotFoundError(2, "The system cannot find the file specified")
        return StandInKey(self, path.lower())

    def QueryInfoKey(self, key: StandInKey) -> tuple[int, int, int]:  # noqa: N802
        return len(self._below(key)), len(self._keys.get(key.path, {})), 0

    def EnumKey(self, key: StandInKey, number: int) -> str:  # noqa: N802
        return self._below(key)[number]

    def QueryValueEx(self, key: StandInKey, name: str) -> tuple[Any, int]:  # noqa: N802
        if name not in self._keys.get(key.path, {}):
            raise FileNotFoundError(2, "The system cannot find the file specified")
        return self._keys[key.path][name], 1

    def _below(self, key: StandInKey) -> list[str]:
        inside = [
            path.removeprefix(f"{key.path}\\") for path in self._keys if path.startswith(f"{key.path}\\")
        ]
        return list(dict.fromkeys(path.partition("\\")[0] for path in inside))
