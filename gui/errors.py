"""What may go wrong in the app itself: one base, which says what happened and what to do."""


class GuiError(Exception):
    """Base of the app's own errors; those of the daemon are `client.api.errors.ClientError`."""

    def __init__(self, what: str, remedy: str) -> None:
        super().__init__(f"{what} {remedy}")
        self.what = what
        self.remedy = remedy
