"""Shows the JSON of libmcp's values in gdb.

    (gdb) source /opt/mcp/share/libmcp/mcp_gdb.py
    (gdb) print tool
    $1 = {"name": "echo"}

It knows mcp_value_t, mcp::value and mcp::document. A value holds no text, only a place in a message or document of the library:
gdb calls the library to get the text. Other threads do not run during that call. Without a running process, such as with a core
file, only the place is shown.

SPDX-License-Identifier: MIT OR Apache-2.0
"""

import re

import gdb
import gdb.types

# A longer text is cut off here if "set print elements" is unlimited: reading it takes gdb seconds.
MOST_BYTES = 1 << 20


class _Alone:
    """No thread but the selected one runs, whatever gdb is set to."""

    def __enter__(self):
        self._before = gdb.parameter("scheduler-locking")
        gdb.execute("set scheduler-locking on", to_string=True)

    def __exit__(self, *_):
        gdb.execute(f"set scheduler-locking {self._before}", to_string=True)


def _function(name, signature):
    """A function of the library, as a value that can be called. The library has no debug information, so the type is given."""
    address = int(gdb.parse_and_eval(f"(unsigned long) &{name}"))
    return gdb.parse_and_eval(f"({signature}) {address}").dereference()


def _can_call():
    thread = gdb.selected_thread()
    if thread is None or not thread.is_valid() or not thread.is_stopped():
        return False
    # A core file and a recording have threads but cannot run.
    target = gdb.selected_inferior().pid and gdb.execute("info target", to_string=True)
    return bool(target) and "core dump" not in target and "record-" not in target


def _text(value):
    """The JSON text of a value as the program wrote it; None if the value does not exist."""
    wanted = int(value["end"]) - int(value["start"])
    if int(value["owner"]) == 0 or wanted <= 0:
        return None
    process = gdb.selected_inferior()
    size = gdb.lookup_type("unsigned long").sizeof
    # The library writes the length to the top of the stack, which gets its content back: no memory needs to be allocated.
    place = int(gdb.parse_and_eval("(unsigned long) $sp"))
    before = bytes(process.read_memory(place, size))
    with _Alone():
        try:
            function = _function("mcp_value_json", "const char *(*)(mcp_value_t, unsigned long *)")
            pointer = gdb.Value(place).cast(gdb.lookup_type("unsigned long").pointer())
            start = function(value, pointer)
            length = int(pointer.dereference())
        finally:
            process.write_memory(place, before)
    if int(start) == 0:
        return None
    elements = gdb.parameter("print elements") or MOST_BYTES
    shown = bytes(process.read_memory(int(start), min(length, elements))).decode("utf-8", "replace")
    return shown if length <= elements else f"{shown}... ({length} bytes)"


class _ValuePrinter:
    def __init__(self, value):
        self._value = value

    def to_string(self):
        owner, start, end = (int(self._value[name]) for name in ("owner", "start", "end"))
        if owner == 0:
            return "absent"
        place = f"bytes {start} to {end} of handle {owner:#x}"
        try:
            text = _text(self._value) if _can_call() else place
        except (gdb.error, gdb.MemoryError) as error:
            return f"{place} ({error})"
        return "absent: its message or document was freed" if text is None else text


class _WrapperPrinter(_ValuePrinter):
    """mcp::value, which has the value of C as its only member."""

    def __init__(self, value):
        super().__init__(value["native_"])


class _DocumentPrinter:
    def __init__(self, value):
        self._value = value

    def to_string(self):
        # The first pointer in the unique_ptr, of any standard library, is the handle.
        handle = int(self._value["handle_"].address.cast(gdb.lookup_type("unsigned long").pointer()).dereference())
        if handle == 0:
            return "empty"
        try:
            if not _can_call():
                return f"document with handle {handle:#x}"
            with _Alone():
                value = _function("mcp_document_value", "mcp_value_t (*)(unsigned long)")(handle)
        except (gdb.error, gdb.MemoryError) as error:
            return f"document with handle {handle:#x} ({error})"
        return _ValuePrinter(value).to_string()


# The namespace within mcp is that of programs without exceptions; see mcp.hpp.
_PRINTERS = [
    (re.compile(r"^mcp_value_t$"), _ValuePrinter),
    (re.compile(r"^mcp::(without_exceptions::)?value$"), _WrapperPrinter),
    (re.compile(r"^mcp::(without_exceptions::)?document$"), _DocumentPrinter),
]


def libmcp(value):
    """The printer for a value, for gdb's list of printers."""
    known = value.type
    if known.code in (gdb.TYPE_CODE_REF, gdb.TYPE_CODE_RVALUE_REF):
        value, known = value.referenced_value(), known.target()
    names = [known.unqualified().name, gdb.types.get_basic_type(known).tag]
    for pattern, printer in _PRINTERS:
        if any(name and pattern.match(name) for name in names):
            return printer(value)
    return None


def _register():
    printers = (gdb.current_objfile() or gdb).pretty_printers
    # Loaded a second time, this file replaces what it loaded before.
    printers[:] = [it for it in printers if getattr(it, "__name__", "") != "libmcp"]
    printers.append(libmcp)


_register()
