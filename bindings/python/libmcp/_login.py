"""What a login needs of the program."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from .errors import Error, InvalidArgument, text_of

if TYPE_CHECKING:
    from ._core import Core

LoginHandler = Callable[["Login"], Any]


class Login:
    """What the client needs to be let in by its server. Its handler gives the login up by raising.

    `kind` says what is wanted: "authorize" a person who opens `url` in a browser, "token" a token for the server, "assertion" a
    signed statement about the workload for `audience`, "subject" what shows at the identity provider who the person is.
    """

    def __init__(self, core: Core, body: bytes) -> None:
        self._core = core
        #: All of it as it came.
        self.raw: dict[str, Any] = json.loads(body)
        self.kind: str = self.raw.get("kind", "")
        #: The page to open. Give it only to the browser: do not log it, and do not pass it through a shell.
        self.url: str = self.raw.get("url", "")
        #: With "flow": "device", the code that the person enters at `verification_uri`, or that `url` has in it already.
        self.user_code: str = self.raw.get("user_code", "")
        #: Where the person enters `user_code`, in a browser of any device.
        self.verification_uri: str = self.raw.get("verification_uri", "")
        #: Where the browser is sent afterwards.
        self.redirect_uri: str = self.raw.get("redirect_uri", "")
        #: The library waits there itself. If not, the program hands what the browser was sent to to `complete`.
        self.listens: bool = bool(self.raw.get("listens"))
        self.issuer: str = self.raw.get("issuer", "")
        #: What the login is for, separated by spaces.
        self.scopes: str = self.raw.get("scopes") or ""
        #: How long the login waits for the person, in seconds.
        self.expires_in: float = self.raw.get("expires_in_ms", 0) / 1000
        self.audience: str = self.raw.get("audience") or ""
        #: The last credential was refused.
        self.refused: bool = bool(self.raw.get("refused"))

    def complete(self, callback_url: str) -> None:
        """Hands over where the browser came back to: the whole URL exactly as it was sent there, with its errors too."""
        with self._core.using("auth_complete") as handle:
            handle.auth_complete(callback_url)

    def give(self, credential: str, lasts: float | None = None) -> None:
        """Gives the credential that was asked for. `lasts` is how long it is good, in seconds, if that is known."""
        with self._core.using("auth_give") as handle:
            handle.auth_give(credential, -1 if lasts is None else int(lasts * 1000))

    def give_up(self, reason: str = "") -> None:
        """The login will not be finished: what waits for it ends with the status AUTH."""
        with self._core.using("auth_give_up") as handle:
            handle.auth_give_up(reason)

    def abandon(self, error: BaseException | str) -> None:
        """Gives up for a reason that may be anything. That the client was closed meanwhile is no fault."""
        try:
            self.give_up(error if isinstance(error, str) else text_of(error))
        except InvalidArgument:
            self.give_up()
        except Error:
            pass
