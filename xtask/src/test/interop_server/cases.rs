//! Which client is run in which era, and what it does not have.

/// What the programs of `tests/interop-server` try, by the names that they write.
pub const FEATURES: [&str; 25] = [
    "connect",
    "ping",
    "tools: pages",
    "tools: call",
    "tools: structured result",
    "tools: failure",
    "tools: wrong arguments",
    "tools: unknown",
    "tools: large result",
    "tools: printing handler",
    "progress",
    "cancellation",
    "log",
    "resources: list",
    "resources: templates",
    "resources: read",
    "resources: unknown",
    "resources: updates",
    "tools: list changes",
    "prompts",
    "completion",
    "sampling",
    "elicitation",
    "roots",
    "close",
];

/// What they try over HTTP too. `session ended` and `notification stream` are what the relay saw.
pub const HTTP_FEATURES: [&str; 3] =
    ["http: notification stream", "http: broken stream", "http: session ended"];

/// A feature that is missing, and why.
pub type Reason = (&'static str, &'static str);

/// The name that the server gives itself.
pub const NAME: &str = "mcp-interop-server";

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Client {
    TypeScript1,
    TypeScript2,
    Python1,
    Python2,
    FastMcp,
    Go,
    Rmcp,
    Inspector,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Era {
    Legacy,
    Modern,
}

impl Era {
    pub fn word(self) -> &'static str {
        match self {
            Self::Legacy => "legacy",
            Self::Modern => "modern",
        }
    }

    /// What client and server agree on.
    pub fn revision(self) -> &'static str {
        match self {
            Self::Legacy => "2025-11-25",
            Self::Modern => "2026-07-28",
        }
    }
}

/// How the client reaches the server.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Over {
    /// It starts the server.
    Pipes,
    /// The server runs at a URL.
    Http,
}

impl Over {
    pub fn features(self) -> impl Iterator<Item = &'static str> {
        let further: &[&str] = if self == Self::Http { &HTTP_FEATURES } else { &[] };
        FEATURES.iter().chain(further).copied()
    }
}

pub struct Case {
    pub name: &'static str,
    pub over: Over,
    pub client: Client,
    pub era: Era,
    /// What this client cannot do.
    pub cannot: &'static [Reason],
}

const fn case(name: &'static str, client: Client, era: Era, cannot: &'static [Reason]) -> Case {
    Case { name, over: Over::Pipes, client, era, cannot }
}

const fn http(name: &'static str, client: Client, era: Era, cannot: &'static [Reason]) -> Case {
    Case { name, over: Over::Http, client, era, cannot }
}

const NO_PING: Reason = ("ping", "the revision 2026-07-28 has no ping");

const FASTMCP_MODERN: [Reason; 3] = [
    NO_PING,
    ("resources: updates", "the client has no function for subscriptions/listen"),
    ("tools: list changes", "the client has no function for subscriptions/listen"),
];

const INSPECTOR: [Reason; 12] = [
    ("ping", "the command line has no such method"),
    ("tools: unknown", "the command line looks for the tool in the list and sends nothing"),
    ("progress", "the command line shows no progress"),
    ("log", "each run of the command line is a connection of its own, and it shows no notifications"),
    ("resources: unknown", "the command line prints a text of its own in place of the error code"),
    ("completion", "the command line has no such method"),
    ("cancellation", "the command line cannot cancel a call"),
    ("resources: updates", "the command line has no such method"),
    ("tools: list changes", "the command line shows no notifications"),
    ("sampling", "the command line has no model to ask"),
    ("elicitation", "the command line has no person to ask"),
    ("roots", "the command line cannot be told roots"),
];

const MODERN_HTTP: [Reason; 3] = [
    ("http: notification stream", "the revision 2026-07-28 has no stream by GET"),
    ("http: broken stream", "in 2026-07-28 a client that goes away has withdrawn its request"),
    ("http: session ended", "the revision 2026-07-28 has no sessions"),
];

const NO_PING_MODERN_HTTP: [Reason; 4] = joined([NO_PING], MODERN_HTTP);
const FASTMCP_MODERN_HTTP: [Reason; 6] = joined(FASTMCP_MODERN, MODERN_HTTP);
const INSPECTOR_MODERN_HTTP: [Reason; 15] = joined(INSPECTOR, MODERN_HTTP);
const GO_MODERN_HTTP: [Reason; 4] = joined(
    [("ping", "the revision 2026-07-28 has no ping, and the one that this client sends lacks its metadata")],
    MODERN_HTTP,
);
const INSPECTOR_HTTP: [Reason; 14] = joined(
    INSPECTOR,
    [
        ("http: broken stream", "the command line shows no progress, and asks for none"),
        ("http: session ended", "each run of the command line ends without DELETE"),
    ],
);

/// One table after another; `C` is the sum of `A` and `B`.
const fn joined<const A: usize, const B: usize, const C: usize>(
    first: [Reason; A],
    second: [Reason; B],
) -> [Reason; C] {
    let mut all = [NO_PING; C];
    let mut at = 0;
    while at < C {
        all[at] = if at < A { first[at] } else { second[at - A] };
        at += 1;
    }
    all
}

pub const CASES: [Case; 28] = [
    case("TypeScript 1.x, legacy", Client::TypeScript1, Era::Legacy, &[]),
    case("TypeScript 2.x, legacy", Client::TypeScript2, Era::Legacy, &[]),
    case("TypeScript 2.x, modern", Client::TypeScript2, Era::Modern, &[NO_PING]),
    case("Python 1.x, legacy", Client::Python1, Era::Legacy, &[]),
    case("Python 2.x, legacy", Client::Python2, Era::Legacy, &[]),
    case("Python 2.x, modern", Client::Python2, Era::Modern, &[NO_PING]),
    case("FastMCP, legacy", Client::FastMcp, Era::Legacy, &[]),
    case("FastMCP, modern", Client::FastMcp, Era::Modern, &FASTMCP_MODERN),
    case("Go, legacy", Client::Go, Era::Legacy, &[]),
    case("Go, modern", Client::Go, Era::Modern, &[]),
    case("rmcp, legacy", Client::Rmcp, Era::Legacy, &[]),
    case("rmcp, modern", Client::Rmcp, Era::Modern, &[NO_PING]),
    case("inspector --cli, legacy", Client::Inspector, Era::Legacy, &INSPECTOR),
    case("inspector --cli, modern", Client::Inspector, Era::Modern, &INSPECTOR),
    http("TypeScript 1.x, legacy, HTTP", Client::TypeScript1, Era::Legacy, &[]),
    http("TypeScript 2.x, legacy, HTTP", Client::TypeScript2, Era::Legacy, &[]),
    http("TypeScript 2.x, modern, HTTP", Client::TypeScript2, Era::Modern, &NO_PING_MODERN_HTTP),
    http("Python 1.x, legacy, HTTP", Client::Python1, Era::Legacy, &[]),
    http("Python 2.x, legacy, HTTP", Client::Python2, Era::Legacy, &[]),
    http("Python 2.x, modern, HTTP", Client::Python2, Era::Modern, &NO_PING_MODERN_HTTP),
    http("FastMCP, legacy, HTTP", Client::FastMcp, Era::Legacy, &[]),
    http("FastMCP, modern, HTTP", Client::FastMcp, Era::Modern, &FASTMCP_MODERN_HTTP),
    http("Go, legacy, HTTP", Client::Go, Era::Legacy, &[]),
    http("Go, modern, HTTP", Client::Go, Era::Modern, &GO_MODERN_HTTP),
    http("rmcp, legacy, HTTP", Client::Rmcp, Era::Legacy, &[]),
    http("rmcp, modern, HTTP", Client::Rmcp, Era::Modern, &NO_PING_MODERN_HTTP),
    http("inspector --cli, legacy, HTTP", Client::Inspector, Era::Legacy, &INSPECTOR_HTTP),
    http("inspector --cli, modern, HTTP", Client::Inspector, Era::Modern, &INSPECTOR_MODERN_HTTP),
];
