"""The types of configurations and options: docs/reference/configuration.json, which comes from the definitions in `src`."""

from dataclasses import replace

from model import ANY, FLAG, NUMBER, OBJECT, TEXT, WHOLE, Definition, Member, Model, Type, capital, large_camel
from sources import Number, read_json

FILE = "docs/reference/configuration.json"
# The objects in the file: the names of their types, what stands before the names of objects within, and their comments.
ROOTS = {
    "client": ("Config", "", "The configuration of a client; docs/reference/configuration.md has more."),
    "queue": ("QueueConfig", "Queue", "The bounds of a queue that several clients share."),
    "call": ("CallOptions", "Call", "The options of one call."),
    "feature_call": ("FeatureOptions", "Feature", "What some calls of features have besides."),
    "server": ("ServerConfig", "Server", "The configuration of a server; docs/reference/server-configuration.md has more."),
    "telemetry": ("TelemetryOptions", "Telemetry", "What is recorded for OpenTelemetry."),
    "endpoint": ("Endpoint", "Endpoint", "Where and how a server serves."),
    "task": ("TaskOptions", "Task", "What a handler wants of the task that it becomes."),
}
# Keys whose values are types of the protocol, or which have several forms.
TYPED = {
    "protocol": Type("one_or_many", TEXT),
    "proxy": Type("either", (FLAG, TEXT)),
    "client.client": Type("named", "ClientInfo"),
    "client.capabilities": Type("named", "ClientCapabilities"),
    "client.roots": Type("list", Type("either", (TEXT, Type("named", "Root")))),
    "server.icons": Type("list", Type("named", "Icon")),
    "server.request_state.keys": Type("list", TEXT),
}
SIMPLE = {"boolean": FLAG, "number": NUMBER, "string": TEXT}


class Keys:
    """The model, and the times: the object, its key with `*` for any member, and the unit."""

    def __init__(self, protocol):
        self.model, self.durations = Model(), []
        objects = read_json(FILE)
        if objects.keys() != ROOTS.keys():
            raise SystemExit(f"{FILE} has other objects than ROOTS of {__file__}: {', '.join(objects.keys() ^ ROOTS.keys())}")
        for object in ROOTS:
            self.read(object, objects[object])
        info = [replace(it, is_required=False) for it in protocol.members("Implementation")]
        about = "What the server is told about the program. The library fills in what is absent."
        self.model.add(Definition("ClientInfo", about, "object", info))

    def read(self, object, keys):
        name, prefix, doc = ROOTS[object]
        within, sections = {}, {}
        for key in keys:
            path = key["key"]
            if any(it["key"].startswith(f"{path}.") for it in keys):
                sections[path] = section(prefix, path)
            of = TYPED.get(path) or TYPED.get(f"{object}.{path}") or kind(key, sections.get(path))
            if of.kind == "time":
                self.durations.append({"object": object, "key": path, "unit": of.of})
            elif of.kind == "map" and of.of.kind == "time":
                self.durations.append({"object": object, "key": f"{path}.*", "unit": of.of.of})
            owner, _, member = path.rpartition(".")
            within.setdefault(owner, []).append(Member(member, doc_of(key), of, zero_counts=zero_counts(key)))
        for owner, members in sorted(within.items()):
            about = f"The members of `{owner}`." if owner in sections else doc
            self.model.add(Definition(sections.get(owner, name), about, "object", members))

    def with_one_type_of_options(self):
        """The model with one type that has all options of calls: those that a feature does not have are refused by the library."""
        model = Model(self.model)
        members = self.model.members("CallOptions") + model.pop("FeatureOptions").members
        model["CallOptions"] = replace(model["CallOptions"], members=members)
        return model


def section(prefix, path):
    """The name of the object that is the value of a key."""
    name = large_camel(path)
    return f"{prefix}{name}{'' if name in ('Timeouts', 'Limits', 'Reconnect') else 'Config'}"


def kind(key, section=None):
    if key.get("enum"):
        return Type("words", tuple(key["enum"]))
    types = key["type"] if isinstance(key["type"], list) else [key["type"]]
    if types == ["boolean", "object"] and section:
        return Type("switch", section)
    kinds = [simple(it, key, section) for it in types]
    return kinds[0] if len(kinds) == 1 else Type("either", tuple(kinds))


def simple(name, key, section):
    if name == "integer":
        return Type("time", key["unit"]) if key.get("unit") in ("ms", "s") else WHOLE
    if name == "array":
        return Type("list", kind(key["items"]) if "items" in key else ANY)
    if name in SIMPLE:
        return SIMPLE[name]
    if name != "object":
        raise SystemExit(f"{FILE}: {key.get('key')}: {name} is no type")
    if section:
        return Type("named", section)
    if "values" in key:
        return Type("map", kind(key["values"]))
    return Type("map", OBJECT) if key.get("text") == "object of objects" else OBJECT


def doc_of(key):
    """The description, the bounds and the default."""
    doc = key.get("description", "").removesuffix(".") + "."
    unit = f" {key['unit']}" if "unit" in key else ""
    if "minimum" in key and "maximum" in key:
        doc += f" From {key['minimum']} to {key['maximum']}{unit}."
    default = key.get("default")
    if isinstance(default, bool):
        default = f"`{str(default).lower()}`"
    elif isinstance(default, Number):
        default = f"{default}{unit}"
    elif isinstance(default, str):
        default = f'`"{default}"`'
    default = key.get("default_text", default)
    if isinstance(default, str):
        doc += f" Default: {default}."
    return capital(doc) + (" A secret: it is in no log and no error." if key.get("secret") else "")


def zero_counts(key):
    """Whether zero or false, given, is something else than the default."""
    if key.get("type") == "boolean":
        return key.get("default") is not False
    default = key.get("default")
    is_zero = isinstance(default, Number) and float(default) == 0
    return "minimum" in key and float(key["minimum"]) == 0 and not is_zero
