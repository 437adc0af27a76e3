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

pub struct Case {
    pub name: &'static str,
    pub client: Client,
    pub era: Era,
    /// What this client cannot do.
    pub cannot: &'static [Reason],
}

const fn case(name: &'static str, client: Client, era: Era, cannot: &'static [Reason]) -> Case {
    Case { name, client, era, cannot }
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

pub const CASES: [Case; 14] = [
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
];
