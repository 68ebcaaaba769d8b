"""Makes calls and receives signals over one D-Bus, for a process that runs for weeks.

The connection is opened at the first use, and again at the first use after it was lost. Every call has a time limit.
A listener gets `BusError` when the service or the bus ends, and has to subscribe again.
"""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Mapping
from pathlib import Path
from typing import Any, TypeVar

from jeepney import DBusAddress, MatchRule, Properties, new_method_call
from jeepney.io.asyncio import DBusConnection, open_dbus_connection

from client.api.errors import BusError
from client.machine.bus_link import BUS, BusLink, Subscription

T = TypeVar("T")

TIME_LIMIT = 2.0
"""Seconds to connect, or to wait for an answer."""
_REMEDY = "Start the client from within your desktop session, and check that D-Bus runs."


class Bus:
    """The system's bus, or that of the user's session."""

    def __init__(self, address: str, time_limit: float = TIME_LIMIT) -> None:
        """Prepare to connect to `address`: ``SYSTEM``, ``SESSION``, or such as ``unix:path=/run/user/1000/bus``."""
        self._address = address
        self._time_limit = time_limit
        self._link: BusLink | None = None
        self._opening = asyncio.Lock()

    async def call(
        self, name: str, path: str, interface: str, method: str, signature: str = "", *arguments: Any
    ) -> tuple[Any, ...]:
        """Answer of a method; BusError if there is none."""
        address = DBusAddress(path, bus_name=name, interface=interface)
        return await self._ask(
            await self._open(), new_method_call(address, method, signature or None, arguments)
        )

    async def value(
        self,
        kind: type[T],
        name: str,
        path: str,
        interface: str,
        method: str,
        signature: str = "",
        *arguments: Any,
    ) -> T:
        """Return the one value of type ``kind`` that the method answers.

        Raise BusError if it answers anything else.
        """
        answer = await self.call(name, path, interface, method, signature, *arguments)
        if len(answer) == 1 and isinstance(answer[0], kind):
            return answer[0]
        raise BusError(f"{name} sent an invalid answer to {method}.", "Update it, or report this.")

    async def get(self, name: str, path: str, interface: str, prop: str) -> Any:
        """Return the value of a property; raise BusError if there is none."""
        address = DBusAddress(path, bus_name=name, interface=interface)
        ((_, value),) = await self._ask(await self._open(), Properties(address).get(prop))
        return value

    @contextlib.asynccontextmanager
    async def signals(self, name: str, path: str, interface: str, member: str) -> AsyncIterator[Subscription]:
        """Give the bodies of the signals from now on; iterating raises BusError once service or bus are gone."""
        link = await self._open()
        subscription = Subscription(name, path, interface, member)
        rule = MatchRule(type="signal", sender=name, path=path, interface=interface, member=member)
        async with self._matching(link, _changes_of_owner(name)), self._matching(link, rule):
            link.subscribe(subscription)
            try:
                (subscription.owner,) = await self._call_bus(link, "GetNameOwner", name)
                yield subscription
            finally:
                link.unsubscribe(subscription)

    async def close(self) -> None:
        link, self._link = self._link, None
        if link:
            await link.close()

    async def _open(self) -> BusLink:
        async with self._opening:
            if self._link and not self._link.alive:
                await self.close()
            if not self._link:
                self._link = BusLink(await self._connect())
            return self._link

    async def _connect(self) -> DBusConnection:
        try:
            async with asyncio.timeout(self._time_limit):
                return await open_dbus_connection(self._address)
        except KeyError as error:
            raise BusError(
                f"No desktop's D-Bus is known here: {error.args[0]} is not set.", _REMEDY
            ) from error
        except (ValueError, RuntimeError) as error:
            raise BusError(
                f"No D-Bus can be found by the address {self._address}: {error}.", _REMEDY
            ) from error
        except (OSError, EOFError) as error:
            raise BusError(f"The D-Bus at {self._address} does not answer.", _REMEDY) from error

    @contextlib.asynccontextmanager
    async def _matching(self, link: BusLink, rule: MatchRule) -> AsyncIterator[None]:
        await self._call_bus(link, "AddMatch", rule.serialise())
        try:
            yield
        finally:
            with contextlib.suppress(BusError):
                await self._call_bus(link, "RemoveMatch", rule.serialise())

    async def _call_bus(self, link: BusLink, method: str, argument: str) -> tuple[Any, ...]:
        address = DBusAddress("/org/freedesktop/DBus", bus_name=BUS, interface=BUS)
        return await self._ask(link, new_method_call(address, method, "s", (argument,)))

    async def _ask(self, link: BusLink, message: Any) -> tuple[Any, ...]:
        try:
            async with asyncio.timeout(self._time_limit):
                return await link.ask(message)
        except TimeoutError as error:
            what = f"A service of D-Bus did not answer within {self._time_limit:g} s."
            raise BusError(what, "It is asked again later.") from error


def _changes_of_owner(name: str) -> MatchRule:
    rule = MatchRule(type="signal", sender=BUS, interface=BUS, member="NameOwnerChanged")
    rule.add_arg_condition(0, name)
    return rule


def session_address(environment: Mapping[str, str]) -> str:
    """Return the address of the desktop's bus.

    It is that of the environment, otherwise where systemd puts the bus for the logged-in user.
    """
    if address := environment.get("DBUS_SESSION_BUS_ADDRESS"):
        return address
    usual = Path(environment.get("XDG_RUNTIME_DIR", "")) / "bus"
    return f"unix:path={usual}" if usual.is_absolute() and usual.is_socket() else "SESSION"


def system_address(environment: Mapping[str, str]) -> str:
    """Return the address of the system's bus."""
    return environment.get("DBUS_SYSTEM_BUS_ADDRESS") or "SYSTEM"


def system_bus(environment: Mapping[str, str]) -> Bus:
    """Return the system's bus, which the caller closes."""
    return Bus(system_address(environment))


def session_bus(environment: Mapping[str, str]) -> Bus:
    """Return the bus of the user's session, which the caller closes."""
    return Bus(session_address(environment))
