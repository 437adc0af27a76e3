"""A server with three tools, a resource, a prompt and a question to the person: over the standard streams, or at a URL.

    python server.py                                # a client starts it
    python server.py http://127.0.0.1:8080/mcp      # clients connect
"""

import asyncio
import sys
from dataclasses import dataclass
from typing import Annotated, Literal

from libmcp import Context, Field, Server

server = Server("tea-house", version="1.0", instructions="Sells tea. Ask for the menu first.")
MENU = {"green": 2.5, "black": 2.0}


@dataclass
class Bill:
    """What an order costs."""

    tea: str
    cups: int
    total: float


@dataclass
class Wish:
    size: Literal["small", "large"]
    cups: Annotated[int, Field("How many cups", ge=1, le=9)] = 1


@server.tool
def price(tea: Literal["green", "black"]) -> float:
    """The price of a cup of tea.

    Args:
        tea: The kind of tea.
    """
    return MENU[tea]


@server.tool
async def brew(request: Context, minutes: Annotated[float, Field("How long", ge=0, le=10)]) -> str:
    """Brews tea and reports how far it is."""
    for step in range(1, 5):
        await asyncio.sleep(minutes * 60 / 4)  # A client that cancels the call cancels this.
        request.progress(step, 4, f"{25 * step} %")
    return "The tea is ready."


@server.tool
def order(request: Context, tea: Literal["green", "black"]) -> Bill:
    """Orders tea, after a question about its size."""
    wish = request.elicit(f"Which size of {tea} tea, and how many cups?", Wish)  # Written once for every revision.
    cups = wish.content.cups if wish.action == "accept" else 0
    return Bill(tea, cups, cups * MENU[tea])


@server.resource("tea://menu", mime_type="application/json")
def menu() -> dict[str, float]:
    """The menu."""
    return MENU


@server.prompt
def recommend(mood: Literal["tired", "cheerful"] = "tired") -> str:
    """Asks for a recommendation."""
    return f"I am {mood}. Which tea of tea://menu do you recommend?"


if __name__ == "__main__":
    server.run(*sys.argv[1:])
