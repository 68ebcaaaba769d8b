"""The errors of the coordinator: each says what happened and what a person can do about it."""

from core.errors import CoreError


class CoordinatorError(CoreError):
    """Base of all errors that the coordinator raises on purpose.

    CoordinatorError
    ├── HomeError       a coordinator's folder cannot be made or used
    ├── SettingsError   coordinator.toml, or what is asked of it, makes no sense
    ├── DatabaseError   the database cannot be reached, or is of another version
    │   └── ConflictError   something of that name is there already
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


class ConflictError(DatabaseError):
    """Something of that name is there already, or what it refers to is gone."""

    code = "conflict"


class LedgerError(CoordinatorError):
    code = "ledger"


class GateError(CoordinatorError):
    """``status`` is the one of HTTP that fits it."""

    code = "gate"
    status = 403

    def __init__(self, what: str, remedy: str, status: int | None = None) -> None:
        super().__init__(what, remedy)
        if status is not None:
            self.status = status


class SignedOut(GateError):
    """Whoever asks has no membership, or none any more."""

    code = "signed_out"
    status = 401


class Banned(GateError):
    code = "banned"


class NotAdmitted(GateError):
    """Who it is is proven, but the run does not admit them."""

    code = "not_admitted"


class ProofRefused(GateError):
    """A proof of identity or of a key's possession does not hold."""

    code = "proof"


class HubAway(GateError):
    """The Hub, which must be asked, does not answer now."""

    code = "hub"
    status = 503


class WebError(CoordinatorError):
    code = "web"


class RecorderError(CoordinatorError):
    code = "recorder"


class RollbackError(CoordinatorError):
    code = "rollback"


class PublishError(CoordinatorError):
    code = "publish"
