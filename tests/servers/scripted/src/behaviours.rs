//! The table of behaviours: every name that a script may use, what it takes, and what it does. The deeds are elsewhere;
//! a name that is not here is refused at start.

/// What follows the name of a behaviour.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Takes {
    Nothing,
    /// `=N`, required.
    Number,
    /// `=N` or nothing, which means this number.
    NumberOr(u64),
    /// One of these words, or nothing.
    Word(&'static [&'static str]),
    /// `=TEXT`, required.
    Text,
    /// How to die: `=CODE`, `=sigN`, or nothing for exit code 1.
    Death,
}

pub struct Behaviour {
    pub name: &'static str,
    pub takes: Takes,
    pub about: &'static str,
}

const fn b(name: &'static str, takes: Takes, about: &'static str) -> Behaviour {
    Behaviour { name, takes, about }
}

/// Groups as `--help` shows them.
pub const GROUPS: &[(&str, &[Behaviour])] = &[
    ("start", START),
    ("handshake", HANDSHAKE),
    ("lists", LISTS),
    ("extensions", EXTENSIONS),
    ("reading and framing", WIRE),
    ("shutdown", SHUTDOWN),
    ("family", FAMILY),
];

const START: &[Behaviour] = &[
    b("exit-at-once", Takes::Death, "dies before it reads anything"),
    b("fail-starts", Takes::Number, "the first N starts die at once with code 1 (needs --state)"),
    b("only-first", Takes::Number, "after the first N starts every other behaviour is off (needs --state)"),
    b("ready-after", Takes::Number, "sleeps N ms before it reads stdin"),
    b(
        "banner",
        Takes::Nothing,
        "writes a banner, a BOM, blank lines and CRLF to stdout before anything else",
    ),
    b("stderr-at-start", Takes::Number, "writes N lines to stderr before it reads stdin"),
];

const HANDSHAKE: &[Behaviour] = &[
    b("exit-on-probe", Takes::Death, "dies when server/discover comes, without an answer"),
    b(
        "hang-on-probe",
        Takes::Word(&["late", "late-result"]),
        "never answers server/discover; =late answers it with an error right before the answer to initialize, \
         =late-result with a DiscoverResult",
    ),
    b("probe-after", Takes::Number, "answers server/discover after N ms"),
    b("probe-error", Takes::Number, "answers server/discover with error -N"),
    b("discover", Takes::Text, "answers server/discover with these supportedVersions, joined by +"),
    b(
        "refuse-probe",
        Takes::Text,
        "answers server/discover with -32022; TEXT is the supported list, joined by +",
    ),
    b("probe-empty", Takes::Nothing, "answers server/discover with the result {}"),
    b(
        "crash-before-initialize",
        Takes::Death,
        "dies after answering the probe, or when initialize comes first",
    ),
    b("crash-in-initialize", Takes::Death, "reads initialize and dies without an answer"),
    b("crash-after-initialize", Takes::Death, "answers initialize and dies"),
    b("crash-in-initialized", Takes::Death, "dies when notifications/initialized comes"),
    b("hang-on-initialize", Takes::Nothing, "never answers initialize"),
    b("initialize-after", Takes::Number, "answers initialize after N ms"),
    b("initialize-error", Takes::Number, "answers initialize with error -N"),
    b("initialize-version", Takes::Text, "answers initialize with this protocol version"),
    b(
        "unsupported-version",
        Takes::Text,
        "modern: answers every request with -32022; TEXT is the supported list, joined by +",
    ),
];

const LISTS: &[Behaviour] = &[
    b("cursor-loop", Takes::Nothing, "tools/list has the same nextCursor for ever"),
    b("endless-pages", Takes::Nothing, "tools/list has a new nextCursor for ever"),
    b("empty-cursor", Takes::Nothing, "tools/list has a cursor \"\", and would give another page for it"),
    b(
        "stateful",
        Takes::Text,
        "tools/list says that these tools are stateful (`mode`); TEXT is their names, joined by +",
    ),
    b("hang-on-list", Takes::Nothing, "never answers tools/list"),
    b("many-tools", Takes::Number, "tools/list has N tools more, on one page"),
];

const EXTENSIONS: &[Behaviour] = &[b(
    "skills",
    Takes::Nothing,
    "declares io.modelcontextprotocol/skills and serves skills, most of which are not what their entries say",
)];

const WIRE: &[Behaviour] = &[
    b("never-read", Takes::Nothing, "never reads stdin"),
    b("stop-reading", Takes::Nothing, "reads nothing more after notifications/initialized"),
    b("throttle", Takes::Number, "reads at most N bytes every 10 ms"),
    b("drip", Takes::Number, "writes one byte every N ms"),
    b(
        "bad-length",
        Takes::Word(&["text", "negative", "missing", "short", "long"]),
        "the Content-Length of tool answers is no number (default), negative, absent, too small, too big",
    ),
    b("huge-length", Takes::NumberOr(1 << 40), "the Content-Length of tool answers is N"),
];

const SHUTDOWN: &[Behaviour] = &[
    b("ignore-eof", Takes::Nothing, "lives on after stdin ends"),
    b("ignore-term", Takes::Nothing, "ignores SIGTERM (grandchild and wrapper too)"),
    b("slow-exit", Takes::Number, "exits N ms after stdin ends"),
    b("exit-code", Takes::Number, "exits with code N when stdin ends"),
    b("stdout-close", Takes::Nothing, "closes stdout after the handshake and lives on"),
];

const FAMILY: &[Behaviour] = &[
    b(
        "grandchild",
        Takes::Word(&["setsid"]),
        "starts a process that holds stdout and stderr open and lives on; =setsid in a session of its own",
    ),
    b("grandchild-exit-first", Takes::Death, "starts the grandchild and dies at once"),
    b(
        "wrapper",
        Takes::Word(&["exit"]),
        "serves from a child process and waits for it, as npx does; =exit does not wait",
    ),
    b("write-pid", Takes::Text, "appends the pid of every process it is or starts to this file, one a line"),
];

pub fn find(name: &str) -> Option<&'static Behaviour> {
    GROUPS.iter().flat_map(|(_, group)| group.iter()).find(|behaviour| behaviour.name == name)
}
