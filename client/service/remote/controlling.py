"""The controlling side of remote control: the user's other computers, as this one sees and steers them."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

from client.api.answers import Done
from client.api.remote.computers import AddComputer, OrderComputer, RemoveComputer, ShowComputers
from client.remote.addresses import read_address, write_address
from client.remote.codes import read_code
from client.remote.identity import IdentityStore
from client.remote.kept import PairedComputers, named
from client.remote.pairing import clean_name
from client.service.context import Context
from client.service.remote.calling import CallTiming, ComputerLink
from client.service.remote.pairing import pair_with


class ControllingSide:
    """Pairs, watches and steers other computers, as front ends ask for it."""

    def __init__(
        self,
        context: Context,
        paired: PairedComputers,
        store: IdentityStore,
        timing: CallTiming,
        name: str,
    ) -> None:
        """Prepare; no computer is called before a front end asks.

        Args:
            context: What the daemon's parts share.
            paired: The paired computers.
            store: Loads this computer's identity.
            timing: Patience with other computers.
            name: Name of this computer for others.
        """
        self._context, self._paired, self._store = context, paired, store
        self._timing, self._name = timing, name
        self._links: dict[str, ComputerLink] = {}

    @property
    def by_kind(self) -> dict[type[Any], Callable[[Any], Awaitable[Done]]]:
        """The functions that answer requests about other computers, by the kind of request."""
        return {
            ShowComputers: self._show_computers,
            AddComputer: self._add_computer,
            RemoveComputer: self._remove_computer,
            OrderComputer: self._order_computer,
        }

    async def close(self) -> None:
        """End all connections."""
        await asyncio.gather(*(link.close() for link in self._links.values()))

    async def _show_computers(self, request: ShowComputers) -> Done:
        views = []
        for computer in self._paired.computers:
            link = self._link(computer.name)
            link.look()
            views.append(link.view)
        return Done(id=request.id, computers=tuple(views))

    async def _add_computer(self, request: AddComputer) -> Done:
        host, port = read_address(request.address)
        code = read_code(request.code.get_secret_value())
        identity = await self._store.load()
        found = await pair_with(host, port, code, identity, self._name, self._context.tasks)
        name = clean_name(request.name or found.name)
        known = self._paired.computers
        added = self._paired.add_computer(
            name, write_address(host, port), found.certificate, self._context.now()
        )
        await self._drop_links({item.name for item in known})
        text = f"{added.name} can be controlled from this computer."
        return Done(id=request.id, text=text, about=added.name)

    async def _remove_computer(self, request: RemoveComputer) -> Done:
        gone = self._paired.remove_computer(request.name)
        await self._drop_links({gone.name})
        return Done(id=request.id, text=f"{gone.name} was removed.")

    async def _order_computer(self, request: OrderComputer) -> Done:
        link = self._link(named(self._paired.computers, request.name).name)
        answer = await link.order(request.order)
        return answer.model_copy(update={"id": request.id})

    def _link(self, name: str) -> ComputerLink:
        if name not in self._links:
            computer = named(self._paired.computers, name)
            self._links[name] = ComputerLink(computer, self._store.load, self._context.now, self._timing)
        return self._links[name]

    async def _drop_links(self, names: set[str]) -> None:
        for name in names & self._links.keys():
            await self._links.pop(name).close()
