import json
import unittest

from libmcp import Client

from server import server


class ServerTest(unittest.TestCase):
    def test_it_greets_and_says_what_it_is(self) -> None:
        with server, Client(server=server) as client:
            self.assertEqual(client.call_tool("greet", {"name": "Ada"}).text, "Hello, Ada!")
            self.assertIn("A server that greets.", json.dumps(client.read_resource("about://{{name}}")))


if __name__ == "__main__":
    unittest.main()
