"""Defines every preference with its default, its allowed values, and its effect."""

from enum import StrEnum
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field

from client.api.choices import PreferenceView
from client.api.errors import PreferenceError
from client.preferences import electricity, notation
from client.preferences.electricity import PowerLimit, WeeklyValue
from client.preferences.kind import PreferenceKind
from client.preferences.schedule import Schedule
from core.excerpt import QUOTE, excerpt, shortened


class RunMode(StrEnum):
    """Rule for when to train."""

    ALWAYS = "always"
    PREFERENCES = "preferences"
    NEVER = "never"


class BatteryMode(StrEnum):
    """Rule for training while the computer runs on its battery."""

    PAUSE = "pause"
    ALLOW = "allow"


class Section(StrEnum):
    """Subject of a preference; sections are shown in this order."""

    WHEN = "When to train"
    IN_USE = "While you use the computer"
    POWER = "Battery and heat"
    ELECTRICITY = "Electricity"
    OTHERS = "Other programs"
    LIMITS = "How much to use"
    MEMORY = "Memory"
    NETWORK = "Network"
    START = "Start and updates"


OnOff = Annotated[bool, notation.switch()]
_ShareOfMachine = Annotated[float, notation.percent(1)]
PauseOrShare = Annotated[float | None, notation.optional(notation.percent(1), "pause")]
ShareOrOff = Annotated[float | None, notation.optional(notation.percent(1, 99), "off")]
CelsiusOrOff = Annotated[float | None, notation.optional(notation.number(40, 110, "°C"), "off")]
PriceOrOff = Annotated[float | None, notation.optional(notation.number(0, 100_000, "per kWh"), "off")]
CarbonOrOff = Annotated[float | None, notation.optional(notation.number(0, 2_000, "g/kWh"), "off")]
Free = Annotated[int, notation.size("64 MiB")]
_MemoryLimit = Annotated[int | None, notation.optional(notation.size("256 MiB"), "unlimited")]
ByteLimit = Annotated[int | None, notation.optional(notation.size("100 MB"), "unlimited")]
_RateLimit = Annotated[int | None, notation.optional(notation.rate(16_000), "unlimited")]


def _preference(section: Section, default: Any, text: str, *, is_simple: bool = False) -> Any:
    """Return the field of a preference.

    Args:
        section: Subject under which it is shown.
        default: Value before the volunteer changes it.
        text: Effect in English, as volunteers read it.
        is_simple: True for one that most volunteers need; only those are in the simple view.
    """
    return Field(default, description=text, json_schema_extra={"section": section, "is_simple": is_simple})


class Preferences(BaseModel):
    """All preferences. Descriptions are shown to volunteers; sizes are in bytes, rates in bytes per second."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    run_mode: Annotated[RunMode, notation.choice(RunMode)] = _preference(
        Section.WHEN,
        RunMode.PREFERENCES,
        "Train always, as these preferences say, or never. “Always” ignores the settings for your convenience. It "
        "still respects the limits that protect the computer and your bill: heat, memory, disk, battery charge, "
        "price of electricity, metered connections and the monthly quota.",
        is_simple=True,
    )
    hours: Annotated[Schedule, notation.weekly()] = _preference(
        Section.WHEN,
        Schedule(),
        "Training is allowed during these hours of the week, in local time.",
        is_simple=True,
    )
    switch_runs_minutes: Annotated[float, notation.minutes(5, 24 * 60)] = _preference(
        Section.WHEN,
        60.0,
        "If several runs are joined, another one may take over after this time of training, at the end of an epoch.",
    )
    idle_minutes: Annotated[float, notation.minutes(0.05, 240)] = _preference(
        Section.IN_USE,
        3.0,
        "The computer counts as idle after this time without keyboard or mouse input.",
        is_simple=True,
    )
    while_in_use_cpu: PauseOrShare = _preference(
        Section.IN_USE,
        None,
        "While you use the computer, training on the processor pauses or continues for this share of the time.",
        is_simple=True,
    )
    while_in_use_gpu: PauseOrShare = _preference(
        Section.IN_USE,
        None,
        "While you use the computer, training on a GPU pauses or continues for this share of the time.",
        is_simple=True,
    )
    full_screen_pause: OnOff = _preference(
        Section.IN_USE, True, "Pause while an application fills the screen, such as a game."
    )
    video_pause: OnOff = _preference(
        Section.IN_USE, True, "Pause while an application keeps the screen on, such as a video player."
    )
    on_battery: Annotated[BatteryMode, notation.choice(BatteryMode)] = _preference(
        Section.POWER,
        BatteryMode.PAUSE,
        "Pause or continue training while the computer runs on battery.",
        is_simple=True,
    )
    minimum_charge: ShareOrOff = _preference(
        Section.POWER, 0.4, "If training is allowed on battery, it pauses below this charge."
    )
    cpu_temperature: CelsiusOrOff = _preference(
        Section.POWER, 90.0, "Pause above this temperature until the processor has cooled by 5 °C."
    )
    gpu_temperature: CelsiusOrOff = _preference(
        Section.POWER, 85.0, "Pause above this temperature until the GPU has cooled by 5 °C."
    )
    cpu_target_temperature: CelsiusOrOff = _preference(
        Section.POWER,
        None,
        "Hold the processor at this temperature by short breaks between steps. Set it below the limit for pausing.",
    )
    gpu_target_temperature: CelsiusOrOff = _preference(
        Section.POWER,
        None,
        "Hold the GPU at this temperature by short breaks between steps. Set it below the limit for pausing.",
    )
    gpu_power: Annotated[PowerLimit | None, notation.optional(electricity.power(), "off")] = _preference(
        Section.POWER,
        None,
        "Limit the power of the GPU while it trains, by its driver where that is allowed, otherwise by short breaks "
        "between steps. Your own setting of the driver is restored afterwards.",
    )
    keep_awake: OnOff = _preference(
        Section.POWER,
        False,
        "Keep the computer from going to sleep by itself while it trains, but never on battery. The screen may turn "
        "off.",
    )
    electricity_price: Annotated[WeeklyValue | None, notation.optional(electricity.price(), "off")] = (
        _preference(
            Section.ELECTRICITY,
            None,
            "The price of a kilowatt-hour, by the hours of the week if it changes. Idlebrush shows what the measured "
            "energy of training costs.",
        )
    )
    highest_price: PriceOrOff = _preference(
        Section.ELECTRICITY, None, "Pause while a kilowatt-hour costs more than this."
    )
    carbon_intensity: Annotated[
        WeeklyValue | None, notation.optional(electricity.carbon_intensity(), "off")
    ] = _preference(
        Section.ELECTRICITY,
        None,
        "The grams of CO2 that a kilowatt-hour causes where you live, by the hours of the week if they change. "
        "Idlebrush shows what the measured energy of training causes.",
    )
    highest_carbon: CarbonOrOff = _preference(
        Section.ELECTRICITY, None, "Pause while a kilowatt-hour causes more CO2 than this."
    )
    other_cpu_load: ShareOrOff = _preference(
        Section.OTHERS, 0.4, "Pause while other programs use more than this share of all processor cores."
    )
    other_gpu_load: ShareOrOff = _preference(
        Section.OTHERS, 0.25, "Pause while other programs use more than this share of the training GPU."
    )
    exclusive_applications: Annotated[tuple[str, ...], notation.names("none")] = _preference(
        Section.OTHERS,
        (),
        "Training pauses while one of these applications runs. Enter the names of their programs.",
    )
    share_of_time: _ShareOfMachine = _preference(
        Section.LIMITS,
        1.0,
        "Train for at most this share of the time. Short breaks between steps reduce heat and noise.",
        is_simple=True,
    )
    threads: Annotated[int | None, notation.optional(notation.whole(1, 1024), "auto")] = _preference(
        Section.LIMITS,
        None,
        "The number of processor threads for training. auto: all cores but one, or four if a GPU trains.",
    )
    gpus: Annotated[tuple[int, ...] | None, notation.optional(notation.indices(), "all")] = _preference(
        Section.LIMITS,
        None,
        "The numbers of the GPUs that may train, counted from 0 and separated by commas. `idlebrush doctor` lists "
        "the GPUs.",
    )
    disk_limit: ByteLimit = _preference(Section.LIMITS, 20 * 10**9, "The most disk space that runs may use.")
    disk_free: Free = _preference(
        Section.LIMITS, 2 * 10**9, "Pause while less than this space is free on the disk."
    )
    ram_limit: _MemoryLimit = _preference(
        Section.MEMORY,
        None,
        "The most memory (RAM) that training may use.",
        is_simple=True,
    )
    ram_free: Free = _preference(
        Section.MEMORY, 512 << 20, "Release all memory when less than this is left for other programs."
    )
    vram_limit: _MemoryLimit = _preference(
        Section.MEMORY,
        None,
        "The most GPU memory that training may use.",
        is_simple=True,
    )
    gpu_headroom: Free = _preference(
        Section.MEMORY,
        1 << 30,
        "GPU memory kept free for other programs. If their use grows by more than this, or by half of it "
        "when almost none is free, training stops at once and releases all of its GPU memory.",
    )
    leave_in_memory: Annotated[float, notation.minutes(0, 24 * 60)] = _preference(
        Section.MEMORY, 10.0, "Training releases its memory after a pause of this length."
    )
    free_gpu_on_pause: OnOff = _preference(
        Section.MEMORY, False, "Release GPU memory at every pause. Resuming then takes longer."
    )
    upload: _RateLimit = _preference(
        Section.NETWORK, None, "The highest speed at which training may send data."
    )
    download: _RateLimit = _preference(
        Section.NETWORK, None, "The highest speed at which training may receive data."
    )
    monthly_quota: ByteLimit = _preference(
        Section.NETWORK,
        None,
        "The most data that training may send and receive in total in a calendar month.",
        is_simple=True,
    )
    metered_pause: OnOff = _preference(
        Section.NETWORK, True, "Pause while the connection is metered, such as a phone's."
    )
    listening_port: Annotated[int | None, notation.optional(notation.whole(1024, 65_535), "auto")] = (
        _preference(
            Section.NETWORK,
            None,
            "The port on which other peers reach this computer. auto: any free port.",
        )
    )
    upnp: OnOff = _preference(
        Section.NETWORK,
        True,
        "Ask the router (by UPnP or NAT-PMP) to forward the listening port to this computer, so that other peers can "
        "connect to it.",
    )
    remote_control: OnOff = _preference(
        Section.NETWORK,
        False,
        "Let your other computers control this one, once they are paired by a code: `idlebrush remote pair`.",
    )
    remote_port: Annotated[int, notation.whole(1024, 65_535)] = _preference(
        Section.NETWORK, 47_320, "The port on which your other computers reach this one."
    )
    start_at_login: OnOff = _preference(
        Section.START,
        False,
        "Start Idlebrush in the background when you log in.",
        is_simple=True,
    )
    updates: OnOff = _preference(
        Section.START,
        True,
        "Look for a newer version once a day, and install it while training is paused. It is never fetched on a "
        "metered connection.",
        is_simple=True,
    )


def describe(preferences: Preferences) -> tuple[PreferenceView, ...]:
    """Return every preference, in the order of its section."""
    return tuple(_view(preferences, field) for field in Preferences.model_fields)


def row_named(preferences: Preferences, name: str) -> PreferenceView:
    """Return one preference; raise PreferenceError if there is none of that name."""
    return _view(preferences, field_named(name))


def with_value(preferences: Preferences, name: str, text: str) -> Preferences:
    """Return the preferences with one of them changed by a text.

    Raise PreferenceError, which lists what is allowed, if the text stands for no such value.
    """
    field = field_named(name)
    try:
        value = _kind(field).read(text)
    except ValueError as error:
        quoted, allowed = shortened(text, QUOTE), excerpt(str(error))
        raise PreferenceError(f"{shown_name(field)} cannot be {quoted!r}.", f"It may be {allowed}.") from None
    return preferences.model_copy(update={field: value})


def shown_name(field: str) -> str:
    return field.replace("_", "-")


def field_named(name: str) -> str:
    """Return the field that a name means, written with dashes or underscores.

    Raise PreferenceError, which suggests another name, if there is no such field.
    """
    field = name.strip().lower().replace("-", "_")
    if field in Preferences.model_fields:
        return field
    import difflib

    begun = [known for known in Preferences.model_fields if field and known.startswith(field)]
    close = begun or difflib.get_close_matches(field, Preferences.model_fields, n=1)
    guess = f"Did you mean {shown_name(close[0])}? " if close else ""
    raise PreferenceError(
        f"There is no preference {shortened(name, QUOTE)!r}.",
        f"{guess}`idlebrush prefs show` lists all of them.",
    )


def _view(preferences: Preferences, field: str) -> PreferenceView:
    info, kind = Preferences.model_fields[field], _kind(field)
    extra = info.json_schema_extra
    assert isinstance(extra, dict)
    value, scale = getattr(preferences, field), kind.scale
    return PreferenceView(
        name=shown_name(field),
        section=Section(str(extra["section"])).name,
        is_simple=bool(extra["is_simple"]),
        value=kind.write(value),
        default=kind.write(info.default),
        allowed=kind.allowed,
        help=info.description or "",
        shape=kind.shape,
        choices=kind.choices,
        otherwise=kind.otherwise,
        empty=kind.empty,
        number=kind.number(value),
        least=scale.least if scale else None,
        most=scale.most if scale else None,
        is_whole=scale is not None and scale.is_whole,
        unit=scale.unit if scale else "",
    )


def _kind(field: str) -> PreferenceKind[Any]:
    (kind,) = Preferences.model_fields[field].metadata
    assert isinstance(kind, PreferenceKind)
    return kind
