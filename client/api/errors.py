"""The errors of a volunteer's client; as those of the core, each says what happened and what to do."""

from core.errors import CoreError


class ClientError(CoreError):
    """Base of the client's errors.

    ClientError
    ├── ChildError      a process of ours cannot be kept going
    └── FolderError     a folder to work in holds something else, or is in use
    """

    code = "client"


class ChildError(ClientError):
    code = "child"


class FolderError(ClientError):
    code = "folder"
