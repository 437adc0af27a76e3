//! What is tried with whom, and what must be seen.

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Server {
    Everything,
    /// Started the way its users do, through a launcher that starts a shell that starts the server.
    EverythingByNpx,
    Filesystem,
    Python1,
    Python2,
    /// Our own, to have one peer that needs nothing installed.
    Example,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    Works,
    /// The server does not speak what was asked for, or the tool says that it failed.
    IsRefused,
}

pub struct Case {
    pub name: &'static str,
    pub server: Server,
    pub protocol: &'static str,
    /// A tool and its arguments.
    pub call: Option<(&'static str, &'static str)>,
    pub outcome: Outcome,
    /// Each must be in the output, blanks joined.
    pub shows: &'static [&'static str],
}

const fn works(
    name: &'static str,
    server: Server,
    protocol: &'static str,
    call: (&'static str, &'static str),
    shows: &'static [&'static str],
) -> Case {
    Case { name, server, protocol, call: Some(call), outcome: Outcome::Works, shows }
}

const fn is_refused(name: &'static str, server: Server, protocol: &'static str) -> Case {
    Case { name, server, protocol, call: None, outcome: Outcome::IsRefused, shows: &[] }
}

pub const CASES: [Case; 9] = [
    // npm: the reference servers. They know the legacy era only, and answer server/discover with -32601.
    works(
        "everything, auto: falls back to the handshake and shows all it offers",
        Server::Everything,
        "auto",
        ("echo", r#"{"message":"hello from libmcp"}"#),
        &[
            "server mcp-servers/everything",
            "version 2.0.0",
            "revision 2025-11-25",
            "era legacy",
            "\nget-sum\n",
            "demo://resource/static/document/architecture.md",
            "demo://resource/dynamic/text/{resourceId}",
            "\nsimple-prompt\n",
            "echo says\nEcho: hello from libmcp",
        ],
    ),
    works(
        "everything through npx",
        Server::EverythingByNpx,
        "auto",
        ("echo", r#"{"message":"launched"}"#),
        &["server mcp-servers/everything", "Echo: launched"],
    ),
    is_refused("everything, modern: is told that it cannot", Server::Everything, "modern"),
    Case {
        name: "filesystem, legacy: a refusing tool is shown as failed",
        server: Server::Filesystem,
        protocol: "legacy",
        call: Some(("read_text_file", r#"{"path":"/etc/hostname"}"#)),
        outcome: Outcome::IsRefused,
        shows: &["Access denied"],
    },
    // Python SDK 1.x: the legacy era only; answers server/discover with -32602, not -32601.
    works(
        "python 1.x, auto: falls back to the handshake and shows all it offers",
        Server::Python1,
        "auto",
        ("add", r#"{"a":2,"b":3}"#),
        &[
            "server python-test-server",
            "version 1.30.0",
            "revision 2025-11-25",
            "era legacy",
            "\nnotify\n",
            "test://greeting",
            "test://items/{number}",
            "\nask\n",
            "\"sum\": 5",
        ],
    ),
    is_refused("python 1.x, modern: is told that it cannot", Server::Python1, "modern"),
    // Python SDK 2.x: both eras. Once it has seen a modern request it refuses the handshake on that connection.
    works(
        "python 2.x, auto: finds the modern era and shows all it offers",
        Server::Python2,
        "auto",
        ("add", r#"{"a":2,"b":3}"#),
        &[
            "server python-test-server",
            "revision 2026-07-28",
            "era modern",
            "\nnotify\n",
            "test://greeting",
            "test://items/{number}",
            "\nask\n",
            "\"sum\": 5",
        ],
    ),
    Case {
        name: "python 2.x, modern: a failing tool is shown as failed",
        server: Server::Python2,
        protocol: "modern",
        call: Some(("fail", r#"{"reason":"because"}"#)),
        outcome: Outcome::IsRefused,
        shows: &["fail says\nError executing tool fail: because"],
    },
    // Ours.
    works(
        "example server, auto",
        Server::Example,
        "auto",
        ("echo", r#"{"text":"Hi"}"#),
        &["revision 2026-07-28", "era modern", "echo says\nHi"],
    ),
];
