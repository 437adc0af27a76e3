"""What is called otherwise in the official SDK and in FastMCP: an AttributeError says the name that it has here."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, ClassVar

#: Of clients: those of ClientSession, and of FastMCP's Client.
CLIENT = {
    "list_tools": 'tools(), which goes through all pages; page("tools") reads one',
    "list_resources": 'resources(), which goes through all pages; page("resources") reads one',
    "list_resource_templates": "resource_templates(), which goes through all pages",
    "list_prompts": "prompts(), which goes through all pages",
    "initialize": "connect(); the first call connects, too",
    "get_server_capabilities": 'info()["capabilities"]',
    "initialize_result": "info()",
    "send_ping": "ping()",
    "set_logging_level": "set_log_level(level)",
    "subscribe_resource": "subscribe(uri)",
    "unsubscribe_resource": "unsubscribe(uri)",
    "send_request": "call(method, params)",
    "send_notification": "notify(method, params)",
    "send_roots_list_changed": "set_roots(roots)",
}
#: Of servers: those of FastMCP, MCPServer and the low-level Server.
SERVER = {
    "add_tool": "tool(function)",
    "add_resource": "resource(uri)(function), add_text(uri, text) or add_blob(uri, data)",
    "add_template": 'resource("users://{name}")(function)',
    "add_prompt": "prompt(function)",
    "remove_tool": 'remove("tool", name)',
    "list_tools": "tool(function) offers a tool, and Client(server=server) lists them",
    "call_tool": "tool(function) offers a tool, and Client(server=server) calls it",
    "list_resources": "resource(uri)(function) offers a resource, and Client(server=server) lists them",
    "read_resource": "resource(uri)(function) offers a resource, and Client(server=server) reads it",
    "list_prompts": "prompt(function) offers a prompt, and Client(server=server) lists them",
    "get_prompt": "prompt(function) offers a prompt, and Client(server=server) gets it",
    "get_context": "a parameter of the type Context",
    "run_stdio_async": "run_async()",
    "run_http_async": 'run_async("http://127.0.0.1:8000/mcp")',
    "run_streamable_http_async": 'run_async("http://127.0.0.1:8000/mcp")',
    "http_app": "asgi(url)",
    "streamable_http_app": "asgi(url)",
    "sse_app": "asgi(url), which serves Streamable HTTP",
    "custom_route": "a route of the web framework that asgi(url) is mounted in",
}
#: Of contexts: those of FastMCP.
CONTEXT = {
    "report_progress": "progress(progress, total)",
    "debug": 'log("debug", text)',
    "warning": 'log("warning", text)',
    "error": 'log("error", text)',
    "elicit_url": "visit(message, url)",
    "list_roots": "roots()",
    "request_context": "params, meta and info()",
    "client_id": 'info()["principal"]',
    "session_id": 'info()["session"]',
    "get_state": "state",
    "set_state": "state",
}


class Named:
    """Has the names of others in its AttributeErrors, and no attribute of these names, so that `hasattr` stays right."""

    _elsewhere: ClassVar[Mapping[str, str]] = {}

    if not TYPE_CHECKING:  # A checker would take every attribute for one that is there.

        def __getattr__(self, name: str) -> Any:
            what = type(self).__name__
            known = self._elsewhere.get(name)
            why = f"; here it is {known}" if known else ""
            raise AttributeError(f"{what!r} object has no attribute {name!r}{why}", name=name, obj=self)
