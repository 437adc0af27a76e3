"""What users of the bindings call by hand, against the method table: each binding has a function for each method, or the method has a
reason why none is needed."""

import re

from sources import ROOT

# Where the functions of each binding are written by hand, how such a file ends, what a line that defines one has, and how names are spelt.
BINDINGS = [
    ("go", ".go", ["func "], "Name name"),
    ("java/src/main/java/io/libmcp", ".java", ["public "], "name"),
    ("lua/mcp", ".lua", ["function ", " = {"], "snake"),
    ("node/lib/types", ".d.ts", ["(", "?: "], "name"),
    ("python/libmcp", ".py", ["def ", ": "], "snake"),
    ("swift/Sources/MCP", ".swift", ["func ", "var ", "let "], "name"),
]
# Stands in the first line of what is written from the table and the schemas, and would name every method by itself.
GENERATED = "`cargo xtask bindings`"
# The names of the functions for a method, of which each binding has one. Spelt as in Java; Go's may begin with a capital. What begins with
# the folder of a binding is for that alone: in Java the functions of an extension are in a class that the function gives.
FUNCTIONS = {
    "TOOLS_LIST": ["listTools", "tools"],
    "TOOLS_CALL": ["callTool", "lua call"],
    "RESOURCES_LIST": ["listResources", "resources"],
    "TEMPLATES_LIST": ["listResourceTemplates", "resourceTemplates"],
    "RESOURCES_READ": ["readResource"],
    "SUBSCRIBE": ["subscribe"],
    "UNSUBSCRIBE": ["unsubscribe"],
    "PROMPTS_LIST": ["listPrompts", "prompts"],
    "PROMPTS_GET": ["getPrompt"],
    "COMPLETE": ["complete"],
    "SET_LEVEL": ["setLogLevel"],
    "SKILLS_LIST": ["listSkills", "skills"],
    "SKILLS_GET": ["getSkill", "java skills"],
    "TASKS_GET": ["getTask", "java tasks"],
    "TASKS_RESULT": ["taskResult", "java tasks"],
    "TASKS_LIST": ["listTasks", "tasks"],
    "TASKS_CANCEL": ["cancelTask", "java tasks"],
    "PING": ["ping"],
    "SAMPLING": ["onSampling", "sampling"],
    "ELICITATION": ["onElicitation", "elicitation"],
    "ROOTS": ["onRoots", "roots"],
    "ROOTS_CHANGED": ["setRoots"],
}
# Requests without a function of their own, and why.
EXCEPTIONS = {
    "DIRECTORY_READ": "few servers have it; `call` takes every method",
    "TASKS_UPDATE": "the library sends it with what a handler of the program has answered",
    "INITIALIZE": "the library performs the handshake",
    "DISCOVER": "the library asks when it connects; `info` has what was said",
    "LISTEN": "the library opens the stream for what `subscribe` and the handlers of notifications want",
}


def wrong(methods):
    """The methods without a function, or of which nothing is known here. Notifications come to one function for all."""
    known = FUNCTIONS.keys() | EXCEPTIONS.keys()
    ids = {it["id"] for it in methods}
    new = {it["id"] for it in methods if not it["is_notification"]} - known
    found = [f"{id} is neither among FUNCTIONS nor among EXCEPTIONS of bindings/generate/named.py" for id in sorted(new)]
    found += [f"bindings/generate/named.py tells of {id}, which is no method" for id in sorted(known - ids)]
    for folder, end, defines, spelling in BINDINGS:
        files = [it for it in (ROOT / "bindings" / folder).iterdir() if it.name.endswith(end) and not it.name.endswith("_test.go")]
        texts = [text for text in (it.read_text() for it in files) if GENERATED not in text.split("\n", 1)[0]]
        lines = [line for text in texts for line in text.split("\n") if not re.match(r"\s*[/*#]", line)]
        words = {word for line in lines if any(it in line for it in defines) for word in re.findall(r"\w+", line)}
        for id, names in FUNCTIONS.items():
            own = [name.split(" ")[-1] for name in names if " " not in name or name.startswith(folder.split("/")[0] + " ")]
            if not any(spelt(name, it) in words for name in own for it in spelling.split()):
                found.append(f"bindings/{folder} has no function for {id}: none of {', '.join(names)}")
    return found


def spelt(name, how):
    """`listTools` as `list_tools` or `ListTools`."""
    return re.sub("([A-Z])", r"_\1", name).lower() if how == "snake" else name[:1].upper() + name[1:] if how == "Name" else name
