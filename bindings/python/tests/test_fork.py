"""Workers that are forked from a process with clients, as multiprocessing, Celery and gunicorn do it."""

import asyncio
import multiprocessing
import os
import signal
import threading
import unittest
import warnings

import libmcp

from .support import PATIENCE, Web, example

WORKERS = 4


def use(url):
    """What a worker does: clients of its own, over pipes and HTTP, blocking and with an event loop."""
    with libmcp.Client(example()) as client:
        answers = [client.call_tool("echo", {"text": "pipes"}).text]
    with libmcp.Client({"url": url}) as client:
        answers.append(client.call_tool("echo", {"text": "HTTP"}).text)

    async def wait():
        async with libmcp.AsyncClient(example()) as client:
            return (await client.call_tool("echo", {"text": "loop"})).text

    answers.append(asyncio.run(wait()))
    return answers


def refuse(client):
    """What a worker is told that uses a client of its parent."""
    try:
        client.call_tool("echo", {"text": "x"})
    except libmcp.Error as error:
        return int(error.status)
    return 0


def work(client, url, number, results):
    try:
        results.put((number, refuse(client), use(url), refuse(client)))
    except BaseException as error:
        results.put((number, repr(error)))
        raise


@unittest.skipUnless("fork" in multiprocessing.get_all_start_methods(), "this system does not fork")
class Forking(unittest.TestCase):
    def setUp(self):
        # Python 3.12 and later warn about every fork of a process with threads. Here it is shown to work.
        caught = warnings.catch_warnings()
        caught.__enter__()
        self.addCleanup(caught.__exit__, None, None, None)
        warnings.simplefilter("ignore", DeprecationWarning)

    def fork_workers(self, client, url):
        context = multiprocessing.get_context("fork")
        results = context.Queue()
        expected = (int(libmcp.Status.FORKED), ["pipes", "HTTP", "loop"], int(libmcp.Status.FORKED))
        workers = []
        for number in range(WORKERS):
            workers.append(context.Process(target=work, args=(client, url, number, results)))
            workers[-1].start()
        try:
            told = sorted(results.get(timeout=PATIENCE) for _ in workers)
            self.assertEqual(told, [(number, *expected) for number in range(WORKERS)])
        finally:
            for worker in workers:
                worker.join(PATIENCE)
                worker.kill()
        self.assertEqual([worker.exitcode for worker in workers], [0] * WORKERS)

    def test_a_worker_makes_a_server_of_its_own(self):
        server = libmcp.Server("parent")
        server.tool(name="who")(lambda: "parent")
        context = multiprocessing.get_context("fork")
        results = context.Queue()

        def work():
            try:
                server.info()
            except libmcp.Error as error:
                results.put(int(error.status))
            own = libmcp.Server("child")
            own.tool(name="who")(lambda: "child")
            with own, libmcp.Client(server=own) as client:
                results.put(client.call_tool("who").text)

        with server, libmcp.Client(server=server) as client:
            worker = context.Process(target=work)
            worker.start()
            try:
                self.assertEqual(results.get(timeout=PATIENCE), int(libmcp.Status.FORKED))
                self.assertEqual(results.get(timeout=PATIENCE), "child")
            finally:
                worker.join(PATIENCE)
                worker.kill()
            self.assertEqual(worker.exitcode, 0)
            self.assertEqual(client.call_tool("who").text, "parent")

    def test_workers_make_clients_of_their_own(self):
        with Web() as server, libmcp.Client(example()) as client, libmcp.Client({"url": server.url}) as web:
            client.connect()
            web.connect()
            self.fork_workers(client, server.url)
            self.assertEqual(client.call_tool("echo", {"text": "parent"}).text, "parent")
            self.assertEqual(web.call_tool("echo", {"text": "parent"}).text, "parent")

    def test_workers_are_forked_while_other_threads_call(self):
        over = threading.Event()

        def call(client):
            while not over.is_set():
                client.call_tool("echo", {"text": "meanwhile"})

        with Web() as server, libmcp.Client(example()) as client, libmcp.Client({"url": server.url}) as web:
            threads = [threading.Thread(target=call, args=(each,)) for each in (client, client, web)]
            for thread in threads:
                thread.start()
            try:
                self.fork_workers(client, server.url)
            finally:
                over.set()
                for thread in threads:
                    thread.join()

    def test_a_child_waits_for_no_lock_that_a_thread_of_its_parent_had(self):
        """The driver has its lock most of the time while notifications come."""
        over = threading.Event()

        def flood():
            while not over.is_set():
                client.call_tool("notify", {"count": 500, "changes": False})

        def use():
            self.assertEqual(refuse(client), int(libmcp.Status.FORKED))
            client.close()
            self.assertEqual(client.state, libmcp.State.CLOSED)

        with libmcp.Client(example("--era", "legacy"), on_notification=lambda *_: None) as client:
            threads = [threading.Thread(target=flood) for _ in range(2)]
            for thread in threads:
                thread.start()
            try:
                for _ in range(50):
                    child = os.fork()
                    if child == 0:
                        signal.alarm(int(PATIENCE))
                        failure = 1
                        try:
                            use()
                            failure = 0
                        finally:
                            os._exit(failure)
                    self.assertEqual(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), 0)
            finally:
                over.set()
                for thread in threads:
                    thread.join()

    def test_a_child_ends_a_parents_client_without_harm(self):
        with libmcp.Client(example()) as client:
            client.connect()
            child = os.fork()
            if child == 0:
                try:
                    client.close()
                finally:
                    os._exit(0 if client.state == libmcp.State.CLOSED else 1)
            self.assertEqual(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), 0)
            self.assertEqual(client.call_tool("echo", {"text": "parent"}).text, "parent")
