"""The requests that a front end may send: `client.api.questions` and `client.api.commands`."""

from typing import Annotated

from pydantic import Field, TypeAdapter

from client.api.commands import AnyCommand
from client.api.protocol import RECEIVED
from client.api.questions import AnyQuestion

AnyRequest = AnyQuestion | AnyCommand
REQUESTS: TypeAdapter[AnyRequest] = TypeAdapter(
    Annotated[AnyRequest, Field(discriminator="type")], config=RECEIVED
)
