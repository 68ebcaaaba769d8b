"""The requests that a front end may send: those of `client.api.questions`, `commands`, `environment`, `updates`."""

from typing import Annotated

from pydantic import Field, TypeAdapter

from client.api.commands import AnyCommand
from client.api.environment import SetupRequest
from client.api.protocol import RECEIVED
from client.api.questions import AnyQuestion
from client.api.updates import UpdateRequest

AnyRequest = AnyQuestion | AnyCommand | SetupRequest | UpdateRequest
REQUESTS: TypeAdapter[AnyRequest] = TypeAdapter(
    Annotated[AnyRequest, Field(discriminator="type")], config=RECEIVED
)
