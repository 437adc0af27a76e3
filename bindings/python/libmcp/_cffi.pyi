# The extension module that build_native.py makes from include/mcp.h.
from typing import Any

ffi: Any
lib: Any
