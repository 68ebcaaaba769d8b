"""The errors of the coordinator: each says what happened and what a person can do about it."""

from core.errors import CoreError


class CoordinatorError(CoreError):
    """Base of all errors that the coordinator raises on purpose.

    CoordinatorError
    ├── HomeError       a coordinator's folder cannot be made or used
    ├── EntryError      an entry point of the swarm cannot be added, removed or used
    ├── NewsError       a message to the volunteers cannot be written, or there is none with that number
    ├── SettingsError   coordinator.toml, or what is asked of it, makes no sense
    ├── DatabaseError   the database cannot be reached, or is of another version
    │   └── ConflictError   something of that name is there already
    ├── LedgerError     a contribution or a receipt cannot be entered in the ledger
    ├── GateRefusal       a person is not admitted, or not allowed to do this
    ├── WebError        the website cannot be served
    ├── RollbackError   the run cannot be rolled back to that epoch
    └── PublishError    a checkpoint cannot be published
    """

    code = "coordinator"


class HomeError(CoordinatorError):
    code = "home"


class EntryError(CoordinatorError):
    code = "entry"


class NewsError(CoordinatorError):
    code = "news"


class SettingsError(CoordinatorError):
    code = "settings"


class DatabaseError(CoordinatorError):
    code = "database"


class ConflictError(DatabaseError):
    """An object of that name already exists, or the object it refers to no longer does."""

    code = "conflict"


class LedgerError(CoordinatorError):
    code = "ledger"


class GateRefusal(CoordinatorError):
    """Base of refusals by the gate; ``status`` is the matching HTTP status."""

    code = "gate"
    status = 403

    def __init__(self, what: str, remedy: str, status: int | None = None) -> None:
        super().__init__(what, remedy)
        if status is not None:
            self.status = status


class SignedOut(GateRefusal):
    """The client has no membership, or its membership has ended."""

    code = "signed_out"
    status = 401


class Banned(GateRefusal):
    code = "banned"


class SetAside(GateRefusal):
    """Evidence sets the user aside, until the organiser lifts it."""

    code = "set_aside"


class NotAdmitted(GateRefusal):
    """The person's identity is proven, but the run does not admit them."""

    code = "not_admitted"


class ProofRefused(GateRefusal):
    """A proof of identity or of a key's possession does not hold."""

    code = "proof"


class ClockRefused(GateRefusal):
    """The time of a request differs too much from ours."""

    code = "clock"


class HubAway(GateRefusal):
    """The Hub is required and does not answer now."""

    code = "hub"
    status = 503


class WebError(CoordinatorError):
    code = "web"


class RollbackError(CoordinatorError):
    code = "rollback"


class PublishError(CoordinatorError):
    code = "publish"
