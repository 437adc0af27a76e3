"""Who takes the messages of a blocking client: its driver, or the main thread while it is in a call.

A thread other than the main one waits in the library for its reply. The main thread has to hear signals, which no wait in the library
does, so it waits for the client's descriptor and takes its reply itself, so that no other thread has to wake for it: it leads. What else
it finds there it leaves to the driver.
"""

from __future__ import annotations

import os
import select
import sys
from typing import Any

from ._cffi import ffi, lib
from ._native import Handle, Message

#: How many messages the driver takes at once.
BATCH = 64
#: How long the driver leaves the messages to calls that come one after another, in seconds. Without calls it waits without a limit.
PAUSE = 0.005


_REPLY: int = lib.MCP_PY_REPLY
_DRIVER: int = lib.MCP_PY_DRIVER
_LOST: int = lib.MCP_PY_LOST


#: What rings: the number 1, as Linux counts the rings of a descriptor; a pipe takes any bytes.
_RING = (1).to_bytes(8, sys.byteorder)


def _ends() -> tuple[int, int]:
    """What is waited for, and what is written to: one descriptor on Linux, else a pipe."""
    if sys.platform == "linux":
        both = os.eventfd(0, os.EFD_CLOEXEC | os.EFD_NONBLOCK)
        return both, both
    ends = os.pipe()
    for end in ends:
        os.set_blocking(end, False)
    return ends


class Bell:
    """What a thread waits for: the client's descriptor, and another thread that rings, with a descriptor of its own."""

    _ends: tuple[int, ...] = ()

    def __init__(self, descriptor: int) -> None:
        self._ends = _ends()
        self._both, self._alone = select.poll(), select.poll()
        self._both.register(descriptor, select.POLLIN)
        for poll in (self._both, self._alone):
            poll.register(self._ends[0], select.POLLIN)
        self.room: Any = ffi.new("mcp_py_message_t *")
        #: Whether its call leads, or may do so.
        self.leads = False

    def wait(self) -> None:
        """Until there are messages, or the bell rings. A signal runs its handler; what that raises ends the wait."""
        for descriptor, _ in self._both.poll():
            if descriptor == self._ends[0]:
                self._hear()

    def rings(self, timeout: float) -> bool:
        """Whether it rings within so many seconds."""
        heard = bool(self._alone.poll(timeout * 1000))
        if heard:
            self._hear()
        return heard

    def is_readable(self) -> bool:
        return bool(self._both.poll(0))

    def ring(self) -> None:
        try:
            os.write(self._ends[1], _RING)
        except BlockingIOError:
            pass  # It has been rung often enough.

    def _hear(self) -> None:
        try:
            os.read(self._ends[0], 64)
        except BlockingIOError:
            pass

    def __del__(self) -> None:
        # Not before: who rings holds it, and no lock, which a signal handler might find locked by its own thread.
        for end in {*self._ends}:
            os.close(end)


class Inbox:
    """The messages of one client. Methods that say so are for the driver, which is one thread."""

    def __init__(self, handle: Handle) -> None:
        self._descriptor = handle.descriptor()
        self._inbox = handle.inbox()
        #: The driver's, which others ring; None at the end.
        self._driver: Bell | None = Bell(self._descriptor)
        self._taken: Any = ffi.new("mcp_py_message_t[]", BATCH)
        self._status: Any = ffi.new("int32_t *")
        #: Whether a call led when the driver looked last.
        self._is_led: Any = ffi.new("int *")
        #: By the tag of its call, what wakes the leader; and those that are not in use.
        self._bells: dict[int, Bell] = {}
        self._spare: list[Bell] = []
        #: The tags of calls to which the driver gives their replies.
        self._expected: dict[int, None] = {}

    def lead(self, tag: int) -> bool:
        """Whether the call that is going to be started with `tag` takes its reply itself, by `reply`. In any case `follow` comes after it.

        A signal handler may interrupt a call that leads; its own calls do not."""
        try:
            bell = self._spare.pop() if self._spare else Bell(self._descriptor)
        except (IndexError, OSError):
            return False  # Another thread was quicker, or there are no descriptors: the driver can do without.
        self._bells[tag] = bell
        bell.leads = True
        bell.leads = bool(lib.mcp_py_lead(self._inbox, tag))
        return bell.leads

    def expect(self, tag: int) -> None:
        """The driver gives the call that is going to be started with `tag` its reply. `follow` comes after it."""
        self._expected[tag] = None
        self._hasten()

    def _hasten(self) -> None:
        """The driver is not to leave the messages to calls that may come."""
        driver = self._driver
        if self._expected and self._is_led[0] and driver is not None:
            driver.ring()

    def reply(self, tag: int) -> tuple[int, bytes | None] | None:
        """Waits for the reply of the call that leads; None when it does not lead any more, and the driver gives it its reply."""
        bell, driver = self._bells[tag], self._driver
        room = bell.room
        while True:
            bell.wait()
            found = lib.mcp_py_own(self._inbox, tag, room)
            if found & _DRIVER and driver is not None:
                driver.ring()
            if found & _REPLY:
                return room.status, None if room.json == ffi.NULL else ffi.unpack(room.json, room.length)
            if found & _LOST:
                return None

    def follow(self, tag: int) -> None:
        """Ends what `lead` and `expect` began, however the call has ended. It may be told more than once."""
        self._expected.pop(tag, None)
        bell = self._bells.get(tag)
        if bell is None:
            return
        if bell.leads:  # Else it would only wait, in a process that was forked for ever.
            lib.mcp_py_follow(self._inbox, tag, bell.room)
            self._hasten()
        self._bells.pop(tag)
        if self._driver is not None:
            self._spare.append(bell)

    def wait(self) -> None:
        """For the driver: until there may be something to take. While calls lead it looks from time to time whether they go on."""
        own = self._driver
        assert own is not None
        if not self._is_led[0]:
            own.wait()
            return
        steps = lib.mcp_py_steps(self._inbox, self._is_led)
        if own.rings(PAUSE) or lib.mcp_py_steps(self._inbox, self._is_led) != steps or not self._is_led[0]:
            return
        # The leader waits for a slow server, which is not to wake this thread again and again. Or a signal handler of the program runs
        # on its thread, perhaps with a call of its own, and the driver has to take the messages.
        if not own.is_readable():
            own.wait()
            return
        bell = self._bells.get(lib.mcp_py_revoke(self._inbox))
        if bell is not None:
            bell.ring()

    def take(self) -> tuple[int, list[Message]]:
        """For the driver: what there is, and why there is no more, as a status."""
        count = lib.mcp_py_take(self._inbox, self._taken, BATCH, self._status, self._is_led)
        return self._status[0], [Message(self._taken[index]) for index in range(count)]

    def end(self) -> None:
        """When the driver has ended, before the client is freed."""
        lib.mcp_py_inbox_end(self._inbox)
        self._driver = None
        self._spare.clear()
