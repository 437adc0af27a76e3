"""What an asynchronous client offers, whatever event loop it belongs to."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Sequence
from typing import TYPE_CHECKING, Any

from . import _features
from ._generated.abi import State
from ._core import Core, Sink, call_options
from ._options import Options
from ._generated.protocol import (
    Completion,
    GetPromptResult,
    GetTaskResult,
    LoggingLevel,
    Prompt,
    Reference,
    Resource,
    ResourceContents,
    ResourceTemplate,
    Root,
    Task,
    Tool,
)
from ._elsewhere import CLIENT, Named
from .errors import Closed
if TYPE_CHECKING:
    from typing_extensions import Unpack


class AsyncFeatures(Named):
    """The methods of asynchronous clients."""

    _elsewhere = CLIENT
    _core: Core

    async def _wait(self, method: str, options: Options, start: Callable[[Sink], int]) -> Any:
        """Starts a call and waits for its outcome. A wait that is cancelled cancels the call."""
        raise NotImplementedError

    @property
    def state(self) -> State:
        """The state of the connection."""
        try:
            with self._core.using("state") as handle:
                return handle.state()
        except Closed:
            return State.CLOSED

    def info(self) -> dict[str, Any]:
        """What there is to know about the connection. It never waits."""
        with self._core.using("info") as handle:
            return handle.info()

    async def call(self, method: str, params: Any = None, **options: Unpack[Options]) -> Any:
        """Calls a method of the server and gives its result. When the task is cancelled, so is the call.

        timeout, max_total: seconds, or a timedelta. on_progress: a function, or a coroutine function, for each report.
        options: those of docs/reference/configuration.md, such as meta={…}, retry="safe" or when_unavailable="wait".
        """
        started = call_options("call", options)
        return await self._wait(method, options, lambda sink: self._core.start(method, params, started, sink))

    async def _use(self, use: _features.Use, options: Options) -> Any:
        started = call_options("feature_call", options)
        return await self._wait(use.operation, options, lambda sink: self._core.use(use, started, sink))

    def notify(self, method: str, params: Any = None) -> None:
        """Sends a notification. Needs a connection that is ready, and never waits."""
        with self._core.using(method) as handle:
            handle.notify(method, params)

    async def page(self, of: _features.Listed, **options: Unpack[Options]) -> _features.Page:
        """One page of a list: the first, or the one at `cursor`."""
        use, member = _features.LISTS[of]
        if options.get("cursor") is None:
            options = {**options, "one_page": True}
        return _features.page_of(await self._use(use, options), member)

    async def _list(self, use: _features.Use, member: str, options: Options) -> AsyncIterator[Any]:
        for entry in (await self._use(use, options)).get(member, []):
            yield entry

    def tools(self, **options: Unpack[Options]) -> AsyncIterator[Tool]:
        """The server's tools. A list is read whole, within "limits" of the configuration, when its first entry is asked for."""
        return self._list(*_features.TOOLS, options)

    def resources(self, **options: Unpack[Options]) -> AsyncIterator[Resource]:
        """The server's resources."""
        return self._list(*_features.RESOURCES, options)

    def resource_templates(self, **options: Unpack[Options]) -> AsyncIterator[ResourceTemplate]:
        """The server's resource templates."""
        return self._list(*_features.RESOURCE_TEMPLATES, options)

    def prompts(self, **options: Unpack[Options]) -> AsyncIterator[Prompt]:
        """The server's prompts."""
        return self._list(*_features.PROMPTS, options)

    async def call_tool(self, name: str, arguments: Any = None, **options: Unpack[Options]) -> _features.ToolResult:
        """Calls a tool. One that failed is no exception: see ToolResult.is_error and check(). A result that is not what the
        tool's outputSchema promises has the status PROTOCOL.

        With "tasks" in the configuration the call may become a task (docs/guide/tasks.md): task=True or False says whether it is to,
        and on_task is called with each state of the task.
        """
        return _features.ToolResult(await self._use(_features.tool(name, arguments), options))

    async def read_resource(self, uri: str, **options: Unpack[Options]) -> list[ResourceContents]:
        """The contents of a resource."""
        found: list[ResourceContents] = (await self._use(_features.read(uri), options)).get("contents", [])
        return found

    async def subscribe(self, uri: str, **options: Unpack[Options]) -> None:
        """Asks for "notifications/resources/updated" when a resource changes, on every revision. It outlives a reconnection."""
        await self._use(_features.subscribe(uri), options)

    async def unsubscribe(self, uri: str, **options: Unpack[Options]) -> None:
        """Ends what subscribe began."""
        await self._use(_features.unsubscribe(uri), options)

    def set_roots(self, roots: Sequence[str | Root]) -> None:
        """Tells the server in which folders it may work from now on. The configuration must have had roots.

        Deprecated in 2026-07-28, as all roots are (SEP-2577).
        """
        with self._core.using("roots") as handle:
            handle.set_roots(roots)

    async def get_prompt(self, name: str, arguments: dict[str, str] | None = None, **options: Unpack[Options]) -> GetPromptResult:
        """A prompt with its arguments filled in."""
        found: GetPromptResult = await self._use(_features.prompt(name, arguments), options)
        return found

    async def complete(
        self, of: Reference, argument: str, typed: str, settled: dict[str, str] | None = None, **options: Unpack[Options]
    ) -> Completion:
        """How an argument with the value typed so far may go on. `settled` are arguments that have their value already."""
        found: Completion = (await self._use(_features.completion(of, argument, typed, settled), options))["completion"]
        return found

    async def set_log_level(self, level: LoggingLevel, **options: Unpack[Options]) -> None:
        """Tells the server which log messages to send, on every revision. It outlives a reconnection.

        Deprecated in 2026-07-28, as all log messages are (SEP-2577).
        """
        await self._use(_features.log_level(level), options)

    async def ping(self, **options: Unpack[Options]) -> None:
        """Asks the server for a sign of life."""
        await self._use(_features.PING, options)

    def tasks(self, **options: Unpack[Options]) -> AsyncIterator[Task]:
        """The server's tasks (2025-11-25 only)."""
        return self._list(*_features.TASKS, options)

    async def get_task(self, name: str, **options: Unpack[Options]) -> GetTaskResult:
        """A task as it is now. `name` is its "taskId"."""
        found: GetTaskResult = await self._use(_features.task("get", name), options)
        return found

    async def task_result(self, name: str, **options: Unpack[Options]) -> _features.ToolResult:
        """What a task comes to, as call_tool would have given it. Giving this up leaves the task alone; cancel_task ends it."""
        return _features.ToolResult(await self._use(_features.task("result", name), options))

    async def cancel_task(self, name: str, **options: Unpack[Options]) -> None:
        """Tells the server that a task is no longer wanted. A call of this client is better cancelled by its task in the loop."""
        await self._use(_features.task("cancel", name), options)

    def skills(self, **options: Unpack[Options]) -> AsyncIterator[dict[str, Any]]:
        """The entries of the skills that the server lists; no file is read. docs/guide/skills.md says what is left to the program."""
        return self._list(*_features.SKILLS, options)

    async def get_skill(self, uri: str, **options: Unpack[Options]) -> dict[str, Any]:
        """The entry of a skill by the URI of its SKILL.md, also of one that is not listed."""
        found: dict[str, Any] = (await self._use(_features.skill(uri), options))["skill"]
        return found

    async def load_skill(self, skill: dict[str, Any], **options: Unpack[Options]) -> dict[str, Any]:
        """The SKILL.md of a skill, if its size, digest and front matter are as the entry says. It has "text".

        allow_dynamic=True takes a skill whose files the server makes up as it goes, which nothing vouches for.
        """
        found: dict[str, Any] = (await self._use(_features.skill_main(skill), options))["contents"][0]
        return found

    async def read_skill_file(self, skill: dict[str, Any], path: str, **options: Unpack[Options]) -> dict[str, Any]:
        """A file of a skill, checked in the same way, by its path in the skill's folder. It has "text", or "blob" as Base64."""
        found: dict[str, Any] = (await self._use(_features.skill_file(skill, path), options))["contents"][0]
        return found

    def clear_cache(self) -> None:
        """Drops every result that the client keeps ("cache" in the configuration)."""
        with self._core.using("cache") as handle:
            handle.clear_cache()
