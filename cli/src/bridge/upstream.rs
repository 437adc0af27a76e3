//! A server behind the bridge: how it is reached, what is known of it, and what waits for it.

use super::allowed;
use super::lists::LISTS;
use super::order::Order;
use super::rules::Rules;
use crate::arguments::Common;
use crate::failure::Failure;
use crate::login;
use crate::session::{self, at_usual_path, of_usual_path};
use crate::target::Target;
use mcp::client::json_text::{member, string};
use mcp::client::names::TASKS;
use mcp::client::{Client, Message, Queue, may_have};
use serde_json::{Map, Value, json};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The tags of what the bridge asks for itself. Calls of clients have larger ones.
pub const OF_LIST: std::ops::RangeInclusive<u64> = 1..=4;
/// The connection.
pub const OF_CONNECTION: u64 = 5;
/// What must have happened before a call goes out that came later: a subscription, a log level.
pub const OF_ORDER: u64 = 6;
/// The first tag of a call of a client.
pub const FIRST_CALL: u64 = 1 << 16;

/// A server behind the bridge.
#[derive(Debug)]
pub struct Upstream {
    pub client: Client,
    /// What the command line calls it.
    pub name: String,
    /// What clients may use of it.
    pub rules: Rules,
    /// For messages to a person.
    pub shown: String,
    /// What it declares.
    pub capabilities: Map<String, Value>,
    /// Whether it speaks 2026-07-28.
    pub is_modern: bool,
    /// What the bridge can do for it.
    pub declared: Map<String, Value>,
    /// Whether its calls may become tasks (2026-07-28).
    pub has_tasks: bool,
    /// What must be answered before calls of the client that wanted it go out, and these calls.
    pub order: Order<Message>,
    /// The call that sets its level, and the level that it gets then.
    pub level_call: Option<u64>,
    pub next_level: Option<String>,
    /// Lists under way, and whether each is to be asked for again, and told to clients although it is the same.
    pub listing: [Listing; LISTS.len()],
    /// What it was told to send log messages of.
    pub level: Option<String>,
    /// Its configuration without a login, until the usual path was tried: a URL without one may have no endpoint.
    pub as_given: Option<Map<String, Value>>,
    /// The URL with that path, while it is tried, and why the one that was named failed.
    pub usual: Option<(String, Failure)>,
    /// Whether its connection was ready before.
    pub was_ready: bool,
    /// When a server that was not reached yet is tried again, and the wait before that.
    pub missing: Option<(Instant, Duration)>,
    /// Whether it has come later than the bridge began, and its tools are not known yet.
    pub has_joined: bool,
    /// Whether it has gone since its connection was ready.
    pub is_away: bool,
    /// Whether it is closed for good.
    pub is_gone: bool,
}

/// One list on its way.
#[derive(Clone, Copy, Debug, Default)]
pub struct Listing {
    pub is_asked: bool,
    pub again: bool,
    pub tells: bool,
    /// Whether it has come before, or could not be had.
    pub has_come: bool,
}

impl Upstream {
    /// A client that is not connected yet.
    pub fn new(
        target: Target,
        name: String,
        rules: Rules,
        common: &Common,
        queue: &Arc<Queue>,
    ) -> Result<Upstream, Failure> {
        let Target { shown, mut config } = target;
        let mut add = |key: &str, value: Value| {
            config.entry(key).or_insert(value);
        };
        add("reconnect", json!(true));
        add("stderr", "message".into());
        add("retry", "safe".into());
        add("tasks", json!(true));
        add("validate_results", json!(false));
        add("capability_checks", json!(false));
        let capabilities = match &rules.allowed {
            // Its questions are for a person or a host, and a client of --allow is code that may answer what it likes.
            Some(_) => json!({}),
            None => json!({
                "sampling": {"tools": {}, "context": {}},
                "elicitation": {"form": {}, "url": {}},
                "roots": {"listChanged": true},
            }),
        };
        add("capabilities", capabilities);
        session::complete(&mut config, common);
        let as_given = Some(config.clone());
        login::complete(&mut config, None, &shown)?;
        let has_tasks = config.get("tasks").is_some_and(|tasks| *tasks != json!(false));
        let declared = config.get("capabilities").and_then(Value::as_object).cloned().unwrap_or_default();
        let client = Client::new(&Value::Object(config).to_string(), Some(Arc::clone(queue)))?;
        Ok(Upstream {
            client,
            name,
            rules,
            shown,
            capabilities: Map::new(),
            is_modern: false,
            declared,
            has_tasks,
            order: Order::new(),
            level_call: None,
            next_level: None,
            listing: [Listing::default(); LISTS.len()],
            level: None,
            as_given,
            usual: None,
            was_ready: false,
            missing: None,
            has_joined: false,
            is_away: false,
            is_gone: false,
        })
    }

    /// Where the URL that was named has no endpoint, begins to connect to the one with the path that most servers have. Gives the failure
    /// if there is no such endpoint, or it has failed, too.
    pub fn at_usual_path(
        &mut self,
        failure: Failure,
        limit: Option<Duration>,
        queue: &Arc<Queue>,
    ) -> Result<(), Failure> {
        if let Some((url, first)) = self.usual.take() {
            return Err(of_usual_path(first, failure, &url));
        }
        let as_given = self.as_given.take().unwrap_or_default();
        let Some((url, mut config)) = at_usual_path(&as_given, &failure) else { return Err(failure) };
        login::complete(&mut config, None, &url)?;
        self.client = Client::new(&Value::Object(config).to_string(), Some(Arc::clone(queue)))?;
        self.client.connect_start(limit, OF_CONNECTION)?;
        self.is_gone = false;
        self.usual = Some((url, failure));
        Ok(())
    }

    /// Reads what the handshake has brought; gives what the server says of itself and its instructions.
    pub fn learn(&mut self) -> (Value, Option<String>) {
        let info = self.info();
        self.capabilities = info["capabilities"].as_object().cloned().unwrap_or_default();
        if self.rules.allowed.is_some() {
            allowed::only_of_tools(&mut self.capabilities);
        }
        self.is_modern = info["era"] == "modern";
        (info["server"].clone(), info["instructions"].as_str().map(str::to_owned))
    }

    /// What is known of the connection.
    pub fn info(&self) -> Value {
        serde_json::from_str(&self.client.info()).unwrap_or_default()
    }

    /// Whether it is asked for this list.
    pub fn has(&self, list: usize) -> bool {
        may_have(LISTS[list].capability, |name| self.capabilities.contains_key(name))
    }

    /// Whether any call of a tool may become a task.
    pub fn decides_about_tasks(&self) -> bool {
        let extensions = self.capabilities.get("extensions");
        self.is_modern && extensions.is_some_and(|it| it.get(TASKS).is_some())
    }
}

/// The text of a member of an object.
pub fn text(object: &str, name: &str) -> Option<String> {
    member(object, name).and_then(string).map(std::borrow::Cow::into_owned)
}

/// The code of an error object.
pub fn code(error: &str) -> Option<i64> {
    member(error, "code").and_then(|code| code.parse().ok())
}
