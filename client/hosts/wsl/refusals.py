"""Translates what wsl.exe writes when it refuses into an error with a remedy; its words come in the user's language.

wsl.exe names most errors by a path of codes, such as ``Wsl/Service/WSL_E_DISTRO_NOT_FOUND``, in every language. The
codes are from Microsoft's list of WSL's errors and from reports of users; nothing here was seen on a real Windows.
"""

from dataclasses import dataclass

from core.errors import ChildError

_MOST_QUOTED = 300
"""Characters of an unknown message that are repeated to the user."""


@dataclass(frozen=True)
class WslRefusal:
    """One way in which wsl.exe refuses."""

    codes: tuple[str, ...]
    """Texts of which one occurs in the message, in small letters."""
    what: str
    remedy: str
    nothing_runs: bool = False
    """True if no process can be left in the distribution then."""


MISSING = WslRefusal(
    (),
    "Windows' Subsystem for Linux, in which training runs, is not installed.",
    "Turn on WSL: `idlebrush doctor` tells how.",
    nothing_runs=True,
)
_KNOWN = (
    WslRefusal(
        ("wsl_e_distro_not_found", "no distribution with the supplied name"),
        "The part of Idlebrush that runs in Windows' Subsystem for Linux is missing.",
        "Start Idlebrush's setup for training again; it puts it back.",
        nothing_runs=True,
    ),
    WslRefusal(
        ("0x80370102", "hcs_e_hyperv_not_installed", "wsl_e_virtualization", "hcs_e_service_not_available"),
        "This computer's virtualisation is turned off, and training needs it.",
        "Turn on virtualisation (Intel VT-x, or AMD SVM) in the computer's firmware, and Windows' feature "
        "“Virtual Machine Platform”. Then restart.",
        nothing_runs=True,
    ),
    WslRefusal(
        (
            "0x8007019e",
            "0x8000000d",
            "wsl_e_wsl_optional_component_required",
            "wsl_e_not_installed",
            "wsl.exe --install",
            "wsl --install",
        ),
        MISSING.what,
        MISSING.remedy,
        nothing_runs=True,
    ),
    WslRefusal(
        ("error_disk_full", "0x80070070", "not enough space", "error_handle_disk_full"),
        "The disk is full, so Windows' Subsystem for Linux cannot start.",
        "Free some space on the disk of Windows.",
    ),
    WslRefusal(
        ("error_not_enough_memory", "0x800705aa", "0x8007000e", "insufficient system resources"),
        "Windows has too little free memory to start its Subsystem for Linux.",
        "Close other programs. Training starts again by itself.",
    ),
    WslRefusal(
        ("error_sharing_violation", "0x80070020"),
        "Another program uses the disk file of Idlebrush's distribution.",
        "Close programs that back up or scan that file, or restart the computer.",
    ),
    WslRefusal(
        ("mountvhd", "mountdisk", "error_file_not_found", "error_path_not_found", "0x80070002", "0x80070003"),
        "The disk file of Idlebrush's distribution is missing or damaged.",
        "Start Idlebrush's setup for training again; it puts it back. Runs and pictures are kept elsewhere.",
        nothing_runs=True,
    ),
    WslRefusal(
        ("e_accessdenied", "0x80070005", "access is denied"),
        "Windows does not allow this user to use its Subsystem for Linux.",
        "Ask the administrator of this computer to allow WSL.",
    ),
    WslRefusal(
        ("wsl_e_user_not_found", "wsl_e_vm_mode_invalid_state", "0x8004032d"),
        "Windows' Subsystem for Linux is being updated or set up.",
        "Wait a few minutes, or restart the computer.",
    ),
    WslRefusal(
        ("execvpe", "no such file or directory"),
        "Idlebrush's distribution lacks a program of this version.",
        "Start Idlebrush's setup for training again; it puts it back.",
    ),
)


def decoded(output: bytes) -> str:
    """Return what wsl.exe has written: UTF-16 from itself, UTF-8 from programs in the distribution."""
    sample = output[:200]
    is_wide = sample.startswith(b"\xff\xfe") or sample[1::2].count(0) > len(sample) // 4
    text = output.decode("utf-16-le" if is_wide else "utf-8", errors="replace")
    return text.replace("\ufeff", "").replace("\0", "").strip()


def refusal_of(output: bytes, status: int | None) -> WslRefusal:
    """Return the refusal for what wsl.exe has written, ``output``, and its exit status, None if it was ended."""
    small = decoded(output).lower()
    for refusal in _KNOWN:
        if any(code in small for code in refusal.codes):
            return refusal
    return WslRefusal(
        (),
        f"Windows' Subsystem for Linux does not start Idlebrush's program. {told_by(output, status)}",
        "Restart the computer. If it stays so, run `wsl --update` in a terminal, and see `idlebrush doctor`.",
    )


def told_by(output: bytes, status: int | None) -> str:
    """Return a sentence with what wsl.exe has written; its exit status if that is nothing."""
    told = " ".join(decoded(output).split())[:_MOST_QUOTED]
    return f"It wrote: “{told}”." if told else f"It wrote nothing; its exit status is {status}."


def refused(refusal: WslRefusal) -> ChildError:
    """Return the error to raise for ``refusal``."""
    return ChildError(refusal.what, refusal.remedy)
