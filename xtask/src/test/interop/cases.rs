//! What is tried with whom, and what must be seen.

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Server {
    Everything,
    /// Started the way its users do, through a launcher that starts a shell that starts the server.
    EverythingByNpx,
    Filesystem,
    Memory,
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
    /// A tool and its arguments; `{folder}` stands for the folder of the tests.
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

pub const CASES: [Case; 25] = [
    // npm: the reference servers. All three know the legacy era only, and answer server/discover with -32601.
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
        "everything, legacy: calls a tool with numbers",
        Server::Everything,
        "legacy",
        ("get-sum", r#"{"a":2,"b":3}"#),
        &["revision 2025-11-25", "era legacy", "The sum of 2 and 3 is 5."],
    ),
    works(
        "everything, auto: calls a tool that runs as a task only",
        Server::Everything,
        "auto",
        ("simulate-research-query", r#"{"topic":"bees"}"#),
        &["revision 2025-11-25", "simulate-research-query says", "Research Report: bees"],
    ),
    works(
        "everything, 2024-11-05: the oldest revision",
        Server::Everything,
        "2024-11-05",
        ("echo", r#"{"message":"old"}"#),
        &["revision 2024-11-05", "Echo: old"],
    ),
    works(
        "everything through npx",
        Server::EverythingByNpx,
        "auto",
        ("echo", r#"{"message":"launched"}"#),
        &["server mcp-servers/everything", "Echo: launched"],
    ),
    is_refused("everything, modern: is told that it cannot", Server::Everything, "modern"),
    works(
        "filesystem, auto: reads a file",
        Server::Filesystem,
        "auto",
        ("read_text_file", r#"{"path":"{folder}/served/note.txt"}"#),
        &[
            "server secure-filesystem-server",
            "revision 2025-11-25",
            "era legacy",
            "\nread_text_file\n",
            "read_text_file says\nread through libmcp",
        ],
    ),
    works(
        "filesystem, legacy: says what it may see",
        Server::Filesystem,
        "legacy",
        ("list_allowed_directories", "{}"),
        &["era legacy", "/served"],
    ),
    Case {
        name: "filesystem, legacy: a refusing tool is shown as failed",
        server: Server::Filesystem,
        protocol: "legacy",
        call: Some(("read_text_file", r#"{"path":"/etc/hostname"}"#)),
        outcome: Outcome::IsRefused,
        shows: &["Access denied"],
    },
    is_refused("filesystem, modern: is told that it cannot", Server::Filesystem, "modern"),
    works(
        "memory, auto: remembers",
        Server::Memory,
        "auto",
        (
            "create_entities",
            r#"{"entities":[{"name":"libmcp","entityType":"library","observations":["speaks MCP"]}]}"#,
        ),
        &[
            "server memory-server",
            "version 0.6.3",
            "revision 2025-11-25",
            "era legacy",
            "\nread_graph\n",
            "\"speaks MCP\"",
        ],
    ),
    works(
        "memory, legacy: still knows",
        Server::Memory,
        "legacy",
        ("read_graph", "{}"),
        &["era legacy", "memory://knowledge-graph", "\"speaks MCP\""],
    ),
    is_refused("memory, modern: is told that it cannot", Server::Memory, "modern"),
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
    works(
        "python 1.x, legacy: notifications do not disturb a call",
        Server::Python1,
        "legacy",
        ("notify", r#"{"steps":20}"#),
        &["era legacy", "sent 20 of each"],
    ),
    works(
        "python 1.x, 2025-03-26",
        Server::Python1,
        "2025-03-26",
        ("echo", r#"{"text":"old"}"#),
        &["revision 2025-03-26", "echo says\nold"],
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
    works(
        "python 2.x, modern: notifications do not disturb a call",
        Server::Python2,
        "modern",
        ("notify", r#"{"steps":20}"#),
        &["era modern", "sent 20 of each"],
    ),
    works(
        "python 2.x, legacy",
        Server::Python2,
        "legacy",
        ("notify", r#"{"steps":20}"#),
        &["revision 2025-11-25", "era legacy", "sent 20 of each"],
    ),
    works(
        "python 2.x, 2025-06-18",
        Server::Python2,
        "2025-06-18",
        ("echo", r#"{"text":"ünïcödé ☃"}"#),
        &["revision 2025-06-18", "echo says\nünïcödé ☃"],
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
    works(
        "example server, modern",
        Server::Example,
        "modern",
        ("echo", r#"{"text":"Hi"}"#),
        &["era modern", "echo says\nHi"],
    ),
    works(
        "example server, legacy",
        Server::Example,
        "legacy",
        ("echo", r#"{"text":"Hi"}"#),
        &["revision 2025-11-25", "era legacy", "echo says\nHi"],
    ),
];
