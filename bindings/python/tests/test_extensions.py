import asyncio
import base64
import queue
import threading
import unittest

import libmcp

from .support import PATIENCE, example, scripted

TASKS = {"poll_min_ms": 5, "poll_ms": 20}
BEES = {"topic": "bees", "ms": 100, "poll_ms": 10}
ENDLESS = {"topic": "bees", "ms": 600_000}


class Tasks(unittest.TestCase):
    def test_a_call_becomes_a_task(self):
        for era in ("legacy", "modern"):
            with self.subTest(era):
                self.call_as_task(era)

    def call_as_task(self, era):
        announced, states = queue.Queue(), []
        config = scripted("--era", era, tasks=TASKS)
        with libmcp.Client(config, on_notification=lambda method, params: announced.put(params)) as client:
            result = client.call_tool("research", BEES, task=True, on_task=states.append)
            self.assertEqual(result.text, "researched bees")
            self.assertEqual([state["status"] for state in states], ["working", "completed"])
            name = states[0]["taskId"]
            while announced.get(timeout=PATIENCE).get("taskId") != name:
                pass
            self.assertEqual(client.get_task(name)["status"], "completed")
            self.assertEqual(client.task_result(name).text, "researched bees")
            if era == "legacy":
                self.assertEqual([task["taskId"] for task in client.tasks()], [name])
            else:
                self.assert_fails(libmcp.Status.UNSUPPORTED, lambda: list(client.tasks()))
            self.assert_fails(libmcp.Status.SERVER, lambda: client.get_task("unheard-of"))

    def assert_fails(self, status, work):
        with self.assertRaises(libmcp.Error) as caught:
            work()
        self.assertEqual(caught.exception.status, status)

    def test_a_task_is_cancelled_by_its_name(self):
        names, ended = queue.Queue(), queue.Queue()
        with libmcp.Client(scripted("--era", "legacy", tasks=TASKS)) as client:

            def call():
                try:
                    client.call_tool("research", ENDLESS, on_task=lambda state: names.put(state["taskId"]))
                except libmcp.Error as error:
                    ended.put(error.status)

            threading.Thread(target=call).start()
            client.cancel_task(names.get(timeout=PATIENCE))
            self.assertEqual(ended.get(timeout=PATIENCE), libmcp.Status.CANCELLED)
        with libmcp.Client(example()) as client:
            self.assert_fails(libmcp.Status.UNSUPPORTED, lambda: client.get_task("x"))


class Skills(unittest.TestCase):
    def test_a_skill_is_loaded_and_checked(self):
        for era in ("legacy", "modern"):
            with self.subTest(era), libmcp.Client(scripted("--era", era, "skills")) as client:
                self.use_skills(client)

    def use_skills(self, client):
        skills = list(client.skills())
        self.assertEqual(len(skills), 8)
        good = skills[0]
        self.assertEqual(good["frontmatter"]["name"], "good")
        self.assertIn("See references/more.md.", client.load_skill(good)["text"])
        self.assertEqual(client.read_skill_file(good, "references/more.md")["text"], "More: déjà vu.\n")
        blob = client.read_skill_file(good, "assets/all bytes.bin")["blob"]
        self.assertEqual(base64.b64decode(blob), bytes(range(256)))
        self.assertRaises(libmcp.InvalidArgument, client.read_skill_file, good, "../wrong-size/SKILL.md")
        for name, status in (("wrong-digest", libmcp.Status.PROTOCOL), ("dynamic", libmcp.Status.UNSUPPORTED)):
            entry = client.get_skill(f"skill://shelf/{name}/SKILL.md")
            with self.assertRaises(libmcp.Error) as caught:
                client.load_skill(entry)
            self.assertEqual(caught.exception.status, status)
        self.assertIn("name: dynamic", client.load_skill(entry, allow_dynamic=True)["text"])


class Async(unittest.IsolatedAsyncioTestCase):
    async def test_a_call_becomes_a_task_and_is_cancelled_with_it(self):
        for era in ("legacy", "modern"):
            async with libmcp.AsyncClient(scripted("--era", era, tasks=TASKS)) as client:
                states = []
                result = await client.call_tool("research", BEES, task=True, on_task=states.append)
                self.assertEqual(result.text, "researched bees")
                self.assertEqual([state["status"] for state in states], ["working", "completed"])
                name = states[0]["taskId"]
                self.assertEqual((await client.get_task(name))["status"], "completed")
                self.assertEqual((await client.task_result(name)).text, "researched bees")

                begun = asyncio.get_running_loop().create_future()

                def note(state, begun=begun):
                    if not begun.done():
                        begun.set_result(state["taskId"])

                call = asyncio.create_task(client.call_tool("research", ENDLESS, on_task=note))
                name = await asyncio.wait_for(begun, PATIENCE)
                call.cancel()
                with self.assertRaises(asyncio.CancelledError):
                    await call
                self.assertEqual((await client.get_task(name))["status"], "cancelled")

    async def test_a_skill_is_loaded_and_checked(self):
        async with libmcp.AsyncClient(scripted("skills")) as client:
            good = [skill async for skill in client.skills()][0]
            self.assertIn("# Good", (await client.load_skill(good))["text"])
            self.assertIn("More", (await client.read_skill_file(good, "references/more.md"))["text"])
            wrong = await client.get_skill("skill://shelf/wrong-size/SKILL.md")
            with self.assertRaises(libmcp.Error) as caught:
                await client.load_skill(wrong)
            self.assertEqual(caught.exception.details["check"], "size")
