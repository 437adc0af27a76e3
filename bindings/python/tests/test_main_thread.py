"""The main thread in a call: it takes its reply itself, hears signals, and leaves to the driver what is not its own."""

import os
import random
import resource
import signal
import sys
import threading
import time
import unittest
from pathlib import Path

import libmcp
from libmcp._inbox import PAUSE

from .support import PATIENCE, example, scripted, until

ANSWER = {"action": "accept", "content": {"answer": "done"}}


class Stop(BaseException):
    """What a signal handler of a program raises."""


def stop(*_):
    raise Stop


def is_main():
    return threading.current_thread() is threading.main_thread()


def descriptors():
    return len(os.listdir("/proc/self/fd")) - 1


def lowest_free_descriptor():
    free = os.dup(0)
    os.close(free)
    return free


def interrupt():
    """Has the main thread run its handler, whatever it waits for."""
    signal.pthread_kill(threading.main_thread().ident, signal.SIGUSR1)


@unittest.skipUnless(is_main(), "signals are handled by the main thread, which these tests need")
class MainThread(unittest.TestCase):
    def on_signal(self, handler):
        self.addCleanup(signal.signal, signal.SIGUSR1, signal.signal(signal.SIGUSR1, handler))

    def test_a_signal_handler_may_call_while_a_call_waits(self):
        inner, called = [], threading.Event()

        def call(*_):
            inner.append(client.call_tool("echo", {"text": "inner"}).text)
            called.set()

        def answer(_):
            interrupt()
            return ANSWER if called.wait(PATIENCE) else None

        self.on_signal(call)
        config = example("--era", "legacy", capabilities={"elicitation": {}})
        with libmcp.Client(config, on_request={"elicitation/create": answer}) as client:
            for _ in range(5):
                called.clear()
                self.assertEqual(client.call_tool("ask", {"question": "?"}).text, "done")
        self.assertEqual(inner, ["inner"] * 5)

    def test_a_signal_handler_may_wait_for_what_the_driver_gives(self):
        reports, ended = [], threading.Event()

        def work():
            client.call_tool("slow", {"ms": 40, "steps": 4}, on_progress=reports.append)
            ended.set()

        def wait(*_):
            threading.Thread(target=work, daemon=True).start()
            self.assertTrue(ended.wait(PATIENCE))

        def answer(_):
            interrupt()
            return ANSWER if ended.wait(PATIENCE) else None

        self.on_signal(wait)
        config = example("--era", "legacy", capabilities={"elicitation": {}})
        with libmcp.Client(config, on_request={"elicitation/create": answer}) as client:
            self.assertEqual(client.call_tool("ask", {"question": "?"}).text, "done")
        self.assertEqual([report["progress"] for report in reports], [1, 2, 3, 4])

    def test_a_signal_handler_may_close_the_client(self):
        self.on_signal(lambda *_: client.close())
        with libmcp.Client(scripted()) as client:
            client.connect()
            waits = threading.Thread(target=lambda: until(lambda: client.info()["pending_calls"] == 1) or interrupt())
            waits.start()
            self.assertRaises(libmcp.Closed, client.call_tool, "hang")
            waits.join(PATIENCE)

    def test_what_a_signal_handler_raises_ends_the_wait_and_nothing_else(self):
        self.on_signal(stop)
        with libmcp.Client(scripted()) as client:
            client.connect()
            for number in range(1, 6):
                waits = threading.Thread(target=lambda: until(lambda: client.info()["pending_calls"] == 1) or interrupt())
                waits.start()
                self.assertRaises(Stop, client.call_tool, "hang")
                waits.join(PATIENCE)
                until(lambda: client.info()["counters"]["cancelled"] == number)
                self.assertEqual(client.call_tool("echo", {"text": "on"}).text, "on")

    def test_an_exception_at_any_step_of_a_call_is_raised_and_leaves_nothing(self):
        """As a signal handler raises one, but at every step of the binding's code, one after another."""
        at, left, unraised, is_raised = 0, [], [], False

        def step(frame, event, _):
            nonlocal at, is_raised
            if event == "opcode":
                at -= 1
                if at == 0:
                    is_raised = True
                    raise Stop
            return step

        def enter(frame, *_):
            if Path(frame.f_code.co_filename).parent == Path(libmcp.__file__).parent:
                frame.f_trace_opcodes = True
                return step
            return None

        self.addCleanup(sys.settrace, sys.gettrace())
        self.addCleanup(setattr, sys, "unraisablehook", sys.unraisablehook)
        sys.unraisablehook = unraised.append
        for options in ({}, {"on_progress": lambda _: None}):
            with self.subTest(options), libmcp.Client(example()) as client:
                client.connect()
                core, inbox, count = client._core, client._driver.inbox, 0
                is_raised = True
                while is_raised:
                    count += 1
                    at, is_raised = count, False
                    try:
                        sys.settrace(enter)
                        client.call_tool("echo", {"text": "x"}, **options)
                    except Stop:
                        pass
                    else:
                        self.assertFalse(is_raised, f"step {count}: the exception was lost")
                    finally:
                        sys.settrace(None)
                    if inbox._bells or inbox._expected or core._calls or core._users:
                        left.append((count, inbox._bells, inbox._expected, core._calls, core._users))
                self.assertGreater(count, 100)
                self.assertEqual(left, [])
                self.assertEqual(unraised, [])
                self.assertEqual(client.call_tool("echo", {"text": "after"}).text, "after")
            self.assertTrue(core._is_freed)

    def test_a_call_that_is_told_of_progress_does_not_wait_for_calls_to_end(self):
        times = []
        with libmcp.Client(example()) as client:
            for _ in range(100):
                client.call_tool("echo", {"text": "x"})
                start = time.monotonic()
                client.call_tool("echo", {"text": "x"}, on_progress=lambda _: None)
                times.append(time.monotonic() - start)
        self.assertLess(sorted(times)[75], PAUSE / 2)

    def test_a_signal_handler_may_close_the_client_that_is_being_closed(self):
        self.on_signal(lambda *_: client.close())
        client = libmcp.Client(scripted())
        client.connect()
        close = client._core.begin_close

        def interrupted(timeout):
            client._core.begin_close = close
            status = close(timeout)
            signal.raise_signal(signal.SIGUSR1)
            return status

        client._core.begin_close = interrupted
        client.close()
        self.assertTrue(client._core._is_freed)

    def test_a_close_that_begins_after_another_has_freed_the_client_is_none(self):
        client = libmcp.Client(scripted())
        client.connect()
        core, close = client._core, client._core.begin_close

        def interrupted(timeout):
            core.begin_close = close
            signal.raise_signal(signal.SIGUSR1)
            self.assertTrue(core._is_freed)
            return close(timeout)

        self.on_signal(lambda *_: client.close())
        core.begin_close = interrupted
        client.close()
        self.assertEqual(core._users, {})

    def test_a_close_that_was_interrupted_is_done_by_the_next_or_when_the_client_is_forgotten(self):
        self.on_signal(stop)
        for is_forgotten in (False, True):
            client = libmcp.Client(scripted())
            client.connect()
            core, close = client._core, client._core.begin_close

            def interrupted(timeout, close=close):
                status = close(timeout)
                signal.raise_signal(signal.SIGUSR1)
                return status

            core.begin_close = interrupted
            self.assertRaises(Stop, client.close)
            self.assertFalse(core._is_freed)
            del core.begin_close
            if is_forgotten:
                del client
                until(lambda core=core: core._is_freed)
            else:
                client.close()
                self.assertTrue(core._is_freed)

    def test_a_request_without_a_thread_is_refused_and_the_client_goes_on(self):
        failures, start = [], threading.Thread.start

        def fail(thread):
            if thread.name == "libmcp request":
                raise RuntimeError("can't start new thread")
            start(thread)

        self.addCleanup(setattr, threading.Thread, "start", start)
        threading.Thread.start = fail
        config = example("--era", "legacy", capabilities={"elicitation": {}})
        handlers = {"elicitation/create": lambda _: ANSWER}
        with libmcp.Client(config, on_request=handlers, on_error=failures.append) as client:
            for _ in range(2):
                self.assertIn("the handler failed", client.call_tool("ask", {"question": "?"}, on_progress=lambda _: None).text)
            until(lambda: len(failures) == 2)
        self.assertEqual([str(failure) for failure in failures], ["can't start new thread"] * 2)

    def test_a_call_needs_no_descriptors(self):
        limits = resource.getrlimit(resource.RLIMIT_NOFILE)
        self.addCleanup(resource.setrlimit, resource.RLIMIT_NOFILE, limits)
        with libmcp.Client(scripted()) as client:
            client.connect()
            resource.setrlimit(resource.RLIMIT_NOFILE, (lowest_free_descriptor(), limits[1]))
            self.assertEqual(client.call_tool("echo", {"text": "x"}).text, "x")
            resource.setrlimit(resource.RLIMIT_NOFILE, limits)
            self.assertEqual(client.call_tool("echo", {"text": "x"}).text, "x")

    def test_signals_at_any_moment_lose_nothing_of_others(self):
        """Exceptions of a signal handler anywhere in a call of the main thread, while threads call and hear of progress."""
        handled, heard, failures = [], [], []
        going, calling = threading.Event(), threading.Event()
        stopped, answered = 0, 0

        def handle(*_):
            handled.append(None)
            raise Stop

        def work():
            try:
                while going.is_set():
                    reports = []
                    client.call_tool("slow", {"ms": 1, "steps": 3}, on_progress=reports.append)
                    heard.append(len(reports) == 3 and client.call_tool("echo", {"text": "x"}).text == "x")
            except BaseException as error:
                failures.append(error)

        def disturb():
            calling.wait(PATIENCE)
            pick = random.Random(1)
            for number in range(200):
                time.sleep(pick.random() * 0.003)  # The moment is what differs; nothing waits for it.
                interrupt()
                until(lambda: len(handled) > number)
            going.clear()

        self.on_signal(handle)
        going.set()
        threads = [threading.Thread(target=work) for _ in range(4)]
        with libmcp.Client(example()) as client:
            client.connect()
            for thread in threads:
                thread.start()
            threads.append(threading.Thread(target=disturb))
            threads[-1].start()
            while going.is_set():
                try:
                    calling.set()
                    while going.is_set():
                        self.assertEqual(client.call_tool("echo", {"text": "main"}).text, "main")
                        answered += 1
                except Stop:
                    stopped += 1
            for thread in threads:
                thread.join(PATIENCE)
                self.assertFalse(thread.is_alive())
            self.assertEqual(client.call_tool("echo", {"text": "after"}).text, "after")
        self.assertEqual(failures, [])
        self.assertTrue(heard and all(heard))
        self.assertGreater(stopped, 0)
        self.assertGreater(answered, 0)

    def test_more_messages_than_a_call_may_put_aside_come_in_order(self):
        # 64 for the call, and more than the driver takes at once.
        count, heard = 900, []
        with libmcp.Client(example("--era", "legacy"), on_notification=lambda _, params: heard.append(params)) as client:
            client.call_tool("notify", {"count": count, "changes": False})
            until(lambda: len(heard) == count)
        self.assertEqual([params["data"]["number"] for params in heard], list(range(1, count + 1)))

    def test_a_client_without_descriptors_is_told_so_and_leaves_nothing(self):
        before, limits = descriptors(), resource.getrlimit(resource.RLIMIT_NOFILE)
        self.addCleanup(resource.setrlimit, resource.RLIMIT_NOFILE, limits)
        threads, refused = threading.active_count(), 0
        free = lowest_free_descriptor()
        # One more for each step of a client's beginning, until it succeeds.
        for more in range(200):
            resource.setrlimit(resource.RLIMIT_NOFILE, (free + more, limits[1]))
            try:
                libmcp.Client(scripted()).close()
            except (OSError, libmcp.Error):
                refused += 1
                resource.setrlimit(resource.RLIMIT_NOFILE, limits)  # To count them takes one.
                until(lambda: descriptors() <= before and threading.active_count() <= threads)
            else:
                break
        else:
            self.fail("no client could be made")
        self.assertGreater(refused, 1)

    def test_a_call_that_waits_wakes_no_thread(self):
        with libmcp.Client(scripted()) as client:
            client.connect()
            status = Path(f"/proc/self/task/{client._driver._thread.native_id}/status")

            def waits():
                lines = status.read_text().splitlines()
                return int(next(line for line in lines if line.startswith("voluntary_ctxt_switches")).split()[1])

            before = waits()
            self.assertRaises(TimeoutError, client.call_tool, "hang", timeout=0.5)
            # The driver looks a few times whether the call goes on, and not every five milliseconds.
            self.assertLess(waits() - before, 20)
