"""Paths of Windows as a WSL2 distribution sees them: each drive is a folder below ``/mnt``."""

import re
from pathlib import Path, PurePosixPath, PureWindowsPath

_DRIVE = re.compile(r"[A-Za-z]:")
_LONG_PATH = "\\\\?\\"
"""Prefix with which Windows allows paths of more than 260 characters."""


class WslPaths:
    """Translation between the paths of Windows and those of a distribution."""

    def __init__(self, mount: str = "/mnt") -> None:
        """Translate for a distribution whose folder ``mount`` has a folder for each drive, by its small letter."""
        self._mount = PurePosixPath(mount)

    def theirs(self, path: Path) -> str:
        """Return the path under which the distribution sees the file ``path``; ValueError if it is on no drive."""
        return self.of_windows(str(path))

    def of_windows(self, path: str) -> str:
        """Return the path under which the distribution sees the Windows path ``path``.

        Raises:
            ValueError: The path is not absolute, or names a network share, which no distribution sees.
        """
        windows = PureWindowsPath(path.removeprefix(_LONG_PATH))
        if not windows.is_absolute() or not _DRIVE.fullmatch(windows.drive):
            raise ValueError(f"{path} is not on a drive of this computer")
        return str(self._mount.joinpath(windows.drive[0].lower(), *windows.parts[1:]))

    def ours(self, path: str) -> Path:
        """Return the path of Windows for the distribution's ``path``; ValueError if it is on none of the drives."""
        return Path(self.to_windows(path))

    def to_windows(self, path: str) -> str:
        """Return the Windows path of the file that the distribution sees as ``path``.

        Raises:
            ValueError: The file is the distribution's own, or the path leads out of the drive.
        """
        try:
            drive, *rest = PurePosixPath(path).relative_to(self._mount).parts
        except ValueError:
            raise ValueError("the path is not on a drive of Windows") from None
        if not re.fullmatch("[a-z]", drive) or ".." in rest or any("\\" in part for part in rest):
            raise ValueError("the path is not on a drive of Windows")
        return str(PureWindowsPath(f"{drive.upper()}:\\", *rest))
