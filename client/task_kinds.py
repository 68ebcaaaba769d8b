"""All tasks that processes run for the daemon (`client.tasks`), which a process reads by `client.task` alone."""

from typing import Annotated

from pydantic import Field, TypeAdapter

from client.account.tasks import AccountTask, CodeShown
from client.admission.tasks import AddressShown, GateTask
from client.directory.tasks import ReadLists
from client.environment.tasks import AnyEnvironmentTask
from client.joining.tasks import JoiningTask
from client.remote.tasks import AnyRemoteTask
from client.updates.tasks import AnyUpdateTask
from core.messages.lines import SILENT

AnyTask = (
    AccountTask | GateTask | JoiningTask | ReadLists | AnyEnvironmentTask | AnyUpdateTask | AnyRemoteTask
)
Shown = CodeShown | AddressShown
"""Sign-in steps that the volunteer has to see."""
TASKS: TypeAdapter[AnyTask] = TypeAdapter(Annotated[AnyTask, Field(discriminator="type")], config=SILENT)
