"""A store for logins, and a signer, that are the program's own: the library asks them in messages, and each is answered."""

from __future__ import annotations

import base64
import inspect
from collections.abc import Awaitable, Callable
from contextlib import AbstractContextManager, nullcontext, suppress
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, Union

from . import _native
from ._generated.abi import Status
from .errors import Closed, Error, error_for, text_of

if TYPE_CHECKING:
    from ._core import Core

#: The kinds of messages that are answered one by one.
ASKED = frozenset({"load", "save", "unlock", "sign"})


class LoginStore(Protocol):
    """Stores logins where the program wants them: in a database, or in the keychain of the person.

    A method may take as long as a person does ("auth.patience_ms"). What raises fails what waits for the store, with the status
    AUTH, and is told as the failure of a handler. What is stored has tokens: do not log it. A `Client` calls each method on a
    thread of its own, and no two calls of a pair of `load` and `unlock` need the same thread.
    """

    def load(self, key: str, lock: bool, /) -> str | None:
        """The text that is stored under a key; None if nothing is. With `lock` it waits until no other `load` with `lock` holds
        the key, in this process or in another one, and from then on only this client may change the text, until `unlock`."""

    def save(self, key: str, text: str, /) -> None:
        """Stores a text in place of the current one, completely or not at all."""

    def unlock(self, key: str, /) -> None:
        """Ends the lock of a key. It is called once for each `load` with `lock` that returned, also if `save` failed or the client
        was closed meanwhile."""


class AsyncLoginStore(Protocol):
    """The same for `AsyncClient` and `AnyioClient`: the methods may be coroutine functions. They run in the loop, so a plain function
    must not block, and a lock that it waits for must be one of the loop's."""

    def load(self, key: str, lock: bool, /) -> str | None | Awaitable[str | None]: ...

    def save(self, key: str, text: str, /) -> None | Awaitable[None]: ...

    def unlock(self, key: str, /) -> None | Awaitable[None]: ...


class SignRequest(NamedTuple):
    """A text to sign."""

    #: "proof" for the key of "auth.dpop_key", "assertion" for the key that identifies the client ("auth.signer").
    purpose: str
    #: "ES256" or "RS256".
    algorithm: str
    #: What is signed; all its characters are ASCII.
    input: str
    #: The id of the key at the authorization server, if the configuration has one ("assertion").
    key_id: str
    #: Who the client is there ("assertion").
    client_id: str
    #: Whom the assertion is for. Sign only for an audience that the program trusts.
    audience: str


#: Gives the signature as bytes, 64 (r and s) for "ES256", as many as the key has for "RS256", or as their Base64url without
#: padding. For an assertion it may instead give a whole signed token, a text.
Signer = Callable[[SignRequest], Union[str, bytes]]
#: The same, or a coroutine function.
AsyncSigner = Callable[[SignRequest], Union[str, bytes, Awaitable[Union[str, bytes]]]]


async def _finished(given: Any, is_async: bool) -> Any:
    if not inspect.isawaitable(given):
        return given
    if is_async:
        return await given
    if inspect.iscoroutine(given):
        given.close()  # Else Python would say that no task has awaited it.
    raise TypeError("a Client takes plain functions here; coroutine functions are for AsyncClient and AnyioClient")


class Asked:
    """A message that the library waits for an answer to. Whatever the program's function does, it gets one."""

    def __init__(self, core: Core, said: dict[str, Any], message: _native.Message | None = None) -> None:
        self.kind: str = said["kind"]
        self._core = core
        self._said = said
        self._key: str = said.get("key") or ""
        #: At the end the lock of the key is to be released.
        self._releases = self.kind in ("save", "unlock") and core.take_lock(self._key)
        self._handle = message.keep() if message is not None else None

    @property
    def ends_with_the_client(self) -> bool:
        """A save and an unlock go on when the client is closed: a login would be lost, or a lock stay."""
        return self.kind in ("load", "sign")

    def serve_now(self, complain: Callable[[BaseException], Any]) -> None:
        """Asks the program on this thread."""
        with suppress(StopIteration):
            self.serve(complain, is_async=False).send(None)

    async def serve(
        self,
        complain: Callable[[BaseException], Any],
        *,
        is_async: bool = True,
        shield: Callable[[], AbstractContextManager[Any]] = nullcontext,
    ) -> None:
        """Asks the program and answers. `complain` gets what it is to be told of; a cancellation does not cancel what is below
        `shield`."""
        given: Any = None
        failure: BaseException | None = None
        try:
            try:
                given = await _finished(self._ask(), is_async)
            except Exception as error:
                failure = error
            except BaseException as error:
                if is_async:  # The task was cancelled, or the program is ending.
                    raise
                failure = error
            for failed in self._settle(given, failure):
                complain(failed)
        finally:
            self.drop()
            if self._releases:
                self._releases = False
                with shield():
                    await self._unlock(complain, is_async)

    def _ask(self) -> Any:
        handlers, said = self._core.handlers, self._said
        if self.kind == "unlock":
            return None
        if self.kind == "sign":
            if handlers.sign is None:
                raise self._without("function that signs: give the client 'on_sign'")
            return handlers.sign(SignRequest(*((said.get(name) or "") for name in SignRequest._fields)))
        if handlers.store is None:
            raise self._without("store for logins: give the client 'login_store'")
        if self.kind == "load":
            return handlers.store.load(self._key, bool(said.get("lock")))
        return handlers.store.save(self._key, said["text"])

    def _without(self, what: str) -> Exception:
        said = {"operation": self.kind, "message": f"{self.kind}: the program has no {what}"}
        return error_for(Status.INVALID_ARGUMENT, said)

    async def _unlock(self, complain: Callable[[BaseException], Any], is_async: bool) -> None:
        store = self._core.handlers.store
        try:
            if store is not None:
                await _finished(store.unlock(self._key), is_async)
        except Exception as error:
            complain(error)

    def _settle(self, given: Any, failure: BaseException | None) -> list[BaseException]:
        """Answers as the program's function ended. Gives what the program is to be told of."""
        failures: list[BaseException] = []
        locks = self.kind == "load" and bool(self._said.get("lock")) and failure is None
        if locks:
            self._core.locks.add(self._key)  # An "unlock" may come as soon as the library has the answer.
        answered = self._handle is None or self.kind == "unlock" or self._answer(given, failure, failures)
        if locks and not answered:
            self._releases = self._core.take_lock(self._key)
        return failures

    def _answer(self, given: Any, failure: BaseException | None, failures: list[BaseException]) -> bool:
        if failure is None:
            try:
                self._give(self._text(given), None)
                return True
            except Closed:
                return False
            except Exception as wrong:
                failure = wrong
        failures.append(failure)
        # After a text that cannot be sent the library still waits. That it no longer does is no fault.
        with suppress(Error):
            self._give(None, text_of(failure).replace("\0", "").encode(errors="replace").decode())
        return False

    def _text(self, given: Any) -> str | None:
        if self.kind == "save":
            return None
        if self.kind == "sign" and isinstance(given, bytes):
            return base64.urlsafe_b64encode(given).rstrip(b"=").decode()
        if isinstance(given, str):
            return given or None
        if self.kind == "load" and given is None:
            return None
        takes = "a text or None" if self.kind == "load" else "bytes or a text"
        raise TypeError(f"{self.kind}: the program's function gave a {type(given).__name__}; it must give {takes}")

    def _give(self, answer: str | None, failure: str | None) -> None:
        with self._core.using("auth_answer") as handle:
            handle.auth_answer(self._handle, answer, failure)

    def drop(self) -> None:
        """Frees the message. Without an answer, what waits for it fails."""
        handle, self._handle = self._handle, None
        if handle is not None:
            _native.free_message(handle)

    def __del__(self) -> None:
        self.drop()
