"""Mistakes that type checkers must find: each line has the comment that silences one, and a checker complains of needless ones."""

from libmcp import Client, Server


class LaterStore:
    async def load(self, key: str, lock: bool) -> str | None:
        return None

    async def save(self, key: str, text: str) -> None:
        pass

    async def unlock(self, key: str) -> None:
        pass


Client({"command": "x"}, login_store=LaterStore())  # type: ignore[arg-type]
Client({"comand": "x"})  # type: ignore[arg-type]
Client({"command": 3})  # type: ignore[arg-type]
Server("x", versoin="1")  # type: ignore[call-arg]
with Client({"command": "x"}) as client:
    client.call_tool("x", timeuot=3)  # type: ignore[call-arg]
    client.page("tool")  # type: ignore[arg-type]
    client.set_log_level("loud")  # type: ignore[arg-type]
