"""The errors of the coordinator: each says what happened and what a person can do about it."""

from core.errors import CoreError


class CoordinatorError(CoreError):
    """Base of all errors that the coordinator raises on purpose.

    CoordinatorError
    ├── HomeError       a coordinator's folder cannot be made or used
    ├── SettingsError   coordinator.toml, or what is asked of it, makes no sense
    ├── DatabaseError   the database cannot be reached, or is of another version
    ├── LedgerError     a contribution or a receipt cannot be entered in the books
    ├── GateError       somebody is not admitted, or asks for what is not theirs
    ├── WebError        the website cannot be served
    ├── RecorderError   what the swarm does cannot be recorded
    ├── RollbackError   the run cannot be taken back to that epoch
    └── PublishError    a checkpoint cannot be published
    """

    code = "coordinator"


class HomeError(CoordinatorError):
    code = "home"


class SettingsError(CoordinatorError):
    code = "settings"


class DatabaseError(CoordinatorError):
    code = "database"


class LedgerError(CoordinatorError):
    code = "ledger"


class GateError(CoordinatorError):
    """``status`` is the one of HTTP that fits it."""

    code = "gate"

    def __init__(self, what: str, remedy: str, status: int = 403) -> None:
        super().__init__(what, remedy)
        self.status = status


class WebError(CoordinatorError):
    code = "web"


class RecorderError(CoordinatorError):
    code = "recorder"


class RollbackError(CoordinatorError):
    code = "rollback"


class PublishError(CoordinatorError):
    code = "publish"
