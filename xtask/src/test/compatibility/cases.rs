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

pub const EVERYTHING: &str = r##"{
    "tools":["echo",{"message":"hi"},"Echo: hi"],
    "structured output":["get-structured-content",{"location":"New York"},"/temperature","33"],
    "resources":["demo://resource/static/document/architecture.md","#"],
    "resource templates":["demo://resource/dynamic/text/{resourceId}",{"resourceId":"1"},"demo://resource/dynamic/text/1","Resource 1"],
    "subscriptions":["demo://resource/dynamic/text/1","toggle-subscriber-updates",{}],
    "prompts":["args-prompt",{"city":"Paris"},"weather in Paris"],
    "completion":[{"type":"ref/prompt","name":"completable-prompt"},"department","E","Engineering"],
    "ping":true,
    "log messages":["toggle-simulated-logging",{},""],
    "progress":["trigger-long-running-operation",{"duration":0.4,"steps":4},"completed"],
    "cancelling":["trigger-long-running-operation",{"duration":30,"steps":3}],
    "sampling":["trigger-sampling-request",{"prompt":"Say hello"},"hello Ada"],
    "elicitation, form":["trigger-elicitation-request",{},"Ada"],
    "elicitation, URL":["trigger-url-elicitation",{"url":"https://example.com/login","message":"Log in"},"accept"],
    "roots":["get-roots-list",{},"file:///matrix"],
    "cache":true,
    "tasks":["simulate-research-query",{"topic":"bees"},"bees",{"topic":"wax"}]}"##;

const FILESYSTEM: &str = r#"{
    "config":"\"roots\":[\"file://{folder}\"]",
    "tools":["list_allowed_directories",{},"Allowed directories"],
    "structured output":["list_allowed_directories",{},"/content","Allowed directories:\n{folder}"],
    "ping":true,
    "roots":["list_allowed_directories",{},"{folder}"],
    "cache":true}"#;

const PYTHON_1: &str = r#"{
    "tools":["echo",{"text":"hi"},"hi"],
    "structured output":["add",{"a":2,"b":3},"/sum","5"],
    "resources":["test://greeting","Hello from Python"],
    "resource templates":["test://items/{number}",{"number":"7"},"test://items/7","item 7"],
    "prompts":["explain",{"topic":"physics"},"Explain physics"],
    "completion":[{"type":"ref/prompt","name":"explain"},"topic","m","music"],
    "ping":true,
    "log messages":["steps",{"count":2},"2 steps"],
    "list changes":["change",{},"announced"],
    "progress":["steps",{"count":3},"3 steps"],
    "cancelling":["slow",{"seconds":30}],
    "sampling":["model",{},"the model says hello Ada"],
    "elicitation, form":["form",{},"hello Ada"],
    "elicitation, URL":["page",{},"the page: accept"],
    "roots":["roots",{},"file:///matrix"],
    "cache":true,
    "tasks":["research",{"topic":"bees","seconds":0.2},"researched bees",{"topic":"wax","seconds":60}],
    "tool modes":["step",{}]}"#;

/// Declares no log messages.
pub const PYTHON_2: &str = r#"{
    "tools":["echo",{"text":"hi"},"hi"],
    "structured output":["add",{"a":2,"b":3},"/sum","5"],
    "resources":["test://greeting","Hello from Python"],
    "resource templates":["test://items/{number}",{"number":"7"},"test://items/7","item 7"],
    "prompts":["explain",{"topic":"physics"},"Explain physics"],
    "completion":[{"type":"ref/prompt","name":"explain"},"topic","m","music"],
    "ping":true,
    "list changes":["change",{},"announced"],
    "progress":["steps",{"count":3},"3 steps"],
    "cancelling":["slow",{"seconds":30}],
    "sampling":["model",{},"the model says hello Ada"],
    "elicitation, form":["form",{},"hello Ada"],
    "elicitation, URL":["page",{},"the page: accept"],
    "roots":["roots",{},"file:///matrix"],
    "cache":true,
    "tool modes":["step",{}]}"#;

/// Subscriptions only in the modern era.
pub const PYTHON_2_MODERN: &str = r#"{
    "tools":["echo",{"text":"hi"},"hi"],
    "structured output":["add",{"a":2,"b":3},"/sum","5"],
    "resources":["test://greeting","Hello from Python"],
    "resource templates":["test://items/{number}",{"number":"7"},"test://items/7","item 7"],
    "subscriptions":["test://greeting","change",{}],
    "prompts":["explain",{"topic":"physics"},"Explain physics"],
    "completion":[{"type":"ref/prompt","name":"explain"},"topic","m","music"],
    "ping":true,
    "list changes":["change",{},"announced"],
    "progress":["steps",{"count":3},"3 steps"],
    "cancelling":["slow",{"seconds":30}],
    "sampling":["model",{},"the model says hello Ada"],
    "elicitation, form":["form",{},"hello Ada"],
    "elicitation, URL":["page",{},"the page: accept"],
    "roots":["roots",{},"file:///matrix"],
    "cache":true,
    "tasks":["research",{"topic":"bees","seconds":0.2},"researched bees",{"topic":"wax","seconds":60}],
    "tool modes":["step",{}]}"#;

const TYPESCRIPT: &str = r##"{
    "tools":["echo",{"text":"hi"},"hi"],
    "ping":true,
    "log messages":["notify",{"steps":2},"sent 2 of each"],
    "progress":["notify",{"steps":3},"sent 3 of each"],
    "cancelling":["slow",{"seconds":30}],
    "elicitation, form":["ask",{},"hello Ada"],
    "skills":["skill://greeting/SKILL.md","# Greeting","references/words.md","bonjour"],
    "tool modes":["step",{}]}"##;

/// Its legacy requests over HTTP are served each by itself, so that it cannot ask anything.
const TYPESCRIPT_STATELESS: &str = r##"{
    "tools":["echo",{"text":"hi"},"hi"],
    "ping":true,
    "log messages":["notify",{"steps":2},"sent 2 of each"],
    "progress":["notify",{"steps":3},"sent 3 of each"],
    "cancelling":["slow",{"seconds":30}],
    "skills":["skill://greeting/SKILL.md","# Greeting","references/words.md","bonjour"],
    "tool modes":["step",{}]}"##;

pub const EXAMPLE: &str = r#"{
    "tools":["echo",{"text":"hi"},"hi"],
    "structured output":["add",{"a":2,"b":3},"/sum","5"],
    "resources":["demo://greeting","Hello, world"],
    "resource templates":["demo://greeting/{name}",{"name":"Ada"},"demo://greeting/Ada","Hello, Ada"],
    "subscriptions":["demo://greeting","notify",{"count":0,"changes":true}],
    "prompts":["greet",{"name":"Ada"},"for Ada"],
    "completion":[{"type":"ref/prompt","name":"greet"},"name","gr","Grace"],
    "ping":true,
    "log messages":["notify",{"count":1,"text":"x"},""],
    "list changes":["notify",{"count":0,"changes":true},""],
    "progress":["slow",{"ms":200,"steps":4},""],
    "cancelling":["slow",{"ms":30000}],
    "elicitation, form":["ask",{"question":"Who?"},"Ada"],
    "pages":true}"#;

const TASKS_AND_SKILLS: &str = r##"{
    "tasks":["research",{"topic":"bees","ms":200,"poll_ms":10},"researched bees",{"topic":"wax","ms":60000}],
    "skills":["skill://shelf/good/SKILL.md","# Good","references/more.md","More"]}"##;

const SCRIPTED: &str = r#"{
    "tools":["echo",{"text":"hi"},"hi"],
    "ping":true,
    "pages":true}"#;

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
