"""A visitor's system by what browsers state, and the packages for it: tables of real headers."""

import pytest

from coordinator.packages.visitor import UNKNOWN, VisitorSystem, suggested, visitor_of, visitor_system
from core.packages_manifest import BuiltPackage, PackageKind, PackageMachine, PackageSystem
from tests.coordinator.packages.built import BUNDLE, DEB, INSTALLER, KINDS, RPM, TARBALL

X86, ARM = PackageMachine.X86_64, PackageMachine.ARM64
LINUX, WINDOWS, MACOS = PackageSystem.LINUX, PackageSystem.WINDOWS, PackageSystem.MACOS
CHROME = "AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36"


@pytest.mark.parametrize(
    ("agent", "platform", "seen"),
    [
        (f"Mozilla/5.0 (Windows NT 10.0; Win64; x64) {CHROME}", '"Windows"', VisitorSystem(WINDOWS, X86)),
        ("Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:145.0) Gecko/20100101 Firefox/145.0", "",
         VisitorSystem(WINDOWS, X86)),
        ("Mozilla/5.0 (Windows NT 10.0; WOW64; Trident/7.0; rv:11.0) like Gecko", "", VisitorSystem(WINDOWS, X86)),
        (f"Mozilla/5.0 (Windows NT 10.0; ARM64) {CHROME}", "", VisitorSystem(WINDOWS, ARM)),
        (f"Mozilla/5.0 (Windows NT 10.0) {CHROME}", "", VisitorSystem(WINDOWS)),
        (f"Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) {CHROME}", '"macOS"', VisitorSystem(MACOS)),
        ("Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) "
         "Version/18.5 Safari/605.1.15", "", VisitorSystem(MACOS)),
        ("Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0", "", VisitorSystem(LINUX, X86)),
        ("Mozilla/5.0 (X11; Ubuntu; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0", "",
         VisitorSystem(LINUX, X86, PackageKind.DEB)),
        ("Mozilla/5.0 (X11; Fedora; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0", "",
         VisitorSystem(LINUX, X86, PackageKind.RPM)),
        (f"Mozilla/5.0 (X11; Linux x86_64) {CHROME}", '"Linux"', VisitorSystem(LINUX, X86)),
        (f"Mozilla/5.0 (X11; Linux aarch64) {CHROME}", '"Linux"', VisitorSystem(LINUX, ARM)),
        ("Mozilla/5.0 (X11; Linux i686 on x86_64; rv:140.0) Gecko/20100101 Firefox/140.0", "",
         VisitorSystem(LINUX, X86)),
        ("Mozilla/5.0 (X11; Linux i686; rv:140.0) Gecko/20100101 Firefox/140.0", "", UNKNOWN),
        ("Mozilla/5.0 (X11; Linux armv7l) AppleWebKit/605.1.15 (KHTML, like Gecko) Safari/605.1.15", "", UNKNOWN),
        (f"Mozilla/5.0 (Linux; Android 10; K) {CHROME}", '"Android"', UNKNOWN),
        ("Mozilla/5.0 (Android 15; Mobile; rv:145.0) Gecko/145.0 Firefox/145.0", "", UNKNOWN),
        ("Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko)", "",
         UNKNOWN),
        (f"Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) {CHROME}", '"Chrome OS"', UNKNOWN),
        # A browser that hides its system in the one header, and states it in the other.
        (f"Mozilla/5.0 (X11; Linux x86_64) {CHROME}", '"Windows"', VisitorSystem(WINDOWS, X86)),
        (f"Mozilla/5.0 (Windows NT 10.0; Win64; x64) {CHROME}", '"Unknown"', VisitorSystem(WINDOWS, X86)),
        ("curl/8.14.1", "", UNKNOWN),
        ("Mozilla/5.0 (X11; FreeBSD amd64; rv:140.0) Gecko/20100101 Firefox/140.0", "", UNKNOWN),
        ("", "", UNKNOWN),
        ("x" * 5000 + "Windows NT 10.0", "", UNKNOWN),
    ],
)  # fmt: skip
def test_a_system_is_recognised_by_what_browsers_state(
    agent: str, platform: str, seen: VisitorSystem
) -> None:
    assert visitor_system(agent, platform) == seen


def test_headers_that_are_missing_tell_nothing() -> None:
    assert visitor_of({}) == UNKNOWN
    assert visitor_of({"User-Agent": "Mozilla/5.0 (X11; Linux x86_64)"}) == VisitorSystem(LINUX, X86)


def _package(name: str) -> BuiltPackage:
    kind = KINDS[name]
    machine = ARM if "arm64" in name else X86
    return BuiltPackage(
        file=name,
        system=kind.system,
        machine=machine,
        kind=kind,
        size=1,
        sha256="0" * 64,
        tried=True,
    )


@pytest.mark.parametrize(
    ("visitor", "names"),
    [
        (VisitorSystem(WINDOWS, X86), [INSTALLER]),
        (VisitorSystem(WINDOWS), [INSTALLER]),
        (VisitorSystem(WINDOWS, ARM), []),
        (VisitorSystem(LINUX, X86), [DEB, RPM, TARBALL]),
        (VisitorSystem(LINUX, X86, PackageKind.DEB), [DEB]),
        (VisitorSystem(LINUX, X86, PackageKind.RPM), [RPM]),
        (VisitorSystem(LINUX, ARM, PackageKind.RPM), []),
        (VisitorSystem(MACOS), [BUNDLE]),
        (UNKNOWN, []),
    ],
)
def test_the_packages_for_a_system_are_suggested(visitor: VisitorSystem, names: list[str]) -> None:
    found = suggested([_package(name) for name in KINDS], visitor)
    assert [package.file for package in found] == names


def test_other_kinds_are_suggested_where_a_distribution_has_none_of_its_own() -> None:
    found = suggested([_package(TARBALL)], VisitorSystem(LINUX, X86, PackageKind.RPM))
    assert [package.file for package in found] == [TARBALL]
