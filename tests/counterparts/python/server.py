"""bindings/python/examples/server.py on the official SDK.

    python server.py                                # a client starts it
    python server.py http://127.0.0.1:8080/mcp      # clients connect
"""

import asyncio
import sys
from typing import Annotated, Literal
from urllib.parse import urlsplit

from mcp.server.mcpserver import AcceptedElicitation, Context, Elicit, ElicitationResult, MCPServer, Resolve
from pydantic import BaseModel, Field

server = MCPServer("tea-house", version="1.0", instructions="Sells tea. Ask for the menu first.")
Tea = Literal["green", "black"]
MENU = {"green": 2.5, "black": 2.0}


class Bill(BaseModel):
    """What an order costs."""

    tea: str
    cups: int
    total: float


class Wish(BaseModel):
    size: Literal["small", "large"]
    cups: int = Field(1, description="How many cups", ge=1, le=9)


@server.tool()
def price(tea: Annotated[Tea, Field(description="The kind of tea.")]) -> float:
    """The price of a cup of tea."""
    return MENU[tea]


@server.tool()
async def brew(context: Context, minutes: Annotated[float, Field(description="How long", ge=0, le=10)]) -> str:
    """Brews tea and reports how far it is."""
    for step in range(1, 5):
        await asyncio.sleep(minutes * 60 / 4)
        await context.report_progress(step, 4, f"{25 * step} %")
    return "The tea is ready."


async def ask(tea: Tea) -> Elicit[Wish]:
    return Elicit(f"Which size of {tea} tea, and how many cups?", Wish)


@server.tool()
def order(tea: Tea, wish: Annotated[ElicitationResult[Wish], Resolve(ask)]) -> Bill:
    """Orders tea, after a question about its size."""
    cups = wish.data.cups if isinstance(wish, AcceptedElicitation) else 0
    return Bill(tea=tea, cups=cups, total=cups * MENU[tea])


@server.resource("tea://menu", mime_type="application/json")
def menu() -> dict[str, float]:
    """The menu."""
    return MENU


@server.prompt()
def recommend(mood: Literal["tired", "cheerful"] = "tired") -> str:
    """Asks for a recommendation."""
    return f"I am {mood}. Which tea of tea://menu do you recommend?"


if __name__ == "__main__":
    if len(sys.argv) == 1:
        server.run()
    else:
        url = urlsplit(sys.argv[1])
        server.run("streamable-http", host=url.hostname, port=url.port, streamable_http_path=url.path)
