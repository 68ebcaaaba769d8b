"""Where nothing is known that starts programs at login."""

from client.api.errors import AutostartError


class NoAutostart:
    def enable(self) -> None:
        raise AutostartError(
            "Idlebrush does not know how to start at login on this system.",
            "Have your session run `idlebrush --background` by its own means.",
        )

    def disable(self) -> None:
        """It is off as it is."""

    def is_enabled(self) -> bool:
        return False
