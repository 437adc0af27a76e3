"""What docstrings say: the description of a function, and of each of its parameters (Google's and Sphinx's styles)."""

from __future__ import annotations

import inspect
import re

_SECTIONS = re.compile(r"^(Args|Arguments|Parameters|Params|Returns?|Yields?|Raises|Examples?|Notes?)\s*:?\s*$")
_ARGUMENTS = ("Args", "Arguments", "Parameters", "Params")
_GOOGLE = re.compile(r"^(\*{0,2}\w+)\s*(\([^)]*\))?\s*:\s*(.*)$")
_SPHINX = re.compile(r"^:param\s+(?:[^:]*\s)?(\w+)\s*:\s*(.*)$")


def described(function: object) -> tuple[str, dict[str, str]]:
    """The description, and the parameters' ones by name."""
    text = inspect.getdoc(function) or ""
    description: list[str] = []
    parameters: dict[str, str] = {}
    section, current, indent = "", "", 0
    for line in text.splitlines():
        stripped = line.strip()
        heading = _SECTIONS.match(line)
        sphinx = _SPHINX.match(stripped)
        if heading is not None:
            section, current = heading[1], ""
        elif set(stripped) == {"-"} and section:
            continue
        elif sphinx is not None:
            section, current, indent = "Sphinx", sphinx[1], len(line) - len(line.lstrip())
            parameters[current] = sphinx[2]
        elif stripped.startswith(":") and not section.startswith("Arg") and re.match(r"^:(return|returns|rtype|raises?)\b", stripped):
            section, current = "Other", ""
        elif section in _ARGUMENTS:
            current, indent = _argument(line, parameters, current, indent)
        elif section == "Sphinx" and current and stripped:
            parameters[current] += f" {stripped}"
        elif not section:
            description.append(line)
    return "\n".join(description).strip(), {name: said.strip() for name, said in parameters.items() if said.strip()}


def _argument(line: str, parameters: dict[str, str], current: str, indent: int) -> tuple[str, int]:
    """A line of a section of arguments: the parameter that it is about, and how far its name is indented."""
    stripped = line.strip()
    depth = len(line) - len(line.lstrip())
    found = _GOOGLE.match(stripped)
    if found is not None and (not current or depth <= indent):
        name = found[1].lstrip("*")
        parameters[name] = found[3]
        return name, depth
    if current and stripped:
        parameters[current] = f"{parameters[current]} {stripped}".strip()
    return current, indent
