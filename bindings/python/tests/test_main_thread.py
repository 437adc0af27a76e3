"""The main thread in a call: it takes its reply itself, hears signals, and leaves to the driver what is not its own."""

import os
import random
import resource
import signal
import threading
import time
import unittest
from pathlib import Path

import libmcp

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
        threads = threading.active_count()
        # One for each step of a client's beginning, until it succeeds.
        for more in range(40):
            resource.setrlimit(resource.RLIMIT_NOFILE, (before + more, limits[1]))
            try:
                libmcp.Client(scripted()).close()
            except (OSError, libmcp.Error):
                until(lambda: descriptors() == before and threading.active_count() == threads)
            else:
                break
        else:
            self.fail("no client could be made")
        self.assertGreater(more, 1)

    def test_a_call_needs_no_descriptor_of_its_own(self):
        limits = resource.getrlimit(resource.RLIMIT_NOFILE)
        self.addCleanup(resource.setrlimit, resource.RLIMIT_NOFILE, limits)
        with libmcp.Client(scripted()) as client:
            client.connect()
            resource.setrlimit(resource.RLIMIT_NOFILE, (3, limits[1]))
            self.assertEqual(client.call_tool("echo", {"text": "x"}).text, "x")
            resource.setrlimit(resource.RLIMIT_NOFILE, limits)
            self.assertEqual(client.call_tool("echo", {"text": "y"}).text, "y")

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
