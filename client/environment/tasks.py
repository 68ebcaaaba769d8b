"""The tasks (`client.tasks`) about the trainer's environment, their answers, and the orders to one that runs."""

from enum import StrEnum
from typing import Annotated, Literal

from pydantic import Field, TypeAdapter

from client.api.environment import SetupPlanView
from client.environment.source import EnvironmentSource
from client.environment.stages import SetupStage
from client.fetching.control import CapFetch, GoOnFetch, HoldFetch
from core.messages.lines import Message
from core.messages.paths import SharedPath


class EnvironmentTask(Message):
    """Base of the tasks about the environment."""

    root: SharedPath
    """Folder of the environments; where those are in a distribution, of the wheels, and of what the daemon reads."""
    inside: str = ""
    """Folder of the environments in the distribution that carries the task out; empty: `root`."""


class FetchingTask(EnvironmentTask):
    """Base of the tasks that fetch by the list of packages."""

    source: EnvironmentSource
    download: int | None
    """The cap of the download in bytes a second; None: no cap."""


class PlanEnvironment(FetchingTask):
    """Fetch and verify the list of packages, keep it, and plan for this machine."""

    type: Literal["plan_environment"] = "plan_environment"
    lacks_distribution: bool = False
    """True where training needs the distribution of the list, which is not there yet, so that the plan has it too."""


class FetchDistribution(FetchingTask):
    """Fetch the list of packages, and the distribution that it names for this machine."""

    type: Literal["fetch_distribution"] = "fetch_distribution"
    hold: str = ""
    """Sentence that says why the download waits from the beginning; empty: it does not."""


class SetUpEnvironment(FetchingTask):
    """Set the environment up by the list that is kept; a killed attempt goes on where it was."""

    type: Literal["set_up_environment"] = "set_up_environment"
    hold: str = ""
    """Sentence that says why the download waits from the beginning; empty: it does not."""


class EnvironmentChange(StrEnum):
    """Small changes of an environment that is in use, or under way (`client.environment.kept_setup`)."""

    MADE_EPOCH = "made epoch"
    NOTE_DAMAGE = "note damage"
    TAKE_BACK = "take back"
    CANCEL = "cancel"


class ChangeEnvironment(EnvironmentTask):
    """Change the environment in a distribution, whose files the daemon does not see."""

    type: Literal["change_environment"] = "change_environment"
    change: EnvironmentChange
    why: str = ""
    """Sentence that says why it is rolled back."""


class EnvironmentPlanned(Message):
    """Answer to the task that plans."""

    type: Literal["environment_planned"] = "environment_planned"
    plan: SetupPlanView
    was_taken_back: bool
    """True if these packages were in use and made no epoch, so that they were removed, or lack something."""


class DistributionFetched(Message):
    """Answer to the task that fetches the distribution."""

    type: Literal["distribution_fetched"] = "distribution_fetched"
    archive: SharedPath


class EnvironmentChanged(Message):
    """Answer to a change."""

    type: Literal["environment_changed"] = "environment_changed"


class EnvironmentReady(Message):
    """Answer to the task that sets up: the environment is in place."""

    type: Literal["environment_ready"] = "environment_ready"
    stage: SetupStage


class ReadyToPlace(Message):
    """The environment has passed its test; it is put in place at the order to, once no trainer runs."""

    type: Literal["ready_to_place"] = "ready_to_place"


class PlaceEnvironment(Message):
    """Order to put the environment in place: no trainer runs."""

    type: Literal["place_environment"] = "place_environment"


SetupOrder = HoldFetch | GoOnFetch | CapFetch | PlaceEnvironment
AnyEnvironmentTask = PlanEnvironment | FetchDistribution | SetUpEnvironment | ChangeEnvironment
EnvironmentAnswer = EnvironmentPlanned | DistributionFetched | EnvironmentReady | EnvironmentChanged
SETUP_ORDERS: TypeAdapter[SetupOrder] = TypeAdapter(Annotated[SetupOrder, Field(discriminator="type")])
