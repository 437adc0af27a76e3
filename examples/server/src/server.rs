//! One client's server as a state machine without I/O: a frame goes in, effects come out. Here a message gets its era,
//! is checked against that era's rules, and reaches the feature it asks for.

use std::time::Duration;

use serde_json::{Map, Value, json};

use crate::ask::{self, Questions};
use crate::catalog;
use crate::framing::MAX_FRAME;
use crate::legacy::Session;
use crate::modern::{self, Listen};
use crate::options::EraChoice;
use crate::paging::page;
use crate::protocol::{self, Caller, LogLevel, RpcError, meta, notification};
use crate::tasks::{self, Tasks};
use crate::tools::{self, Outcome};

/// What the main loop has to do, in this order.
#[derive(Debug, PartialEq)]
pub enum Effect {
    Send(Value),
    /// Frames of request `id`, each to be sent after its delay.
    Later {
        id: Value,
        frames: Vec<(Duration, Value)>,
    },
    /// Send nothing more for this request.
    Cancel(Value),
    Exit(u8),
}

/// Methods of the legacy era. A method outside this list is unknown before it is out of order.
const LEGACY_METHODS: [&str; 17] = [
    "initialize",
    "ping",
    "tools/list",
    "tools/call",
    "resources/list",
    "resources/templates/list",
    "resources/read",
    "resources/subscribe",
    "resources/unsubscribe",
    "prompts/list",
    "prompts/get",
    "completion/complete",
    "logging/setLevel",
    "tasks/get",
    "tasks/result",
    "tasks/list",
    "tasks/cancel",
];

pub struct Server {
    era: EraChoice,
    page_size: Option<usize>,
    session: Option<Session>,
    listens: Vec<Listen>,
    questions: Questions,
    tasks: Tasks,
}

impl Server {
    pub fn new(era: EraChoice, page_size: Option<usize>) -> Self {
        Self {
            era,
            page_size,
            session: None,
            listens: Vec::new(),
            questions: Questions::default(),
            tasks: Tasks::default(),
        }
    }

    pub fn receive(&mut self, frame: &[u8]) -> Vec<Effect> {
        match serde_json::from_slice(frame) {
            Ok(Value::Array(batch)) => self.batch(batch),
            Ok(message) => self.message(message),
            Err(error) => complain(None, RpcError::parse(format!("Not JSON: {error}"))),
        }
    }

    /// The last words when stdin ends: every open stream gets its proper end.
    pub fn farewell(&mut self) -> Vec<Effect> {
        self.listens.drain(..).flat_map(|listen| listen.closing()).map(Effect::Send).collect()
    }

    /// Batches existed in 2025-03-26 only. What is answered at once goes back as one array; a slow answer follows alone.
    fn batch(&mut self, batch: Vec<Value>) -> Vec<Effect> {
        let allowed = self.session.as_ref().is_some_and(|session| session.revision == "2025-03-26");
        if !allowed || batch.is_empty() {
            return complain(None, RpcError::invalid_request("A batch is not allowed here"));
        }
        let mut responses = Vec::new();
        let mut effects = Vec::new();
        for effect in batch.into_iter().flat_map(|message| self.message(message)) {
            match effect {
                Effect::Send(message) if message.get("method").is_none() => responses.push(message),
                other => effects.push(other),
            }
        }
        if !responses.is_empty() {
            effects.push(Effect::Send(Value::Array(responses)));
        }
        effects
    }

    fn message(&mut self, message: Value) -> Vec<Effect> {
        let Value::Object(mut message) = message else {
            return complain(None, RpcError::invalid_request("A message must be an object"));
        };
        let id = message.remove("id");
        let usable_id = id.as_ref().filter(|id| id.is_string() || id.is_i64() || id.is_u64());
        if message.get("jsonrpc") != Some(&Value::from("2.0")) {
            return complain(usable_id, RpcError::invalid_request("jsonrpc must be \"2.0\""));
        }
        let params = match message.remove("params") {
            None => Map::new(),
            Some(Value::Object(params)) => params,
            Some(_) => return complain(usable_id, RpcError::invalid_params("params must be an object")),
        };
        match (message.get("method"), &id, usable_id) {
            (Some(Value::String(method)), Some(_), Some(id)) => self.request(id, method, &params),
            (Some(Value::String(method)), None, _) => self.notification(method, &params),
            (None, Some(_), Some(id)) => self.response(id, &message),
            _ => complain(None, RpcError::invalid_request("Neither request, notification nor response")),
        }
    }

    fn request(&mut self, id: &Value, method: &str, params: &Map<String, Value>) -> Vec<Effect> {
        // In a server of both eras each request chooses: by its metadata, or by a method that only one era has.
        let describes_itself =
            params.get("_meta").is_some_and(|fields| fields.get(meta::PROTOCOL_VERSION).is_some());
        let modern = match self.era {
            EraChoice::Legacy => false,
            EraChoice::Modern => true,
            EraChoice::Both if method == "initialize" => false,
            EraChoice::Both => {
                describes_itself || matches!(method, "server/discover" | "subscriptions/listen")
            }
        };
        let effects = if modern {
            self.modern_request(id, method, params)
        } else {
            self.legacy_request(id, method, params)
        };
        effects.unwrap_or_else(|error| complain(Some(id), error))
    }

    fn legacy_request(
        &mut self,
        id: &Value,
        method: &str,
        params: &Map<String, Value>,
    ) -> Result<Vec<Effect>, RpcError> {
        if !LEGACY_METHODS.contains(&method) {
            return Err(RpcError::method_not_found(method));
        }
        match (method, &mut self.session) {
            ("ping", _) => Ok(answer(id, Map::new())),
            ("initialize", None) => {
                let session = Session::open(params)?;
                let effects = answer(id, session.initialize_result());
                self.session = Some(session);
                Ok(effects)
            }
            ("initialize", Some(_)) => Err(RpcError::invalid_request("initialize was already answered")),
            (_, None) => Err(RpcError::invalid_request(format!("{method} before initialize"))),
            (_, Some(session)) if !session.initialized => {
                Err(RpcError::invalid_request(format!("{method} before notifications/initialized")))
            }
            (_, Some(session)) => {
                if let Some(done) = session.own_method(method, params) {
                    return done.map(|result| answer(id, result));
                }
                let token = params.get("_meta").and_then(|fields| fields.get("progressToken")).cloned();
                let caller = session.caller(id, token);
                self.feature(&caller, method, params)
            }
        }
    }

    fn modern_request(
        &mut self,
        id: &Value,
        method: &str,
        params: &Map<String, Value>,
    ) -> Result<Vec<Effect>, RpcError> {
        if method == "initialize" {
            // The legacy client cannot go on; the error tells its user which revision would work.
            let asked = params.get("protocolVersion").cloned().unwrap_or_default();
            return Err(RpcError::unsupported_version(&asked));
        }
        let caller = modern::caller(id, params)?;
        match method {
            "server/discover" => Ok(finish(&caller, method, modern::discover_result())),
            "subscriptions/listen" => {
                if self.listens.iter().any(|listen| listen.id == *id) {
                    return Err(RpcError::invalid_request("A stream with this id is open"));
                }
                let listen = Listen::open(id, params)?;
                let acknowledgement = listen.acknowledgement();
                self.listens.push(listen);
                Ok(vec![Effect::Send(acknowledgement)])
            }
            _ => self.feature(&caller, method, params),
        }
    }

    /// What both eras have in common.
    fn feature(
        &mut self,
        caller: &Caller,
        method: &str,
        params: &Map<String, Value>,
    ) -> Result<Vec<Effect>, RpcError> {
        if method == "tools/call" && tasks::is_called(params) {
            return self.tasks.begin(caller, params);
        }
        if let Some(effects) = self.tasks.request(caller, method, params) {
            return effects;
        }
        let list = |key: &str, entries| page(key, entries, params, self.page_size);
        let result = match method {
            "tools/list" => list("tools", tools::list(caller))?,
            "resources/list" => list("resources", catalog::resources())?,
            "resources/templates/list" => list("resourceTemplates", catalog::resource_templates())?,
            "prompts/list" => list("prompts", catalog::prompts())?,
            "resources/read" => catalog::read_resource(caller, params)?,
            "prompts/get" => catalog::get_prompt(params)?,
            "completion/complete" => catalog::complete(params)?,
            "tools/call" => {
                return tools::call(caller, params).map(|outcome| self.carry_out(caller, outcome));
            }
            _ => return Err(RpcError::method_not_found(method)),
        };
        Ok(finish(caller, method, result))
    }

    fn carry_out(&mut self, caller: &Caller, outcome: Outcome) -> Vec<Effect> {
        match outcome {
            Outcome::Answer(result) => finish(caller, "tools/call", result),
            Outcome::Exit(code) => vec![Effect::Exit(code)],
            Outcome::Later { progress, answer_after, mut answer } => {
                if caller.modern() {
                    modern::dress("tools/call", &mut answer);
                }
                let mut frames = progress;
                frames.push((answer_after, protocol::result(&caller.id, answer)));
                vec![Effect::Later { id: caller.id.clone(), frames }]
            }
            Outcome::Ask(question) => {
                let id = self.questions.open(caller);
                let form = ask::form(caller, &question);
                vec![Effect::Send(protocol::request(&id, "elicitation/create", &form))]
            }
            Outcome::Announce { count, text, changes } => {
                let mut effects = Vec::new();
                // At or above the level the client set; without one a modern client hears nothing.
                if caller.log_level.is_some_and(|least| least <= LogLevel::INFO) {
                    for number in 1..=count {
                        let data = json!({ "text": text, "number": number });
                        let params = json!({
                            "level": LogLevel::INFO.name(),
                            "logger": "notify",
                            "data": data,
                        });
                        effects.push(Effect::Send(notification("notifications/message", &params)));
                    }
                }
                if changes {
                    effects.extend(self.changes().into_iter().map(Effect::Send));
                }
                let said = tools::tool_text(&format!("announced {count}"));
                effects.extend(finish(caller, "tools/call", said));
                effects
            }
        }
    }

    /// "Something may have changed", to everybody who may hear it: legacy clients by the capabilities we declared and
    /// what they subscribed to, modern ones by their streams.
    fn changes(&self) -> Vec<Value> {
        let mut messages = Vec::new();
        if let Some(session) = self.session.as_ref().filter(|session| session.initialized) {
            for uri in &session.subscribed {
                messages.push(notification("notifications/resources/updated", &json!({ "uri": uri })));
            }
            for list in ["tools", "prompts", "resources"] {
                messages.push(notification(&format!("notifications/{list}/list_changed"), &Value::Null));
            }
        }
        messages.extend(self.listens.iter().flat_map(Listen::changes));
        messages
    }

    fn notification(&mut self, method: &str, params: &Map<String, Value>) -> Vec<Effect> {
        match (method, params.get("requestId"), &mut self.session) {
            ("notifications/initialized", _, Some(session)) => {
                session.initialized = true;
                Vec::new()
            }
            ("notifications/cancelled", Some(id), _) => {
                self.listens.retain(|listen| listen.id != *id);
                self.tasks.cancelled(id);
                let mut effects = vec![Effect::Cancel(id.clone())];
                // The answer to our own question is not needed any more either.
                if let Some(question) = self.questions.cancelled(id) {
                    let params = json!({ "requestId": question, "reason": "the tool call was cancelled" });
                    effects.push(Effect::Send(notification("notifications/cancelled", &params)));
                }
                effects
            }
            // Unknown, malformed or out of order: a notification is never answered.
            _ => Vec::new(),
        }
    }

    /// The client's answer to a question of ours.
    fn response(&mut self, id: &Value, message: &Map<String, Value>) -> Vec<Effect> {
        if let Some(effects) = self.tasks.answered(id, message) {
            return effects;
        }
        let Some(caller) = self.questions.answered(id) else { return Vec::new() };
        let result = match (message.get("result"), message.get("error")) {
            (Some(answer), None) => ask::report(answer),
            (None, Some(error)) => tools::tool_error(&format!("The client refused: {}", error["message"])),
            _ => tools::tool_error("The client's answer is neither result nor error"),
        };
        finish(&caller, "tools/call", result)
    }
}

/// The answer to a feature request, in the clothes of its era.
pub fn finish(caller: &Caller, method: &str, mut result: Map<String, Value>) -> Vec<Effect> {
    if caller.modern() {
        modern::dress(method, &mut result);
    }
    answer(&caller.id, result)
}

/// The answer to a frame that was skipped for its length.
pub fn frame_too_long() -> Vec<Effect> {
    complain(None, RpcError::invalid_request(format!("A message of over {MAX_FRAME} bytes")))
}

fn answer(id: &Value, result: Map<String, Value>) -> Vec<Effect> {
    vec![Effect::Send(protocol::result(id, result))]
}

fn complain(id: Option<&Value>, error: RpcError) -> Vec<Effect> {
    vec![Effect::Send(protocol::error(id, error))]
}
