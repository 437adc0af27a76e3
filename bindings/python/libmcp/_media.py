"""Content that tools and prompts give, made from bytes and files."""

from __future__ import annotations

import base64
import mimetypes
import os
import pathlib
import urllib.parse
from typing import Any, ClassVar


def _usual(name: str) -> str | None:
    """The MIME type that a file's name says; that of its compression where it has one, whatever is inside."""
    kind, encoding = mimetypes.guess_type(name)
    if encoding is None:
        return kind
    return "application/gzip" if encoding == "gzip" else "application/octet-stream"


class Media:
    """Bytes, or a file that is read when it is sent, with a MIME type: `format` is its second half, and else the name of the file
    says it."""

    _kind: ClassVar[str]
    #: Whether a format may be of another kind, as "txt" of a file is.
    _is_any: ClassVar[bool] = False
    _default: ClassVar[str]

    def __init__(
        self, data: bytes | None = None, *, path: str | os.PathLike[str] | None = None, format: str | None = None,
        mime_type: str | None = None,
    ) -> None:
        if (data is None) == (path is None):
            raise ValueError(f"{type(self).__name__} takes either data or a path")
        if data is not None and not isinstance(data, (bytes, bytearray, memoryview)):
            raise TypeError(f"the data of {type(self).__name__} must be bytes, not {type(data).__name__}; a file is path=...")
        self._data = data
        self.path = None if path is None else pathlib.Path(path)
        if mime_type is None and format is not None:
            usual = _usual(f"x.{format}")
            fits = usual is not None and (self._is_any or usual.startswith(f"{self._kind}/"))
            mime_type = usual if fits else f"{self._kind}/{format}"
        named = _usual(self.path.name) if self.path is not None else None
        self.mime_type: str = mime_type or named or self._default

    def read(self) -> bytes:
        return self.path.read_bytes() if self.path is not None else bytes(self._data or b"")

    def base64(self) -> str:
        return base64.b64encode(self.read()).decode()

    def block(self) -> dict[str, Any]:
        """The content block."""
        return {"type": self._kind, "data": self.base64(), "mimeType": self.mime_type}


class Image(Media):
    """An image, from bytes or a file: `Image(path="chart.png")`, `Image(png, format="png")`."""

    _kind = "image"
    _default = "image/png"


class Audio(Media):
    """A sound, from bytes or a file."""

    _kind = "audio"
    _default = "audio/wav"


class File(Media):
    """A file inside the content, from bytes or a file of this machine; a text where its MIME type says so and its bytes are UTF-8."""

    _kind = "application"
    _is_any = True
    _default = "application/octet-stream"

    def __init__(
        self, data: bytes | None = None, *, path: str | os.PathLike[str] | None = None, format: str | None = None,
        mime_type: str | None = None, name: str | None = None, uri: str | None = None,
    ) -> None:
        super().__init__(data, path=path, format=format, mime_type=mime_type)
        self.name = name or (self.path.name if self.path is not None else "file")
        self.uri = uri or (self.path.absolute().as_uri() if self.path is not None else f"file:///{urllib.parse.quote(self.name)}")

    def block(self) -> dict[str, Any]:
        contents: dict[str, Any] = {"uri": self.uri, "mimeType": self.mime_type}
        data = self.read()
        try:
            text = data.decode() if self.mime_type.startswith("text/") else None
        except UnicodeDecodeError:  # It says what it is, but a text of JSON would lose some of it.
            text = None
        if text is None:
            contents["blob"] = base64.b64encode(data).decode()
        else:
            contents["text"] = text
        return {"type": "resource", "resource": contents}
