"""Names what the packages of Linux bring for servers: the system's unit of a headless volunteer, and its user."""

from pathlib import Path

HERE = Path(__file__).parent
UNIT = HERE / "idlebrush-volunteer.service"
USER = HERE / "idlebrush-volunteer.sysusers"
EXAMPLE = HERE / "volunteer.env"
"""Example of the file that names the run and the limits; nothing is trained until it is copied to its place."""


def server_contents() -> list[dict[str, str]]:
    """Return the files as `nfpm` lists a package's contents; nothing enables the unit."""
    return [
        {"src": str(UNIT), "dst": f"/usr/lib/systemd/system/{UNIT.name}"},
        {"src": str(USER), "dst": "/usr/lib/sysusers.d/idlebrush-volunteer.conf"},
        {"src": str(EXAMPLE), "dst": f"/usr/share/doc/idlebrush/{EXAMPLE.name}"},
    ]
