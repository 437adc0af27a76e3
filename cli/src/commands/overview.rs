//! `list` without a server: every configured server, with its state, what it offers, and how long it took.

use super::lists::TOKEN;
use crate::arguments::{Common, Format};
use crate::failure::{AUTH, Failure, NOT_APPROVED};
use crate::listen::{STOP, watch_signals};
use crate::login;
use crate::output::{Screen, one_line, table};
use crate::servers::{Found, found, of_file, usable_anywhere, usable_of_file};
use crate::session;
use crate::target::Target;
use mcp::client::features::Request;
use mcp::client::json_text::{elements, member};
use mcp::client::names::METHOD_NOT_FOUND;
use mcp::client::{
    Client, Kind, Message, Overflow, Polled, Queue, QueueLimits, RequestAnswer, Status, poll_queue,
};
use serde_json::{Value, json};
use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// How many servers are asked at one time.
const AT_A_TIME: usize = 8;
/// How many are being closed beside them.
const CLOSING: usize = 16;
/// Why a server is not asked.
const DEPENDS: &str = "it depends on this folder";
/// What waits at most.
const QUEUE: QueueLimits = QueueLimits { messages: 10_000, bytes: 256 << 20, overflow: Overflow::DropOldest };
/// How long a wait is at most, so that a signal is seen.
const WAIT: Duration = Duration::from_secs(1);

/// What is known of a server.
#[derive(Clone, Debug, PartialEq, Eq)]
enum State {
    Ready {
        tools: usize,
        tokens: usize,
    },
    LoginNeeded,
    NotApproved,
    Disabled,
    /// What it is depends on the current folder, which may be a repository of others.
    NotAsked,
    Failed(String),
}

/// A line of the overview.
struct Row {
    name: String,
    source: String,
    path: String,
    state: State,
    taken: Option<Duration>,
    /// The result of `tools/list`.
    listed: Option<String>,
}

/// A server that is asked.
struct Asked {
    row: usize,
    client: Client,
    begin: Instant,
    /// What a call may take.
    call: Duration,
}

pub fn overview(screen: Screen, common: &Common) -> Result<(), Failure> {
    let (mut rows, targets) = configured(common)?;
    if screen.format == Format::Names {
        return screen.names(&rows.into_iter().map(|row| row.name).collect::<Vec<_>>());
    }
    ask_all(&mut rows, targets, common)?;
    match screen.format {
        Format::Json | Format::Yaml => {
            let rows: Vec<Value> = rows.iter().map(as_json).collect();
            screen.json(&json!({ "servers": rows }).to_string())
        }
        _ if rows.is_empty() => {
            Screen::said(
                "no file of a program here has a server; `mcp add NAME -- COMMAND` or `mcp add NAME URL` adds one",
            );
            Ok(())
        }
        _ => {
            let rows: Vec<Vec<String>> = rows.iter().map(as_line).collect();
            let heading = ["NAME", "FROM", "STATE", "TOOLS", "~TOKENS", "MS"];
            screen.write(table(&heading, &rows, screen.width()))
        }
    }
}

/// The servers that could not be used, each with its file and why.
pub fn failures(common: &Common) -> Result<Vec<(String, String, String)>, Failure> {
    let (mut rows, targets) = configured(common)?;
    ask_all(&mut rows, targets, common)?;
    let why = |row: &Row| match &row.state {
        State::Failed(why) => Some(why.clone()),
        State::LoginNeeded => Some("it wants a login: `mcp login` makes one".to_owned()),
        State::NotApproved => Some("it is not approved: `mcp config trust` does that".to_owned()),
        State::Ready { .. } | State::Disabled => None,
        State::NotAsked => {
            Screen::said(format!("'{}' in {} is {}", one_line(&row.name), row.path, state_text(&row.state)));
            None
        }
    };
    Ok(rows.into_iter().filter_map(|row| why(&row).map(|why| (row.name, row.path, why))).collect())
}

/// The servers that could not be asked: each with why.
type Unasked = Vec<(String, String)>;

/// The result of `tools/list` of each configured server, with its name; and the servers that could not be asked. Two servers of one name
/// are told apart by where they are from.
pub fn tools_of_all(common: &Common) -> Result<(Vec<(String, String)>, Unasked), Failure> {
    let (mut rows, targets) = configured(common)?;
    ask_all(&mut rows, targets, common)?;
    let names: Vec<String> = rows.iter().map(|row| row.name.clone()).collect();
    let (mut all, mut failed) = (Vec::new(), Vec::new());
    for row in rows {
        let is_single = names.iter().filter(|name| **name == row.name).count() == 1;
        let name = if is_single { row.name.clone() } else { format!("{}:{}", row.source, row.name) };
        match &row.state {
            State::Ready { .. } => all.push((name, row.listed.unwrap_or_else(|| "{}".to_owned()))),
            State::Disabled => {}
            state => {
                let text = state_text(state);
                let why = text.strip_prefix("failed: ").unwrap_or(&text);
                failed.push((one_line(&name), why.to_owned()));
            }
        }
    }
    Ok((all, failed))
}

type Targets = VecDeque<(usize, Target)>;

/// The servers of the file that the person names and so vouches for, or else of all programs. What is not approved is not expanded, not
/// started and not reached. No word of the command line names one of them, so that none gets a value of `--input`, and the current
/// folder decides nothing of those of all programs.
fn configured(common: &Common) -> Result<(Vec<Row>, Targets), Failure> {
    let (list, files) = match &common.config {
        Some(path) => (of_file(path)?, Vec::new()),
        None => found(),
    };
    for file in &files {
        if let Some(fault) = &file.fault {
            Screen::said(format!("{} cannot be used: {}", file.path.display(), one_line(fault)));
        }
    }
    let (mut rows, mut targets) = (Vec::new(), VecDeque::new());
    for one in list {
        let state = if one.is_disabled {
            State::Disabled
        } else {
            let usable = match &common.config {
                Some(_) => usable_of_file(&one).map(Some),
                None => usable_anywhere(&one),
            };
            match usable {
                Ok(None) => State::NotAsked,
                Ok(Some(target)) => {
                    targets.push_back((rows.len(), target));
                    State::Failed("it was not asked".to_owned())
                }
                Err(failure) => match state_of(&failure) {
                    // The line says already which server of which file it is.
                    State::Failed(why) => {
                        State::Failed(why.split_once(": ").map_or(why.clone(), |(_, why)| why.to_owned()))
                    }
                    state => state,
                },
            }
        };
        let Found { name, source, path, .. } = one;
        rows.push(Row {
            name,
            source: source.to_owned(),
            path: path.display().to_string(),
            state,
            taken: None,
            listed: None,
        });
    }
    Ok((rows, targets))
}

fn state_of(failure: &Failure) -> State {
    match failure.exit {
        AUTH => State::LoginNeeded,
        NOT_APPROVED => State::NotApproved,
        _ => State::Failed(failure.text()),
    }
}

/// Connects to the servers, a few at a time, and reads their tools.
fn ask_all(rows: &mut [Row], mut targets: Targets, common: &Common) -> Result<(), Failure> {
    if targets.is_empty() {
        return Ok(());
    }
    let queue = Queue::new(QUEUE);
    watch_signals(&queue)?;
    session::log_of(common);
    let mut asked: Vec<Asked> = Vec::new();
    let mut closing: VecDeque<JoinHandle<()>> = VecDeque::new();
    while !(STOP.load(Ordering::Relaxed) || asked.is_empty() && targets.is_empty()) {
        while asked.len() < AT_A_TIME
            && let Some((row, target)) = targets.pop_front()
        {
            match begin(row, target, common, &queue) {
                Ok(one) => asked.push(one),
                Err(failure) => rows[row].state = state_of(&failure),
            }
        }
        let Polled::Message(message) = poll_queue(&queue, Some(WAIT)) else { continue };
        let Some(at) = asked.iter().position(|one| one.client.number() == message.client()) else { continue };
        if let Some(state) = heard(&asked[at], &message) {
            let Asked { row, client, begin, .. } = asked.swap_remove(at);
            rows[row].state = state;
            rows[row].listed = (message.tag() == LIST).then(|| message.json().to_owned());
            rows[row].taken = Some(begin.elapsed());
            // The end of a server may take its time; the others do not wait for it.
            let close = std::thread::Builder::new().name("mcp-close".to_owned()).spawn(move || drop(client));
            closing.extend(close.ok());
            if closing.len() > CLOSING {
                let _ended = closing.pop_front().map(JoinHandle::join);
            }
        }
    }
    drop(asked);
    for one in closing {
        let _ended = one.join();
    }
    if STOP.load(Ordering::Relaxed) { Err(Failure::interrupted()) } else { Ok(()) }
}

/// The tags of the connection and of the list.
const CONNECTION: u64 = 1;
const LIST: u64 = 2;

fn begin(row: usize, target: Target, common: &Common, queue: &Arc<Queue>) -> Result<Asked, Failure> {
    let Target { shown, mut config } = target;
    // There is no person who could answer.
    config.entry("capabilities").or_insert_with(|| json!({}));
    session::complete(&mut config, common);
    login::complete(&mut config, None, &shown)?;
    let call = common.method_timeout(&config, Request::ToolsList.method());
    let call = call.unwrap_or_else(|| common.call_timeout(&config));
    let limit = common.start_timeout(&config);
    let client = Client::new(&Value::Object(config).to_string(), Some(Arc::clone(queue)))?;
    client.connect_start((!limit.is_zero()).then_some(limit), CONNECTION)?;
    Ok(Asked { row, client, begin: Instant::now(), call })
}

/// What a message says of a server; `None` if more must come.
fn heard(one: &Asked, message: &Message) -> Option<State> {
    let failed = |failure: Failure| Some(state_of(&failure));
    match message.kind() {
        // It did not say that it has tools, and has none.
        Kind::Reply if message.tag() == LIST && message.status() == Status::Unsupported => {
            Some(State::Ready { tools: 0, tokens: 0 })
        }
        Kind::Reply if message.status() != Status::Ok => failed(Failure::reply(message)),
        Kind::Reply if message.tag() == CONNECTION => {
            let limit = u64::try_from(one.call.as_millis()).ok().filter(|limit| *limit > 0);
            let options = json!({"timeout_ms": limit.unwrap_or(session::NO_LIMIT_MS)}).to_string();
            let started = one.client.start_request(&Request::ToolsList, Some(&options), LIST);
            started.err().and_then(|error| failed(error.into()))
        }
        Kind::Reply => {
            let tools = member(message.json(), "tools").unwrap_or("[]");
            Some(State::Ready { tools: elements(tools).count(), tokens: tools.len().div_ceil(TOKEN) })
        }
        Kind::Request => {
            let refusal =
                RequestAnswer::Error { code: METHOD_NOT_FOUND, message: "Method not found", data: None };
            // One that is gone needs no answer.
            let _answered = one.client.respond(message, refusal);
            None
        }
        Kind::Auth => {
            let _given_up = login::asked(&one.client, message, None, "it");
            None
        }
        _ => None,
    }
}

fn state_text(state: &State) -> String {
    match state {
        State::Ready { .. } => "ready".to_owned(),
        State::LoginNeeded => "login needed".to_owned(),
        State::NotApproved => "not approved".to_owned(),
        State::Disabled => "disabled".to_owned(),
        State::NotAsked => format!("not asked: {DEPENDS}"),
        State::Failed(why) => format!("failed: {}", one_line(why)),
    }
}

fn milliseconds(row: &Row) -> Option<u64> {
    row.taken.and_then(|taken| u64::try_from(taken.as_millis()).ok())
}

fn as_line(row: &Row) -> Vec<String> {
    let (tools, tokens) = match &row.state {
        State::Ready { tools, tokens } => (tools.to_string(), tokens.to_string()),
        _ => Default::default(),
    };
    let taken = milliseconds(row).map(|taken| taken.to_string()).unwrap_or_default();
    vec![row.name.clone(), row.source.clone(), state_text(&row.state), tools, tokens, taken]
}

fn as_json(row: &Row) -> Value {
    let (tools, tokens) = match &row.state {
        State::Ready { tools, tokens } => (json!(tools), json!(tokens)),
        _ => Default::default(),
    };
    let (state, reason) = match &row.state {
        State::Failed(why) => ("failed".to_owned(), json!(why)),
        State::NotAsked => ("not asked".to_owned(), json!(DEPENDS)),
        other => (state_text(other), Value::Null),
    };
    json!({
        "name": row.name,
        "from": row.source,
        "path": row.path,
        "state": state,
        "reason": reason,
        "tools": tools,
        "tokens": tokens,
        "ms": milliseconds(row),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failure_is_a_state() {
        assert_eq!(state_of(&Failure::not_approved("x")), State::NotApproved);
        assert_eq!(state_of(&Failure::unreached("x")), State::Failed("x".to_owned()));
        let row = Row {
            name: "a".to_owned(),
            source: "libmcp".to_owned(),
            path: "/x".to_owned(),
            state: State::Failed("line\none".to_owned()),
            taken: Some(Duration::from_millis(7)),
            listed: None,
        };
        assert!(as_line(&row)[2].starts_with("failed: line") && !as_line(&row)[2].contains('\n'));
        assert_eq!(
            (as_json(&row)["state"].clone(), as_json(&row)["ms"].clone()),
            (json!("failed"), json!(7))
        );
        let ready = Row { state: State::Ready { tools: 2, tokens: 30 }, ..row };
        assert_eq!(as_line(&ready)[2..], ["ready", "2", "30", "7"].map(str::to_owned));
    }
}
