"""All tasks that processes run for the daemon (`client.tasks`): what such a process reads, and no more."""

from typing import Annotated

from pydantic import ConfigDict, Field, TypeAdapter

from client.account.tasks import AccountTask, CodeShown
from client.admission.tasks import AddressShown, GateTask
from client.environment.tasks import AnyEnvironmentTask
from client.joining.tasks import JoiningTask
from client.updates.tasks import AnyUpdateTask

AnyTask = AccountTask | GateTask | JoiningTask | AnyEnvironmentTask | AnyUpdateTask
Shown = CodeShown | AddressShown
"""Sign-in steps that the volunteer has to see."""
# Whatever is malformed here may be a token: no error quotes it.
SILENT = ConfigDict(hide_input_in_errors=True)
TASKS: TypeAdapter[AnyTask] = TypeAdapter(Annotated[AnyTask, Field(discriminator="type")], config=SILENT)
