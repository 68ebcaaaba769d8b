"""The requests that a front end may send: those of `client.api.questions`, `commands` and `environment`."""

from typing import Annotated

from pydantic import Field, TypeAdapter

from client.api.commands import AnyCommand
from client.api.environment import SetupRequest
from client.api.protocol import RECEIVED
from client.api.questions import AnyQuestion

AnyRequest = AnyQuestion | AnyCommand | SetupRequest
REQUESTS: TypeAdapter[AnyRequest] = TypeAdapter(
    Annotated[AnyRequest, Field(discriminator="type")], config=RECEIVED
)
