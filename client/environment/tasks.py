"""The tasks (`client.tasks`) about the trainer's environment, their answers, and the orders to one that runs."""

from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field, TypeAdapter

from client.api.environment import SetupPlanView
from client.environment.source import EnvironmentSource
from client.environment.stages import SetupStage
from client.fetching.control import CapFetch, GoOnFetch, HoldFetch
from core.messages.lines import Message


class EnvironmentTask(Message):
    """Base of the tasks about the environment."""

    root: Path
    """Folder of the environments."""
    source: EnvironmentSource
    download: int | None
    """The cap of the download in bytes a second; None: no cap."""


class PlanEnvironment(EnvironmentTask):
    """Fetch and verify the list of packages, keep it, and plan for this machine."""

    type: Literal["plan_environment"] = "plan_environment"


class SetUpEnvironment(EnvironmentTask):
    """Set the environment up by the list that is kept; a killed attempt goes on where it was."""

    type: Literal["set_up_environment"] = "set_up_environment"
    hold: str = ""
    """Sentence that says why the download waits from the beginning; empty: it does not."""


class EnvironmentPlanned(Message):
    """Answer to the first task."""

    type: Literal["environment_planned"] = "environment_planned"
    plan: SetupPlanView
    was_taken_back: bool
    """True if these packages were in use and made no epoch, so that they were removed, or lack something."""


class EnvironmentReady(Message):
    """Answer to the second task: the environment is in place."""

    type: Literal["environment_ready"] = "environment_ready"
    stage: SetupStage


class ReadyToPlace(Message):
    """The environment has passed its test; it is put in place at the order to, once no trainer runs."""

    type: Literal["ready_to_place"] = "ready_to_place"


class PlaceEnvironment(Message):
    """Order to put the environment in place: no trainer runs."""

    type: Literal["place_environment"] = "place_environment"


SetupOrder = HoldFetch | GoOnFetch | CapFetch | PlaceEnvironment
SETUP_ORDERS: TypeAdapter[SetupOrder] = TypeAdapter(Annotated[SetupOrder, Field(discriminator="type")])
