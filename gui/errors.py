"""The app's own errors: one base class with what happened and the remedy."""


class GuiError(Exception):
    """Base of the app's own errors; errors of the daemon are `client.api.errors.ClientError`."""

    def __init__(self, what: str, remedy: str) -> None:
        super().__init__(f"{what} {remedy}")
        self.what = what
        self.remedy = remedy
