"""What the bindings take from `include/mcp.h`, from the keys of configurations, from the method table and from the official schemas:
written from these and never by hand. `cargo xtask bindings` runs this; with --check it compares, and looks whether what is written by hand
has a function for each method.

`templates/PLACE.j2` makes `bindings/PLACE`; what other templates include has a name that begins with `_`. A further binding adds templates,
and a class that says how its language spells the types of a model.
"""

import re
import sys
from dataclasses import replace
from pathlib import Path

import named
import schema
import sources
from configuration import ROOTS, Keys
from languages import Go, Java, Python, Swift, TypeScript
from model import Model, large_camel, small_camel, words, wrapped

try:
    import jinja2
except ImportError:
    jinja2 = None

TEMPLATES = Path(__file__).parent / "templates"
# How this ends without Jinja2.
LACKS = 77


def block(doc, indent, columns=110):
    """A comment between `/**` and `*/`, on lines of its own; nothing of an empty text."""
    lines = wrapped(doc, columns - len(indent))
    if len(lines) < 2:
        return "".join(f"{indent}/** {line} */\n" for line in lines)
    return f"{indent}/**\n" + "".join(f"{indent} * {line}".rstrip() + "\n" for line in lines) + f"{indent} */\n"


def javadoc(doc, indent, tag=None):
    """A comment of javadoc, with the line of a tag."""
    doc = Java.escaped(doc or "As the specification has it.")
    if tag is None:
        return block(doc, indent, 116)
    # Longer than any line, so that only the ends of lines part it.
    return block("\n".join([*wrapped(doc, 116 - len(indent)), "", tag]), indent, 1 << 16)


def lines(doc, mark, columns):
    """A comment of lines."""
    return "".join(f"{mark} {line}".rstrip() + "\n" for line in wrapped(doc, columns))


def go_columns(text):
    """Fields of Go, whose names, types and tags have tabs between them, in columns as gofmt has them."""
    rows = [line.split("\t") for line in text.splitlines()]
    names, kinds = (max((len(row[at]) for row in rows if at < len(row)), default=0) for at in (0, 1))
    return "".join(f'\t\t{row[0]:{names}} {row[1]:{kinds}} `json:"{row[2]}"`\n' if len(row) == 3 else "".join(row) for row in rows)


def docstring(doc, indent):
    """A text of Python that documents what stands before it; nothing of an empty text."""
    lines = wrapped(doc.replace("\\", "\\\\").replace('"""', "'''"), 110 - len(indent))
    if len(lines) == 1 and not lines[0].endswith('"'):
        return f'{indent}"""{lines[0]}"""\n'
    said = f"\n{indent}".join(lines).replace(f"\n{indent}\n", "\n\n")
    return f'{indent}"""{said}\n{indent}"""\n' if lines else ""


def handle(kind, pointer):
    """`mcp_client_t *` as `ClientHandle`; nothing for what the program keeps (a struct, and what lives within a callback)."""
    found = re.fullmatch(r"(?:const )?mcp_(?!transport_)([a-z]+)_t" + re.escape(pointer), kind)
    return found and large_camel(found[1]) + "Handle"


def unknown(kind):
    raise SystemExit(f"mcp.h: the type {kind!r} is not known here; add it to the table of this template")


FILTERS = {
    "block": lambda doc, indent: block(doc.replace("*/", "* /"), indent),
    "docstring": docstring,
    "go_columns": go_columns,
    "go_doc": lambda doc, indent: lines(doc, f"{indent}//", 116),
    "go_name": Go.camel,
    "go_small": Go.small,
    "handle": handle,
    "java_constants": Java.constants,
    "java_text": Java.escaped,
    "java_type": Java.type_name,
    "javadoc": javadoc,
    "js_key": lambda name: name if re.fullmatch("[A-Za-z0-9_$]*", name) else f"'{name}'",
    "lines": str.splitlines,
    "slashes": lambda doc, indent: lines(doc, f"{indent}///", 112 - len(indent)),
    "small_camel": small_camel,
    "swift_case": Swift.case,
    "swift_cases": Swift.cases,
    "swift_name": Swift.escaped,
    "swift_type": Swift.type_name,
    "upper_snake": lambda name: "_".join(words(name)).upper(),
    "xml": lambda text: text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;"),
}


def context():
    """What the templates see."""
    header = sources.read("include/mcp.h")
    protocol, errors = schema.read_all()
    keys = Keys(protocol)
    one = keys.with_one_type_of_options()
    options = one["CallOptions"]
    # Who gives a function for progress wants it.
    without = Model(one, CallOptions=replace(options, members=[it for it in options.members if it.name != "progress"]))
    camel = Model(keys.model)
    for name in ("CallOptions", "FeatureOptions", "TaskOptions"):
        # Options that a program gives by their names in JavaScript.
        members = [replace(it, name=small_camel(it.name)) for it in camel[name].members]
        camel[name] = replace(camel[name], name=name.replace("Options", "Keys"), members=members)
    camel = Model({it.name: it for it in camel.values()})

    def types(language, config):
        return {"config": language(config).definitions(), "protocol": language(protocol).definitions()}

    return {
        "numbers": sources.numbers(header), "functions": sources.functions(header), "declarations": sources.declarations(header),
        "errors": errors,
        "go": {"config": Go(keys.model, "omitzero").definitions(), "protocol": Go(protocol, "omitempty").definitions()},
        "java": types(Java, one), "swift": types(Swift, without), "typescript": types(TypeScript, camel),
        "python": types(Python, keys.model) | {"durations": keys.durations, "roots": [(it, root[0]) for it, root in ROOTS.items()]},
    }


def main(checks):
    methods = sources.methods()
    wrong = named.wrong(methods) if checks else []
    if not jinja2:
        print(*wrong, "Jinja2, which bindings/generate/requirements.txt names, is missing", sep="\n", file=sys.stderr)
        sys.exit(1 if wrong else LACKS)
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(TEMPLATES), trim_blocks=True, lstrip_blocks=True, keep_trailing_newline=True,
        undefined=jinja2.StrictUndefined,
    )
    environment.filters |= FILTERS
    environment.tests |= {"startingwith": str.startswith, "endingwith": str.endswith}
    environment.globals["unknown"] = unknown
    seen = context() | {"methods": methods}
    for template in sorted(TEMPLATES.rglob("[!_]*.j2")):
        place = template.relative_to(TEMPLATES).with_suffix("")
        text = environment.get_template(f"{place}.j2").render(seen)
        path = sources.ROOT / "bindings" / place
        if not checks:
            path.write_text(text, encoding="utf-8")
            print(f"wrote bindings/{place}")
        elif path.read_text(encoding="utf-8") != text:
            wrong.append(f"bindings/{place} is out of date; run `cargo xtask bindings` and commit it")
    sys.exit("\n".join(wrong) or None)


main("--check" in sys.argv[1:])
