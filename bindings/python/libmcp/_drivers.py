"""Who polls a server and runs its handlers: threads, or an event loop of asyncio."""

from __future__ import annotations

import asyncio
import queue
import threading
import weakref
from collections.abc import Awaitable
from typing import Any

from ._generated.abi import Status
from ._context import Context
from ._serving import Core, Held

#: How many messages are taken before other tasks of the loop have their turn.
TURN = 200
#: How long closing waits for handlers that still run, in seconds. A server is freed when the last one has ended.
PATIENCE = 5.0


class Threads:
    """Threads that poll, and run handlers that are no coroutines; coroutines run in an event loop on a thread of its own."""

    def __init__(self, core: Core, count: int) -> None:
        self._core = weakref.ref(core)
        self._held = core.held
        self._loop: asyncio.AbstractEventLoop | None = None
        self._starting = threading.Lock()
        self._threads = [
            threading.Thread(target=_poll, args=(self._held, self._core), name=f"libmcp server {number}", daemon=True)
            for number in range(1, count + 1)
        ]
        for thread in self._threads:
            self._held.enter("start")
            try:
                thread.start()
            except BaseException:
                self._held.leave()
                raise

    def submit(self, context: Context) -> None:
        if context._entry.is_async:
            loop = self._running_loop()
            loop.call_soon_threadsafe(_spawn, loop, context)
        else:
            context._core.run(context)

    def finish(self, context: Context, given: Awaitable[Any]) -> None:
        """Awaits what a function gave."""
        loop = self._running_loop()
        loop.call_soon_threadsafe(_spawn, loop, context, given)

    def _running_loop(self) -> asyncio.AbstractEventLoop:
        with self._starting:
            if self._loop is None:
                self._loop = asyncio.new_event_loop()
                threading.Thread(target=_run_loop, args=(self._loop,), name="libmcp handlers", daemon=True).start()
            return self._loop

    def wait(self, timeout: float | None = None) -> bool:
        """Until all that is served has ended. A signal interrupts it."""
        for thread in self._threads:
            thread.join(timeout)
        return not any(thread.is_alive() for thread in self._threads)

    def stop(self) -> None:
        """After the close. A handler that goes on for ever keeps its thread, and nothing else."""
        for thread in self._threads:
            if thread is not threading.current_thread():
                thread.join(PATIENCE)
        with self._starting:
            loop, self._loop = self._loop, None
        if loop is not None:
            loop.call_soon_threadsafe(_stop_loop, loop)


def _poll(held: Held, core: weakref.ref[Core]) -> None:
    """It knows the core only while a message is there, so that a forgotten server can be found."""
    try:
        while True:
            status, message = held.handle.poll(-1)
            if message is not None:
                found = core()
                if found is None:
                    message.free()
                else:
                    found.dispatch(message)
                    del found
            elif status < 0:
                return
    finally:
        held.leave()


#: Tasks under way: a loop itself does not keep them from the collector.
_tasks: set[asyncio.Task[None]] = set()


def _spawn(loop: asyncio.AbstractEventLoop, context: Context, given: Awaitable[Any] | None = None) -> None:
    task = loop.create_task(context._core.run_async(context, given))
    _tasks.add(task)
    task.add_done_callback(_tasks.discard)


def _run_loop(loop: asyncio.AbstractEventLoop) -> None:
    asyncio.set_event_loop(loop)
    try:
        loop.run_forever()
    finally:
        loop.close()


def _stop_loop(loop: asyncio.AbstractEventLoop) -> None:
    """Stops when its tasks have ended, which were cancelled, or after some time."""
    tasks = asyncio.all_tasks(loop)

    async def wait() -> None:
        if tasks:
            await asyncio.wait(tasks, timeout=PATIENCE)
        loop.stop()

    loop.create_task(wait())


class _Pool:
    """Threads for functions, started as they are needed. They are daemons: a function that goes on for ever does not keep the
    program from ending. What waits is bounded by the server's limits of requests."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._waiting: queue.SimpleQueue[Context | None] = queue.SimpleQueue()
        self._lock = threading.Lock()
        self._started = 0
        self._idle = 0

    def submit(self, context: Context) -> None:
        with self._lock:
            fresh = self._idle <= 0 and self._started < self._most
            if fresh:
                self._started += 1
            else:
                self._idle -= 1
        self._waiting.put(context)
        if fresh:
            threading.Thread(target=self._run, name="libmcp server", daemon=True).start()

    def _run(self) -> None:
        while True:
            context = self._waiting.get()
            if context is None:
                return
            context._core.run(context)
            del context
            with self._lock:
                self._idle += 1

    def stop(self) -> None:
        for _ in range(self._most):
            self._waiting.put(None)


class Loop:
    """An event loop that is the program's: it watches the server's descriptor. Handlers that are no coroutines run on threads."""

    def __init__(self, core: Core, threads: int) -> None:
        self._core = weakref.ref(core)
        self._held = core.held
        self.loop = asyncio.get_running_loop()
        self._pool = _Pool(threads)
        self.ended = asyncio.Event()
        self._held.enter("start")
        try:
            self._descriptor: int | None = self._held.handle.descriptor()
        except BaseException:
            self._held.leave()
            raise
        self.loop.add_reader(self._descriptor, _readable, weakref.ref(self))

    def submit(self, context: Context) -> None:
        if context._entry.is_async:
            _spawn(self.loop, context)
        else:
            self._pool.submit(context)

    def finish(self, context: Context, given: Awaitable[Any]) -> None:
        """Awaits what a function gave, which ran on a thread."""
        self.loop.call_soon_threadsafe(_spawn, self.loop, context, given)

    def turn(self) -> None:
        for _ in range(TURN if self._descriptor is not None else 0):
            status, message = self._held.handle.poll(0)
            if message is not None:
                found = self._core()
                if found is None:
                    message.free()
                else:
                    found.dispatch(message)
            elif status != Status.EMPTY:
                if status < 0:
                    self.unwatch()
                return
            else:
                return

    def unwatch(self) -> None:
        if self._descriptor is not None:
            self.loop.remove_reader(self._descriptor)
            self._descriptor = None
            self.ended.set()
            self._held.leave()

    def lose_loop(self) -> None:
        if self._descriptor is not None:
            self._descriptor = None
            self._held.leave()
        self._pool.stop()

    def stop(self) -> None:
        """After the close, in the loop."""
        if self._descriptor is not None:
            self.turn()
        self.unwatch()
        self._pool.stop()


def _readable(driver: weakref.ref[Any]) -> None:
    found = driver()
    if found is not None:
        found.turn()


def abandon(held: Held, drivers: list[Threads | Loop]) -> None:
    """The backstop for a server that was forgotten, perhaps together with its loop. The collector must not wait for clients."""

    def close() -> None:
        held.close(-1)
        for driver in drivers:
            if isinstance(driver, Threads):
                driver.stop()

    def unwatch() -> None:
        for driver in drivers:
            if isinstance(driver, Loop):
                driver.unwatch()

    for driver in drivers:
        if isinstance(driver, Loop):
            try:
                driver.loop.call_soon_threadsafe(unwatch)
            except RuntimeError:  # The loop is closed, and watches nothing.
                driver.lose_loop()
    threading.Thread(target=close, daemon=True).start()
