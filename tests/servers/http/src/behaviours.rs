//! The table of behaviours: every name that a script may use, what it takes, and what it does. The deeds are elsewhere;
//! a name that is not here is refused.

/// What follows the name of a behaviour.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Takes {
    Nothing,
    /// `=N`, required.
    Number,
    /// One of these words, required.
    Word(&'static [&'static str]),
    /// `=TEXT`, required.
    Text,
    /// `=FAULT[*N]`: a fault of [`crate::faults`], for the first N times or always.
    Fault,
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
    ("a fault instead of the answer to", ON),
    ("connections", CONNECTIONS),
    ("answers", ANSWERS),
    ("sessions (legacy)", SESSIONS),
    ("authorization", AUTHORIZATION),
    ("modern era", MODERN),
    ("HTTP+SSE of 2024-11-05 (--shape sse)", OLD),
];

const ON: &[Behaviour] = &[
    b("on-any", Takes::Fault, "every request"),
    b("on-post", Takes::Fault, "every POST"),
    b("on-get", Takes::Fault, "every GET"),
    b("on-resume", Takes::Fault, "every GET with Last-Event-ID"),
    b("on-delete", Takes::Fault, "every DELETE"),
    b("on-probe", Takes::Fault, "server/discover"),
    b("on-initialize", Takes::Fault, "initialize"),
    b("on-initialized", Takes::Fault, "notifications/initialized"),
    b("on-list", Takes::Fault, "tools/list"),
    b("on-call", Takes::Fault, "tools/call"),
    b("on-cancelled", Takes::Fault, "notifications/cancelled"),
    b("on-answer", Takes::Fault, "an answer of the client to a request of ours"),
];

const CONNECTIONS: &[Behaviour] = &[
    b("black-hole", Takes::Nothing, "accepts connections and never reads"),
    b("idle-close", Takes::Number, "closes a connection that was idle for N ms, without a word"),
    b("close-after", Takes::Number, "closes each connection after N answers, without a word"),
    b(
        "close-at-random",
        Takes::Number,
        "closes a connection that was used before, without a word, instead of N in 100 answers, drawn from a fixed seed",
    ),
    b("stray", Takes::Nothing, "writes a whole answer that was not asked for a moment after each answer"),
    b("say-close-after", Takes::Number, "the same, with Connection: close on the last answer"),
    b("h2-streams", Takes::Number, "over HTTP/2 there may be N streams at a time (default 128)"),
];

const ANSWERS: &[Behaviour] = &[
    b("sse", Takes::Nothing, "answers every request as an event stream"),
    b("retry", Takes::Number, "event streams begin with retry: N"),
    b(
        "shape",
        Takes::Fault,
        "writes the answers of tools in the way of this fault, if it is one that is right",
    ),
    b(
        "stateful",
        Takes::Text,
        "tools/list says that these tools are stateful (`_meta.mode`); TEXT is their names, joined by +",
    ),
    b("page-size", Takes::Number, "tools/list has pages of N tools"),
];

const SESSIONS: &[Behaviour] = &[
    b("slow-initialized", Takes::Number, "takes notifications/initialized N ms after it came"),
    b("no-session", Takes::Nothing, "opens no session"),
    b(
        "session-id",
        Takes::Word(&["empty", "space", "tab", "latin", "long", "twice", "symbols"]),
        "the session id is empty, has a space, a tab, a byte over 127, 8192 bytes, comes twice with different values, or \
         is visible ASCII of every kind (valid)",
    ),
    b(
        "lose-session-after",
        Takes::Number,
        "each session is unknown after N requests, notifications included",
    ),
    b("unknown-400", Takes::Nothing, "an unknown session is 400 instead of 404, as with widely used servers"),
    b("any-session", Takes::Nothing, "asks for no session id"),
];

const AUTHORIZATION: &[Behaviour] = &[
    b("token", Takes::Text, "401 without Authorization: Bearer TEXT, 403 with another"),
    b(
        "login",
        Takes::Word(&["yes", "no"]),
        "401 without a token that a login gave; the server is its own authorization server, on whose page the person \
         says this",
    ),
    b("authorization-server", Takes::Text, "with login: another one, by its URL, and not this server"),
    b("login-resource", Takes::Text, "with login: tokens are for this resource, of another server"),
    b("login-for", Takes::Text, "with login: only calls of this tool want a token"),
    b(
        "service-key",
        Takes::Text,
        "with login: no person, but a service that signs assertions with ES256 gets tokens and may revoke them; TEXT is the 65 \
         bytes of its public key in Base64url",
    ),
    b(
        "dpop",
        Takes::Nothing,
        "with login: tokens are bound to the key that the client proves to have (ES256)",
    ),
];

const MODERN: &[Behaviour] = &[
    b(
        "cacheable",
        Takes::Word(&["public", "private"]),
        "results may be kept for an hour, for everybody or for who asked",
    ),
    b("stray-session", Takes::Nothing, "modern answers have an Mcp-Session-Id"),
    b("broken-tools", Takes::Nothing, "tools/list has tools whose x-mcp-header breaks each rule"),
    b(
        "late-header",
        Takes::Nothing,
        "the tool `moved` wants a header that the first tools/list does not tell of",
    ),
    b(
        "unsupported-version",
        Takes::Text,
        "answers every modern request with -32022; TEXT is the supported list, joined by +",
    ),
];

const OLD: &[Behaviour] = &[b(
    "endpoint",
    Takes::Text,
    "the data of the endpoint event, {session} filled in; `none` sends no such event",
)];

pub fn find(name: &str) -> Option<&'static Behaviour> {
    GROUPS.iter().flat_map(|(_, group)| group.iter()).find(|behaviour| behaviour.name == name)
}
