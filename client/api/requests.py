"""The requests that a front end may send: those of all parts of `client.api`."""

from typing import Annotated

from pydantic import Field, TypeAdapter

from client.api.commands import AnyCommand
from client.api.environment import SetupRequest
from client.api.protocol import RECEIVED
from client.api.questions import AnyQuestion
from client.api.remote.computers import ComputersRequest
from client.api.remote.control import ControlledRequest
from client.api.runs import DirectoryRequest, RemoveLocalSwarm, SetShare
from client.api.updates import UpdateRequest

AnyRequest = (
    AnyQuestion
    | AnyCommand
    | RemoveLocalSwarm
    | SetShare
    | DirectoryRequest
    | SetupRequest
    | UpdateRequest
    | ControlledRequest
    | ComputersRequest
)
REQUESTS: TypeAdapter[AnyRequest] = TypeAdapter(
    Annotated[AnyRequest, Field(discriminator="type")], config=RECEIVED
)
