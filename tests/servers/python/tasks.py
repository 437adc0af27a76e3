"""A tool that runs as a task, for `features.py`: `research`, which takes as long as it is told.

1.x of the SDK has tasks of its own, as an experiment: those of 2025-11-25. 2.x has none, but extensions can be written for
it; below is as much of `io.modelcontextprotocol/tasks` as this tool needs.
"""

import asyncio
import uuid
from datetime import datetime, timezone

SCHEMA = {"type": "object", "properties": {"topic": {"type": "string"}, "seconds": {"type": "number"}}}


def serve_core_tasks(low) -> None:
    """Adds the tool to a server of 1.x, whose decorators know nothing of tasks."""
    from mcp import types

    low.experimental.enable_tasks()
    listed, called = low.request_handlers[types.ListToolsRequest], low.request_handlers[types.CallToolRequest]

    async def list_tools(request):
        answer = await listed(request)
        execution = types.ToolExecution(taskSupport="required")
        answer.root.tools.append(types.Tool(name="research", inputSchema=SCHEMA, execution=execution))
        return answer

    async def call_tool(request):
        if request.params.name != "research":
            return await called(request)
        context, arguments = low.request_context, request.params.arguments
        context.experimental.validate_task_mode("required")

        async def work(task):
            await task.update_status("reading")
            await asyncio.sleep(arguments["seconds"])
            text = types.TextContent(type="text", text=f"researched {arguments['topic']}")
            return types.CallToolResult(content=[text])

        return types.ServerResult(await context.experimental.run_task(work))

    low.request_handlers[types.ListToolsRequest] = list_tools
    low.request_handlers[types.CallToolRequest] = call_tool


def extension():
    """The extension for a server of 2.x."""
    from mcp.server.extension import Extension, MethodBinding, ToolBinding
    from mcp.server.mcpserver.server import require_client_extension
    from mcp.shared.exceptions import MCPError
    from mcp_types import INVALID_PARAMS, RequestParams

    class TaskParams(RequestParams):
        task_id: str

    class Tasks(Extension):
        identifier = "io.modelcontextprotocol/tasks"

        def __init__(self):
            self.known = {}

        def tools(self):
            async def research(topic: str, seconds: float) -> str:
                """Looks something up, as a task."""
                raise RuntimeError("a call of this tool becomes a task before it comes here")

            return [ToolBinding(research)]

        def methods(self):
            modern = frozenset(["2026-07-28"])
            served = {"tasks/get": self.get, "tasks/cancel": self.cancel}
            return [MethodBinding(name, TaskParams, handler, modern) for name, handler in served.items()]

        async def intercept_tool_call(self, params, ctx, call_next):
            if params.name != "research":
                return await call_next(ctx)
            require_client_extension(ctx, self.identifier)
            now, task = datetime.now(timezone.utc).isoformat(), str(uuid.uuid4())
            state = {"taskId": task, "status": "working", "createdAt": now, "lastUpdatedAt": now}
            self.known[task] = state | {"ttlMs": None, "pollIntervalMs": 50}
            work = self.work(self.known[task], params.arguments["topic"], params.arguments["seconds"])
            self.known[task]["work"] = asyncio.get_running_loop().create_task(work)
            return {"resultType": "task"} | self.state(task)

        async def work(self, task, topic, seconds):
            await asyncio.sleep(seconds)
            content = [{"type": "text", "text": f"researched {topic}"}]
            task |= {"status": "completed", "result": {"resultType": "complete", "content": content}}

        def state(self, task):
            if task not in self.known:
                raise MCPError(code=INVALID_PARAMS, message=f"there is no task {task}")
            return {name: value for name, value in self.known[task].items() if name != "work"}

        async def get(self, ctx, params):
            return {"resultType": "complete"} | self.state(params.task_id)

        async def cancel(self, ctx, params):
            if self.state(params.task_id)["status"] == "working":
                self.known[params.task_id]["work"].cancel()
                self.known[params.task_id]["status"] = "cancelled"
            return {"resultType": "complete"}

    return Tasks()
