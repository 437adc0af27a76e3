//! Which servers are tried, over which transports, at which revisions, and what each of them has for the features.

use crate::peers::Major;

/// The revisions, from the oldest on.
pub const REVISIONS: [&str; 5] = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"];

/// The features in the order of the page, with the first revision that has them. `tests/interop/matrix.c` has the same.
pub const FEATURES: [(&str, &str); 21] = [
    ("tools", "2024-11-05"),
    ("structured output", "2025-06-18"),
    ("resources", "2024-11-05"),
    ("resource templates", "2024-11-05"),
    ("subscriptions", "2024-11-05"),
    ("prompts", "2024-11-05"),
    ("completion", "2024-11-05"),
    ("ping", "2024-11-05"),
    ("log messages", "2024-11-05"),
    ("list changes", "2024-11-05"),
    ("progress", "2024-11-05"),
    ("cancelling", "2024-11-05"),
    ("sampling", "2024-11-05"),
    ("elicitation, form", "2025-06-18"),
    ("elicitation, URL", "2025-11-25"),
    ("roots", "2024-11-05"),
    ("pages", "2024-11-05"),
    ("cache", "2024-11-05"),
    ("tasks", "2025-11-25"),
    ("skills", "2024-11-05"),
    ("tool modes", "2024-11-05"),
];

#[derive(Clone, Copy)]
pub enum Server {
    Everything,
    Filesystem,
    Python(Major),
    TypeScript,
    /// Ours: the example server, and the one that misbehaves over HTTP, here without a script but for its pages.
    Example,
    Scripted,
    /// The one that misbehaves over stdio, for its skills.
    Skills,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Transport {
    Stdio,
    Http,
    Sse,
}

pub const TRANSPORTS: [(Transport, &str); 3] = [
    (Transport::Stdio, "stdio"),
    (Transport::Http, "Streamable HTTP"),
    (Transport::Sse, "HTTP with server-sent events"),
];

pub struct Case {
    /// What stands for the server in the table.
    pub letter: char,
    pub server: Server,
    pub transport: Transport,
    pub revisions: &'static [&'static str],
    /// What the server has: for each feature the arguments of `tests/interop/matrix.c`.
    pub plan: &'static str,
}

const LEGACY: &[&str] = &["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"];
pub const MODERN: &[&str] = &["2026-07-28"];

pub const EVERYTHING: &str = include_str!("../interop/plans/everything.json");

const FILESYSTEM: &str = include_str!("../interop/plans/filesystem.json");

const PYTHON_1: &str = include_str!("../interop/plans/python-1.json");

/// Declares no log messages.
pub const PYTHON_2: &str = include_str!("../interop/plans/python-2.json");

/// Subscriptions only in the modern era.
pub const PYTHON_2_MODERN: &str = include_str!("../interop/plans/python-2-modern.json");

const TYPESCRIPT: &str = include_str!("../interop/plans/typescript.json");

/// Its legacy requests over HTTP are served each by itself, so that it cannot ask anything.
const TYPESCRIPT_STATELESS: &str = include_str!("../interop/plans/typescript-stateless.json");

pub const EXAMPLE: &str = include_str!("../interop/plans/example.json");

const TASKS_AND_SKILLS: &str = include_str!("../interop/plans/tasks-and-skills.json");

const SCRIPTED: &str = include_str!("../interop/plans/scripted.json");

const fn case(
    letter: char,
    server: Server,
    transport: Transport,
    revisions: &'static [&'static str],
    plan: &'static str,
) -> Case {
    Case { letter, server, transport, revisions, plan }
}

pub const CASES: [Case; 19] = [
    case('E', Server::Everything, Transport::Stdio, LEGACY, EVERYTHING),
    case('F', Server::Filesystem, Transport::Stdio, LEGACY, FILESYSTEM),
    case('1', Server::Python(Major::One), Transport::Stdio, LEGACY, PYTHON_1),
    case('2', Server::Python(Major::Two), Transport::Stdio, LEGACY, PYTHON_2),
    case('2', Server::Python(Major::Two), Transport::Stdio, MODERN, PYTHON_2_MODERN),
    case('T', Server::TypeScript, Transport::Stdio, &REVISIONS, TYPESCRIPT),
    case('X', Server::Example, Transport::Stdio, &REVISIONS, EXAMPLE),
    case('X', Server::Skills, Transport::Stdio, &REVISIONS, TASKS_AND_SKILLS),
    case('E', Server::Everything, Transport::Http, LEGACY, EVERYTHING),
    case('1', Server::Python(Major::One), Transport::Http, LEGACY, PYTHON_1),
    case('2', Server::Python(Major::Two), Transport::Http, LEGACY, PYTHON_2),
    case('2', Server::Python(Major::Two), Transport::Http, MODERN, PYTHON_2_MODERN),
    case('T', Server::TypeScript, Transport::Http, LEGACY, TYPESCRIPT_STATELESS),
    case('T', Server::TypeScript, Transport::Http, MODERN, TYPESCRIPT),
    case('X', Server::Scripted, Transport::Http, &REVISIONS, SCRIPTED),
    case('E', Server::Everything, Transport::Sse, LEGACY, EVERYTHING),
    case('1', Server::Python(Major::One), Transport::Sse, LEGACY, PYTHON_1),
    case('2', Server::Python(Major::Two), Transport::Sse, LEGACY, PYTHON_2),
    case('X', Server::Scripted, Transport::Sse, &["2024-11-05"], SCRIPTED),
];
