"""Content that tools and prompts give, made from bytes and files."""

from __future__ import annotations

import base64
import mimetypes
import os
import pathlib
from typing import Any, ClassVar


class Media:
    """Bytes, or a file that is read when it is sent, with a MIME type: `format` is its second half, and else the name of the file
    says it."""

    _kind: ClassVar[str]
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
            usual = mimetypes.guess_type(f"x.{format}")[0] or ""
            mime_type = usual if usual.startswith(f"{self._kind}/") else f"{self._kind}/{format}"
        named = mimetypes.guess_type(self.path.name)[0] if self.path is not None else None
        self.mime_type: str = mime_type or named or self._default

    def base64(self) -> str:
        data = self.path.read_bytes() if self.path is not None else self._data
        return base64.b64encode(data or b"").decode()

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
    """A file inside the content, from bytes or a file of this machine; a text where its MIME type says so."""

    _kind = "application"
    _default = "application/octet-stream"

    def __init__(
        self, data: bytes | None = None, *, path: str | os.PathLike[str] | None = None, format: str | None = None,
        mime_type: str | None = None, name: str | None = None, uri: str | None = None,
    ) -> None:
        super().__init__(data, path=path, format=format, mime_type=mime_type)
        self.name = name or (self.path.name if self.path is not None else "file")
        self.uri = uri or (self.path.absolute().as_uri() if self.path is not None else f"file:///{self.name}")

    def block(self) -> dict[str, Any]:
        contents: dict[str, Any] = {"uri": self.uri, "mimeType": self.mime_type}
        blob = self.base64()
        if self.mime_type.startswith("text/"):
            contents["text"] = base64.b64decode(blob).decode(errors="replace")
        else:
            contents["blob"] = blob
        return {"type": "resource", "resource": contents}
