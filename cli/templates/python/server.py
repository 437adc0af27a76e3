"""A server of the Model Context Protocol that greets, over the standard streams."""

from typing import Annotated

from libmcp import Field, Server

server = Server("{{name}}", version="0.1.0")


@server.tool
def greet(name: Annotated[str, Field("Who is greeted")]) -> str:
    """Greets a person by name."""
    return f"Hello, {name}!"


@server.resource("about://{{name}}")
def about() -> str:
    """What this server is."""
    return "A server that greets."


def main() -> None:
    server.run()


if __name__ == "__main__":
    main()
