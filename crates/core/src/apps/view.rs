//! One view: the page of one tool call, from its first word to its last.

use super::offered::{Offered, Page};
use super::{REVISION, context, is_ambiguous, visibility};
use crate::json::{self, Kind, member, members, quote, splice_into, string};
use crate::protocol::{error_code, lenient};
use crate::sorted::SortedMap;
use std::borrow::Cow;
use std::collections::VecDeque;

/// The bytes of a message of a view; of those that wait for the host together; of a notification.
const MESSAGE_BYTES: usize = 4 << 20;
const WAITING_BYTES: usize = 16 << 20;
const NOTIFICATION_BYTES: usize = 64 << 10;
/// The requests of a view that are under way.
const IN_FLIGHT: usize = 32;
/// The log messages and warnings that wait for the host.
const NOTES: usize = 100;
/// The levels that a message may nest.
const DEPTH: usize = 200;
/// A view is at most so large, in pixels of CSS, and shrinks by more than this, as pages whose height depends on their frame's never settle.
const LARGEST: f64 = 100_000.0;
const SHRINKS_BY_MORE_THAN: f64 = 4.0;
/// Refused by the host.
const REFUSED: i64 = -32000;

/// What the host told or gave cannot be used. The text says why, and names the member.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0}")]
pub struct InvalidTold(String);

fn invalid<T>(text: impl Into<String>) -> Result<T, InvalidTold> {
    Err(InvalidTold(text.into()))
}

/// How far a view is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Stage {
    /// Its page is loading, or it has been answered and has not said yet that it is ready.
    Loading,
    /// It has what the host tells.
    Ready,
    /// It was asked to end.
    Leaving,
    /// It is over: nothing goes to it or counts of it.
    Ended,
}

/// A request of the view that the host works on.
#[derive(Debug)]
struct UnderWay {
    /// Its id, as the view wrote it.
    id: String,
    /// The token of its progress, as the view wrote it.
    progress: Option<String>,
    method: Method,
}

/// What a view may ask of its host.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Method {
    /// A request for the server: it is the host's to pass on.
    Server,
    OpenLink,
    Message,
    Context,
    Mode,
    Download,
}

/// The methods of a view: the capability of the host that each needs, and what it is.
const METHODS: [(&str, &str, Method); 11] = [
    ("tools/call", "serverTools", Method::Server),
    ("tools/list", "serverTools", Method::Server),
    ("resources/read", "serverResources", Method::Server),
    ("resources/list", "serverResources", Method::Server),
    ("resources/templates/list", "serverResources", Method::Server),
    ("sampling/createMessage", "sampling", Method::Server),
    ("ui/open-link", "openLinks", Method::OpenLink),
    ("ui/download-file", "downloadFile", Method::Download),
    ("ui/message", "message", Method::Message),
    ("ui/update-model-context", "updateModelContext", Method::Context),
    // Every host has a mode.
    ("ui/request-display-mode", "", Method::Mode),
];

/// An action for the host that waits to be taken.
#[derive(Debug)]
enum Action {
    /// A message for the view.
    Say(String),
    /// A request for the view, with its id.
    Ask(u64, String),
    /// Something the host has to know or to do; its number if it is a request.
    Do(String, Option<u64>),
    /// The size that the view asks for.
    Size(Option<f64>, Option<f64>),
    /// A log message or a warning.
    Note(String),
    /// The tools that the view offers.
    Tools(String),
    /// What a call of one of them came to.
    Called(String),
}

/// What a tool call came to.
#[derive(Debug)]
enum Outcome {
    Result(String),
    Cancelled(Option<String>),
}

/// One view.
#[derive(Debug)]
pub struct View {
    host_info: String,
    capabilities: String,
    /// The members of the host's context.
    context: SortedMap<String, String>,
    /// Those that changed since the view was answered, before it was ready.
    changed: SortedMap<String, String>,
    /// Whether a view may call a tool, by its name. `None`: the host has not said which tools there are.
    tools: Option<SortedMap<String, bool>>,
    stage: Stage,
    /// Whether the page was answered since it loaded.
    is_answered: bool,
    modes: Option<Vec<String>>,
    size: (Option<f64>, Option<f64>),
    input: Option<String>,
    outcome: Option<Outcome>,
    under_way: SortedMap<u64, UnderWay>,
    leaving: Option<u64>,
    offered: Offered,
    actions: VecDeque<Action>,
    waiting_bytes: usize,
    last_number: u64,
    dropped: u64,
}

impl View {
    /// A view, from what the host says of itself: `hostInfo`, `hostCapabilities`, `hostContext`, `tool` (the definition that the call was
    /// made with), `tools` (the definitions that the host has seen of this server) and `appTools` (what the names of the view's own tools
    /// begin with, if the host wants those).
    pub fn new(settings: &str) -> Result<View, InvalidTold> {
        let settings = checked(settings, "the settings")?;
        let known = ["hostInfo", "hostCapabilities", "hostContext", "tool", "tools", "appTools"];
        if let Some((name, _)) = members(settings).find(|(name, _)| !known.contains(name)) {
            return invalid(format!("there is no setting '{name}'; there are {}", known.join(", ")));
        }
        let Some(host_info) = member(settings, "hostInfo") else {
            return invalid("'hostInfo' is missing: a view is told the name and the version of its host");
        };
        let capabilities = member(settings, "hostCapabilities").unwrap_or("{}");
        let fault = context::host_info_fault(host_info).or_else(|| context::capabilities_fault(capabilities));
        if let Some(fault) = fault {
            return Err(InvalidTold(fault));
        }
        let mut view = View {
            host_info: host_info.to_owned(),
            capabilities: capabilities.to_owned(),
            context: SortedMap::new(),
            changed: SortedMap::new(),
            tools: None,
            stage: Stage::Loading,
            is_answered: false,
            modes: None,
            size: (None, None),
            input: None,
            outcome: None,
            under_way: SortedMap::new(),
            leaving: None,
            offered: Offered::of(member(settings, "appTools")).map_err(InvalidTold)?,
            actions: VecDeque::new(),
            waiting_bytes: 0,
            last_number: 0,
            dropped: 0,
        };
        view.context.insert("displayMode".to_owned(), "\"inline\"".to_owned());
        if let Some(tool) = member(settings, "tool") {
            view.context.insert("toolInfo".to_owned(), format!("{{\"tool\":{}}}", with_schema(tool)));
        }
        let context = member(settings, "hostContext").unwrap_or("{}");
        if let Some(fault) = context::context_fault(context) {
            return Err(InvalidTold(fault));
        }
        view.merge(context);
        if let Some(fault) = context::context_fault(&view.context()) {
            return Err(InvalidTold(fault.replace("hostContext.toolInfo.tool", "tool")));
        }
        if let Some(tools) = member(settings, "tools") {
            view.know_tools(tools)?;
        }
        Ok(view)
    }

    /// The next action for the host, as JSON text. `None`: nothing, until something goes in.
    pub fn poll(&mut self) -> Option<String> {
        let action = self.actions.pop_front()?;
        Some(match action {
            Action::Say(message) | Action::Ask(_, message) => {
                format!("{{\"type\":\"message\",\"message\":{message}}}")
            }
            Action::Do(text, number) => {
                if number.is_some() {
                    self.waiting_bytes -= text.len();
                }
                text
            }
            Action::Note(text) | Action::Called(text) => text,
            Action::Tools(tools) => format!("{{\"type\":\"app-tools\",\"tools\":{tools}}}"),
            Action::Size(width, height) => {
                let mut text = "{\"type\":\"size\"".to_owned();
                for (name, value) in [("width", width), ("height", height)] {
                    if let Some(value) = value {
                        text.extend([",\"", name, "\":", &value.to_string()]);
                    }
                }
                text.push('}');
                text
            }
        })
    }

    /// Takes a message of the view, of which nothing is believed.
    pub fn receive(&mut self, message: &str) {
        if matches!(self.stage, Stage::Ended) {
            return;
        }
        if message.len() > MESSAGE_BYTES {
            let text = format!(
                "the view sent {} bytes in one message, of {MESSAGE_BYTES} at most: dropped",
                message.len()
            );
            return self.warn(&text);
        }
        let Ok(value) = json::scan_value(message.as_bytes(), DEPTH) else {
            return self.warn("the view sent text that is not JSON: dropped");
        };
        let message = value.span.str(message);
        if json::kind(message) != Some(Kind::Object)
            || member(message, "jsonrpc").and_then(string).is_none_or(|it| it != "2.0")
        {
            return self.warn("the view sent something that is not JSON-RPC 2.0: dropped");
        }
        if is_ambiguous(message) {
            return self.warn("the view sent a message that has a member twice: dropped");
        }
        let id = lenient::member(message, "id");
        let Some(method) = member(message, "method") else {
            return self.answered(id, message);
        };
        let id = match id.map(|id| (id, json::kind(id))) {
            Some((id, Some(Kind::String | Kind::Number))) if id.len() <= 1024 => Some(id),
            Some(_) => {
                return self.refuse(
                    "null",
                    error_code::INVALID_REQUEST,
                    "the id is neither a short string nor a number",
                );
            }
            None => None,
        };
        let params = lenient::member(message, "params").unwrap_or("{}");
        let fault = match (string(method), lenient::as_object(params)) {
            (Some(method), Some(params)) => {
                return match id {
                    Some(id) => self.request(id, &method, params),
                    None => self.notified(&method, params),
                };
            }
            (None, _) => (error_code::INVALID_REQUEST, "the method is not a string"),
            (_, None) => (error_code::INVALID_PARAMS, "the params are not an object"),
        };
        if let Some(id) = id {
            self.refuse(id, fault.0, fault.1);
        }
    }

    /// Takes what the host tells, an object with a `type`.
    pub fn tell(&mut self, told: &str) -> Result<(), InvalidTold> {
        let told = checked(told, "what is told")?;
        let kind = member(told, "type").and_then(string).unwrap_or_default();
        if self.stage == Stage::Ended {
            return invalid("the view has ended");
        }
        match kind.as_ref() {
            "input" | "input-partial" => self.tell_input(told, kind == "input-partial"),
            "result" => {
                let Some(result) = member(told, "result").and_then(lenient::as_object) else {
                    return invalid(
                        "'result' is not an object: it is the result of the tool call, as the server wrote it",
                    );
                };
                let result = self.shown(result);
                self.end_call(Outcome::Result(result))
            }
            "cancelled" => {
                let reason = member(told, "reason").filter(|it| json::kind(it) == Some(Kind::String));
                self.end_call(Outcome::Cancelled(reason.map(str::to_owned)))
            }
            "context" => self.tell_context(told),
            "tools" => {
                let Some(tools) = member(told, "tools") else {
                    return invalid("'tools' is missing: the definitions of the server's tools");
                };
                self.know_tools(tools)?;
                self.list_changed("serverTools", "notifications/tools/list_changed");
                Ok(())
            }
            "resources-changed" => {
                self.list_changed("serverResources", "notifications/resources/list_changed");
                Ok(())
            }
            "answer" => self.tell_answer(told),
            "progress" => self.tell_progress(told),
            "call" => self.tell_call(told),
            "call-cancelled" => self.tell_call_cancelled(told),
            "teardown" => {
                self.tear_down(member(told, "reason").and_then(string).as_deref());
                Ok(())
            }
            other => invalid(format!(
                "there is no type '{other}'; there are input, input-partial, result, cancelled, context, tools, resources-changed, \
                 answer, progress, call, call-cancelled, teardown"
            )),
        }
    }

    /// Whether the view is over: it has answered that it ends, or was never there.
    pub fn has_ended(&self) -> bool {
        self.stage == Stage::Ended
    }

    // What the view says.

    fn request(&mut self, id: &str, method: &str, params: &str) {
        if self.stage == Stage::Leaving {
            return self.refuse(id, REFUSED, "the view is being removed");
        }
        match method {
            "ui/initialize" => return self.initialize(id, params),
            "ping" => return self.answer(id, "{}"),
            _ => {}
        }
        let Some((name, capability, kind)) = METHODS.into_iter().find(|(name, ..)| *name == method) else {
            let shown: String = method.chars().take(100).collect();
            return self.refuse(
                id,
                error_code::METHOD_NOT_FOUND,
                &format!("this host does not know '{shown}'"),
            );
        };
        if !capability.is_empty() && !lenient::declares(&self.capabilities, capability) {
            return match kind {
                Method::OpenLink | Method::Message | Method::Download => self.answer(id, DENIED),
                _ => self.refuse(
                    id,
                    error_code::METHOD_NOT_FOUND,
                    &format!("this host does not offer '{name}' (hostCapabilities.{capability})"),
                ),
            };
        }
        let params = match self.judged(name, kind, params) {
            Ok(params) => params,
            Err(Refusal::Denied) => return self.answer(id, DENIED),
            Err(Refusal::Mode) => {
                let mode = self.mode();
                return self.answer(id, &format!("{{\"mode\":{mode}}}"));
            }
            Err(Refusal::Params(text)) => return self.refuse(id, error_code::INVALID_PARAMS, &text),
            Err(Refusal::Forbidden(text)) => return self.refuse(id, REFUSED, &text),
        };
        if self.under_way.len() >= IN_FLIGHT || self.waiting_bytes + params.len() > WAITING_BYTES {
            let text =
                format!("too much is under way: {IN_FLIGHT} requests, or {WAITING_BYTES} bytes of them");
            return self.refuse(id, REFUSED, &text);
        }
        if self.under_way.values().any(|other| other.id == id) {
            return self.refuse(id, error_code::INVALID_REQUEST, "another request under way has this id");
        }
        let (params, progress) = without_token(&params);
        self.last_number += 1;
        let number = self.last_number;
        self.under_way.insert(number, UnderWay { id: id.to_owned(), progress, method: kind });
        let text =
            format!("{{\"type\":\"request\",\"id\":{number},\"method\":\"{name}\",\"params\":{params}}}");
        self.waiting_bytes += text.len();
        self.actions.push_back(Action::Do(text, Some(number)));
    }

    /// The parameters that the host gets, or why it gets none.
    fn judged(&self, name: &str, kind: Method, params: &str) -> Result<String, Refusal> {
        let needed = |member_name: &str| {
            member(params, member_name)
                .and_then(string)
                .ok_or_else(|| Refusal::Params(format!("'{name}' needs '{member_name}', a string")))
        };
        if is_ambiguous(params) || lenient::member(params, "_meta").is_some_and(is_ambiguous) {
            return Err(Refusal::Params("a member of the params is there twice".to_owned()));
        }
        match kind {
            Method::Server if name == "tools/call" => {
                let tool = needed("name")?;
                let shown: String = tool.chars().take(100).collect();
                match self.tools.as_ref().map(|tools| tools.get(tool.as_ref())) {
                    Some(Some(true)) => {}
                    Some(Some(false)) => {
                        return Err(Refusal::Forbidden(format!("'{shown}' is not for apps")));
                    }
                    Some(None) => {
                        return Err(Refusal::Forbidden(format!(
                            "the server has no tool '{shown}' that this host knows"
                        )));
                    }
                    None => {
                        return Err(Refusal::Forbidden(
                            "this host does not know the server's tools yet".to_owned(),
                        ));
                    }
                }
                // Written once: a server could read another of two names.
                return Ok(spliced(params, &[("name", &quote(&tool))]));
            }
            Method::Server if name == "resources/read" => {
                let uri = needed("uri")?;
                return Ok(spliced(params, &[("uri", &quote(&uri))]));
            }
            Method::OpenLink => {
                let url = needed("url")?;
                if !is_web_address(&url) {
                    return Err(Refusal::Denied);
                }
                return Ok(format!("{{\"url\":{}}}", quote(&url)));
            }
            Method::Message => {
                if needed("role")? != "user" {
                    return Err(Refusal::Params("'role' is not \"user\"".to_owned()));
                }
                let blocks = self.checked_blocks("message", member(params, "content").unwrap_or("null"))?;
                return Ok(spliced(params, &[("content", &blocks)]));
            }
            Method::Context => {
                let kinds = member(&self.capabilities, "updateModelContext").unwrap_or("{}");
                let is_taken = lenient::is_empty(kinds) || lenient::declares(kinds, "structuredContent");
                if lenient::member(params, "structuredContent").is_some() && !is_taken {
                    return Err(Refusal::Forbidden("this host takes no structuredContent".to_owned()));
                }
                if let Some(content) = lenient::member(params, "content") {
                    let blocks =
                        self.checked_blocks("updateModelContext", content).map_err(
                            |refusal| match refusal {
                                Refusal::Denied => Refusal::Forbidden(
                                    "this host does not take a block of this kind".to_owned(),
                                ),
                                other => other,
                            },
                        )?;
                    return Ok(spliced(params, &[("content", &blocks)]));
                }
            }
            Method::Mode => {
                let mode = needed("mode")?;
                let offered = context::modes(self.context.get("availableDisplayModes").map(String::as_str));
                let is_offered = offered.is_some_and(|modes| modes.iter().any(|one| *one == mode));
                let is_able = self.modes.as_ref().is_none_or(|modes| modes.iter().any(|one| *one == mode));
                if !is_offered || !is_able || string(self.mode()).is_some_and(|now| now == mode) {
                    return Err(Refusal::Mode);
                }
                return Ok(format!("{{\"mode\":{}}}", quote(&mode)));
            }
            Method::Download => {
                let contents = lenient::list(params, "contents");
                let contents =
                    contents.ok_or_else(|| Refusal::Params("'contents' is not a list".to_owned()))?;
                let mut names = Vec::new();
                for content in json::elements(&contents) {
                    if is_ambiguous(content) || member(content, "resource").is_some_and(is_ambiguous) {
                        return Err(Refusal::Params("a member of 'contents' is there twice".to_owned()));
                    }
                    let uri = match member(content, "type").and_then(string).as_deref() {
                        Some("resource_link") => {
                            let uri = member(content, "uri").and_then(string);
                            uri.filter(|uri| is_web_address(uri)).ok_or(Refusal::Denied)?
                        }
                        Some("resource") => member(content, "resource")
                            .and_then(|resource| member(resource, "uri"))
                            .and_then(string)
                            .ok_or_else(|| Refusal::Params("a resource has no 'uri'".to_owned()))?,
                        _ => {
                            return Err(Refusal::Params(
                                "'contents' has something else than resources and links".to_owned(),
                            ));
                        }
                    };
                    names.push(quote(&file_name(&uri)));
                }
                let names = format!("[{}]", names.join(","));
                return Ok(spliced(params, &[("contents", &contents), ("names", &names)]));
            }
            Method::Server => {}
        }
        Ok(spliced(params, &[]))
    }

    /// A block or a list of them as a list, if the host takes each of them there.
    fn checked_blocks(&self, capability: &str, content: &str) -> Result<String, Refusal> {
        let blocks = match json::kind(content) {
            Some(Kind::Object) => format!("[{content}]"),
            Some(Kind::Array) => content.to_owned(),
            _ => return Err(Refusal::Params("'content' is not a list of blocks".to_owned())),
        };
        let kinds = member(&self.capabilities, capability).unwrap_or("{}");
        for block in json::elements(&blocks) {
            if is_ambiguous(block) {
                return Err(Refusal::Params("a member of a block is there twice".to_owned()));
            }
            let kind = member(block, "type").and_then(string).unwrap_or_default();
            let kind = if kind == "resource_link" { "resourceLink" } else { kind.as_ref() };
            // An empty capability says nothing of kinds: text is what every host can take.
            let is_taken =
                if lenient::is_empty(kinds) { kind == "text" } else { lenient::declares(kinds, kind) };
            if !is_taken {
                return Err(Refusal::Denied);
            }
        }
        Ok(blocks)
    }

    fn initialize(&mut self, id: &str, params: &str) {
        let missing =
            [("protocolVersion", Kind::String), ("appInfo", Kind::Object), ("appCapabilities", Kind::Object)]
                .into_iter()
                .find(|(name, kind)| member(params, name).and_then(json::kind) != Some(*kind));
        if let Some((name, _)) = missing {
            return self.refuse(id, error_code::INVALID_PARAMS, &format!("'ui/initialize' needs '{name}'"));
        }
        // A page that was loaded again is another view: what the one before asked for is answered to none.
        self.end_requests();
        self.end_tools("the view was loaded again");
        self.actions.retain(|action| !matches!(action, Action::Say(_) | Action::Ask(..)));
        self.stage = Stage::Loading;
        self.is_answered = true;
        self.size = (None, None);
        self.changed.clear();
        let able = member(params, "appCapabilities").unwrap_or("{}");
        self.modes = context::modes(member(able, "availableDisplayModes"));
        self.offered.declared(able);
        let result = format!(
            "{{\"protocolVersion\":\"{REVISION}\",\"hostInfo\":{},\"hostCapabilities\":{},\"hostContext\":{}}}",
            self.host_info,
            self.capabilities,
            self.context()
        );
        self.answer(id, &result);
    }

    fn notified(&mut self, method: &str, params: &str) {
        if self.stage == Stage::Leaving {
            return;
        }
        match method {
            "ui/notifications/initialized" if self.is_answered && self.stage == Stage::Loading => {
                self.stage = Stage::Ready;
                self.event("ready");
                let changed = std::mem::take(&mut self.changed);
                if !changed.is_empty() {
                    self.notify("ui/notifications/host-context-changed", &object_of(&changed));
                }
                if let Some(input) = self.input.clone() {
                    self.notify("ui/notifications/tool-input", &input);
                }
                self.say_outcome();
                self.ask_for_tools("{}");
            }
            "notifications/tools/list_changed" if self.stage == Stage::Ready => self.ask_for_tools("{}"),
            "ui/notifications/size-changed" => self.resize(params),
            "ui/notifications/request-teardown" => self.event("teardown-requested"),
            "notifications/message" if lenient::declares(&self.capabilities, "logging") => {
                if params.len() > NOTIFICATION_BYTES {
                    return self.warn("a log message of the view is too long: dropped");
                }
                self.note(format!("{{\"type\":\"log\",\"params\":{}}}", spliced(params, &[])));
            }
            "notifications/cancelled" => {
                let asked = lenient::member(params, "requestId");
                let found = self
                    .under_way
                    .iter()
                    .find(|(_, it)| Some(it.id.as_str()) == asked)
                    .map(|(number, _)| *number);
                if let Some(number) = found {
                    self.cancel(number);
                }
            }
            // What this host does not know it may ignore; `sandbox-*` is between a host and its proxy, never of a view.
            _ => {}
        }
    }

    fn resize(&mut self, params: &str) {
        let asked = |name: &str| {
            let number = member(params, name).and_then(|it| json::double(it.as_bytes()))?;
            number.is_finite().then(|| number.clamp(0.0, LARGEST).ceil())
        };
        let settled = |now: Option<f64>, to: Option<f64>| match (now, to) {
            (Some(now), Some(to)) if to <= now && now - to <= SHRINKS_BY_MORE_THAN => Some(now),
            (now, to) => to.or(now),
        };
        let size = (settled(self.size.0, asked("width")), settled(self.size.1, asked("height")));
        if size == self.size {
            return;
        }
        self.size = size;
        // The host needs the last one only.
        self.actions.retain(|action| !matches!(action, Action::Size(..)));
        self.actions.push_back(Action::Size(size.0, size.1));
    }

    /// An answer of the view: that it ends, where an error is an answer, too; its tools; the outcome of one of them.
    fn answered(&mut self, id: Option<&str>, message: &str) {
        let Some(id) = id.and_then(lenient::number) else { return };
        // It guesses the number of what it was not asked yet: such answers would bring one request after another, of which the host takes
        // none.
        if self.actions.iter().any(|action| matches!(action, Action::Ask(unsent, _) if *unsent == id)) {
            return self.warn("the view answered a request before it was sent: dropped");
        }
        if self.stage == Stage::Leaving && self.leaving == Some(id) {
            return self.end();
        }
        let (result, error) = (member(message, "result"), member(message, "error"));
        if self.offered.is_list(id) {
            let tools = self.tools.as_ref();
            let mut warnings = Vec::new();
            let page = self.offered.page(
                result.and_then(lenient::as_object),
                |name| tools.is_some_and(|tools| tools.contains_key(name)),
                |warning| warnings.push(warning),
            );
            for warning in warnings {
                self.warn(&warning);
            }
            match page {
                Page::Next(params) => self.ask_for_page(&params),
                Page::Whole(told, again) => {
                    if let Some(told) = told {
                        self.tell_tools(told);
                    }
                    if again {
                        self.ask_for_tools("{}");
                    }
                }
            }
        } else if let Some((number, outcome)) = self.offered.answered(id, result, error) {
            self.actions.push_back(Action::Called(called(number, &outcome)));
        }
    }

    // The tools that the view offers.

    fn ask_for_tools(&mut self, params: &str) {
        if self.offered.wants_list() {
            self.ask_for_page(params);
        }
    }

    fn ask_for_page(&mut self, params: &str) {
        let id = self.ask("tools/list", params);
        self.offered.asked(id);
    }

    /// The host needs the last list only.
    fn tell_tools(&mut self, tools: String) {
        self.actions.retain(|action| !matches!(action, Action::Tools(_)));
        self.actions.push_back(Action::Tools(tools));
    }

    /// The view's tools are gone with it, and each call of them has its outcome.
    fn end_tools(&mut self, why: &str) {
        let (calls, had_tools) = self.offered.end();
        for number in calls {
            let error = format!("\"error\":{{\"code\":{REFUSED},\"message\":{}}}", quote(why));
            self.actions.push_back(Action::Called(called(number, &error)));
        }
        if had_tools {
            self.tell_tools("[]".to_owned());
        }
    }

    fn tell_call(&mut self, told: &str) -> Result<(), InvalidTold> {
        let Some(number) = member(told, "call").and_then(lenient::number) else {
            return invalid("'call' is not a number: the outcome comes back with it");
        };
        let arguments = lenient::member(told, "arguments").unwrap_or("{}");
        let Some(arguments) = lenient::as_object(arguments) else {
            return invalid("'arguments' is not an object");
        };
        let name = member(told, "name").and_then(string).unwrap_or_default();
        let unread = self.actions.iter().filter(|action| matches!(action, Action::Called(_))).count();
        let params =
            self.offered.call(number, &name, &spliced(arguments, &[]), unread).map_err(InvalidTold)?;
        let id = self.ask("tools/call", &params);
        self.offered.called(id, number, &name);
        Ok(())
    }

    fn tell_call_cancelled(&mut self, told: &str) -> Result<(), InvalidTold> {
        let Some(number) = member(told, "call").and_then(lenient::number) else {
            return invalid("'call' is not the number of a call");
        };
        // One that has ended meanwhile needs nothing more.
        if let Some(id) = self.offered.cancel(number) {
            let reason = member(told, "reason").filter(|it| json::kind(it) == Some(Kind::String));
            let reason = reason.map_or_else(String::new, |reason| format!(",\"reason\":{reason}"));
            self.notify("notifications/cancelled", &format!("{{\"requestId\":{id}{reason}}}"));
        }
        Ok(())
    }

    /// A request for the view; its id.
    fn ask(&mut self, method: &str, params: &str) -> u64 {
        self.last_number += 1;
        let id = self.last_number;
        let request =
            format!("{{\"jsonrpc\":\"2.0\",\"id\":{id},\"method\":\"{method}\",\"params\":{params}}}");
        self.actions.push_back(Action::Ask(id, request));
        id
    }

    // What the host tells.

    fn tell_input(&mut self, told: &str, is_partial: bool) -> Result<(), InvalidTold> {
        let arguments = lenient::member(told, "arguments").unwrap_or("{}");
        let Some(arguments) = lenient::as_object(arguments) else {
            return invalid("'arguments' is not an object");
        };
        if self.input.is_some() {
            return invalid("the input was told already; a view gets it once");
        }
        let params = format!("{{\"arguments\":{}}}", spliced(arguments, &[]));
        if is_partial {
            // What comes before the view is ready is told by the whole input.
            if self.stage == Stage::Ready {
                self.notify("ui/notifications/tool-input-partial", &params);
            }
            return Ok(());
        }
        if self.stage == Stage::Ready {
            self.notify("ui/notifications/tool-input", &params);
        }
        self.input = Some(params);
        Ok(())
    }

    fn end_call(&mut self, outcome: Outcome) -> Result<(), InvalidTold> {
        if self.input.is_none() {
            return invalid("the input comes first: tell {\"type\":\"input\",\"arguments\":{...}}");
        }
        if self.outcome.is_some() {
            return invalid("how the call ended was told already");
        }
        self.outcome = Some(outcome);
        if self.stage == Stage::Ready {
            self.say_outcome();
        }
        Ok(())
    }

    fn say_outcome(&mut self) {
        let (method, params) = match &self.outcome {
            None => return,
            Some(Outcome::Result(result)) => ("ui/notifications/tool-result", result.clone()),
            Some(Outcome::Cancelled(reason)) => {
                let params = reason
                    .as_ref()
                    .map_or_else(|| "{}".to_owned(), |reason| format!("{{\"reason\":{reason}}}"));
                ("ui/notifications/tool-cancelled", params)
            }
        };
        self.notify(method, &params);
    }

    /// A result as a view takes it: without the blocks and the members that would make it drop the whole.
    fn shown(&mut self, result: &str) -> String {
        let known = ["text", "image", "audio", "resource", "resource_link"];
        let content = lenient::list(result, "content").unwrap_or(Cow::Borrowed("[]"));
        let is_known = |block: &&str| {
            member(block, "type").and_then(string).is_some_and(|it| known.contains(&it.as_ref()))
        };
        let blocks: Vec<&str> = json::elements(&content).filter(is_known).collect();
        let left_out = json::elements(&content).count() - blocks.len();
        if left_out > 0 {
            self.warn(&format!(
                "{left_out} blocks of the result are of kinds that views do not know: left out"
            ));
        }
        let structured = member(result, "structuredContent");
        let is_odd = structured.is_some_and(|it| json::kind(it) != Some(Kind::Object));
        if is_odd {
            self.warn("the result's structuredContent is not an object: left out");
        }
        let kept = if is_odd { without(result, "structuredContent") } else { result.to_owned() };
        spliced(&kept, &[("content", &format!("[{}]", blocks.join(",")))])
    }

    fn tell_context(&mut self, told: &str) -> Result<(), InvalidTold> {
        let Some(changed) = member(told, "context") else {
            return invalid("'context' is missing: the changed members of hostContext");
        };
        if let Some(fault) = context::context_fault(changed) {
            return Err(InvalidTold(fault.replace("hostContext", "context")));
        }
        if let Some(mode) = member(changed, "displayMode").and_then(string)
            && self.modes.as_ref().is_some_and(|modes| modes.iter().all(|one| *one != mode))
        {
            return invalid(format!("'context.displayMode' is '{mode}', which the view cannot show"));
        }
        let changed = self.merge(changed);
        self.say_changed(changed);
        Ok(())
    }

    /// Tells the view what changed, or keeps it until it is ready.
    fn say_changed(&mut self, changed: SortedMap<String, String>) {
        if changed.is_empty() {
            return;
        }
        if self.stage == Stage::Ready {
            self.notify("ui/notifications/host-context-changed", &object_of(&changed));
        } else if self.is_answered {
            self.changed.extend(changed);
        }
    }

    fn tell_answer(&mut self, told: &str) -> Result<(), InvalidTold> {
        let number = self.number_of(told)?;
        let result = member(told, "result");
        let error = member(told, "error");
        let is_denied = member(told, "denied").is_some_and(|it| it == "true");
        let Some(request) = self.under_way.get(&number) else {
            // The view took it back, or was loaded again, while the host worked on it.
            return Ok(());
        };
        let (id, kind) = (request.id.clone(), request.method);
        match (result, error, is_denied) {
            (Some(result), None, false) => {
                let Some(result) = lenient::as_object(result) else {
                    return invalid("'result' is not an object");
                };
                if kind == Method::Mode {
                    let Some(mode) = member(result, "mode").filter(|mode| {
                        context::modes(Some(&format!("[{mode}]"))).is_some_and(|it| !it.is_empty())
                    }) else {
                        return invalid("'result.mode' is not inline, fullscreen or pip");
                    };
                    let mode = mode.to_owned();
                    self.under_way.remove(&number);
                    self.answer(&id, &format!("{{\"mode\":{mode}}}"));
                    let changed = self.merge(&format!("{{\"displayMode\":{mode}}}"));
                    self.say_changed(changed);
                    return Ok(());
                }
                let result = spliced(result, &[]);
                self.under_way.remove(&number);
                self.answer(&id, &result);
            }
            (None, Some(error), false) => {
                let code =
                    member(error, "code").and_then(lenient::code).unwrap_or(error_code::INTERNAL_ERROR);
                let text = member(error, "message").and_then(string);
                let text = text.unwrap_or(Cow::Borrowed("the request failed")).into_owned();
                self.under_way.remove(&number);
                self.refuse(&id, code, &text);
            }
            (None, None, true) => {
                self.under_way.remove(&number);
                match kind {
                    Method::OpenLink | Method::Message | Method::Download => self.answer(&id, DENIED),
                    Method::Mode => {
                        let mode = self.mode();
                        let answer = format!("{{\"mode\":{mode}}}");
                        self.answer(&id, &answer);
                    }
                    Method::Server | Method::Context => self.refuse(&id, REFUSED, "the host refused it"),
                }
            }
            _ => return invalid("an answer has one of 'result', 'error' and 'denied' (true)"),
        }
        Ok(())
    }

    fn tell_progress(&mut self, told: &str) -> Result<(), InvalidTold> {
        let number = self.number_of(told)?;
        let Some(params) = member(told, "params").and_then(lenient::as_object) else {
            return invalid("'params' is not an object: 'progress', and 'total' and 'message' if there are");
        };
        let token = self.under_way.get(&number).and_then(|request| request.progress.clone());
        if let Some(token) = token {
            let params = spliced(params, &[("progressToken", &token)]);
            self.notify("notifications/progress", &params);
        }
        Ok(())
    }

    fn number_of(&self, told: &str) -> Result<u64, InvalidTold> {
        let number = member(told, "id")
            .and_then(lenient::number)
            .filter(|number| (1..=self.last_number).contains(number));
        number.ok_or_else(|| InvalidTold("'id' is not that of a request of this view".to_owned()))
    }

    fn tear_down(&mut self, reason: Option<&str>) {
        self.end_requests();
        if !self.is_answered {
            // No page ever spoke: there is none to ask.
            return self.end();
        }
        if self.stage == Stage::Leaving {
            return;
        }
        self.stage = Stage::Leaving;
        self.end_tools("the view is being removed");
        let params =
            reason.map_or_else(|| "{}".to_owned(), |reason| format!("{{\"reason\":{}}}", quote(reason)));
        self.leaving = Some(self.ask("ui/resource-teardown", &params));
    }

    fn know_tools(&mut self, tools: &str) -> Result<(), InvalidTold> {
        if json::kind(tools) != Some(Kind::Array) {
            return invalid("'tools' is not an array of definitions of tools");
        }
        let named = json::elements(tools).filter_map(|tool| {
            let name = string(member(tool, "name")?)?.into_owned();
            Some((name, visibility(tool).app))
        });
        let tools: SortedMap<String, bool> = json::inserted(named);
        let (left, taken) = self.offered.without(|name| tools.contains_key(name));
        self.tools = Some(tools);
        for name in taken {
            self.warn(&format!("the view's tool '{name}' is left out: the server has one of that name now"));
        }
        if let Some(left) = left {
            self.tell_tools(left);
        }
        Ok(())
    }

    // What goes out.

    fn end(&mut self) {
        self.stage = Stage::Ended;
        self.actions
            .retain(|action| matches!(action, Action::Do(_, None) | Action::Tools(_) | Action::Called(_)));
        self.waiting_bytes = 0;
        self.event("ended");
    }

    /// Ends the requests of a view that is gone: the host is told of those that it has.
    fn end_requests(&mut self) {
        let numbers: Vec<u64> = self.under_way.keys().copied().collect();
        for number in numbers {
            self.cancel(number);
        }
    }

    /// Takes a request back: the host never sees it, or is told that it need not go on.
    fn cancel(&mut self, number: u64) {
        self.under_way.remove(&number);
        let waits = self
            .actions
            .iter()
            .position(|action| matches!(action, Action::Do(_, Some(other)) if *other == number));
        match waits.and_then(|at| self.actions.remove(at)) {
            Some(Action::Do(text, _)) => self.waiting_bytes -= text.len(),
            _ => self.actions.push_back(Action::Do(format!("{{\"type\":\"cancel\",\"id\":{number}}}"), None)),
        }
    }

    fn event(&mut self, name: &str) {
        let text = format!("{{\"type\":\"{name}\"}}");
        let is_there =
            self.actions.iter().any(|action| matches!(action, Action::Do(other, None) if *other == text));
        if !is_there {
            self.actions.push_back(Action::Do(text, None));
        }
    }

    fn list_changed(&mut self, capability: &str, method: &str) {
        let tells = lenient::object(&self.capabilities, capability)
            .is_some_and(|it| lenient::declares(it, "listChanged"));
        if tells && self.stage == Stage::Ready {
            self.notify(method, "{}");
        }
    }

    fn notify(&mut self, method: &str, params: &str) {
        self.say(format!("{{\"jsonrpc\":\"2.0\",\"method\":\"{method}\",\"params\":{params}}}"));
    }

    fn answer(&mut self, id: &str, result: &str) {
        self.say(format!("{{\"jsonrpc\":\"2.0\",\"id\":{id},\"result\":{result}}}"));
    }

    fn refuse(&mut self, id: &str, code: i64, text: &str) {
        self.say(format!(
            "{{\"jsonrpc\":\"2.0\",\"id\":{id},\"error\":{{\"code\":{code},\"message\":{}}}}}",
            quote(text)
        ));
    }

    /// A message for the view. A host that takes none for long has a view that asks on: what is answered at once has a bound, too.
    fn say(&mut self, message: String) {
        if self.actions.len() >= WAITING {
            self.dropped += 1;
            return;
        }
        self.actions.push_back(Action::Say(message));
    }

    fn warn(&mut self, text: &str) {
        self.note(format!("{{\"type\":\"warning\",\"text\":{}}}", quote(text)));
    }

    fn note(&mut self, text: String) {
        let waiting = self.actions.iter().filter(|action| matches!(action, Action::Note(_))).count();
        if waiting >= NOTES {
            self.dropped += 1;
            return;
        }
        self.actions.push_back(Action::Note(text));
    }

    /// The messages that were dropped because the host took none for long.
    pub fn dropped(&self) -> u64 {
        self.dropped
    }

    fn mode(&self) -> &str {
        self.context.get("displayMode").map_or("\"inline\"", String::as_str)
    }

    fn context(&self) -> String {
        object_of(&self.context)
    }

    /// Takes changed members into the context. Gives those that are not as they were.
    fn merge(&mut self, changed: &str) -> SortedMap<String, String> {
        let mut differing = SortedMap::new();
        for (name, value) in members(changed) {
            let value = one_line(value);
            if self.context.get(name) != Some(&value) {
                differing.insert(name.to_owned(), value.clone());
                self.context.insert(name.to_owned(), value);
            }
        }
        differing
    }
}

/// The bytes of the name of a file, with room below what file systems take.
const NAME_BYTES: usize = 200;
/// The answer where a person or the host says no: views of the official package look for it.
const DENIED: &str = "{\"isError\":true}";
/// The actions of all kinds that wait for the host.
const WAITING: usize = 1000;

/// Why the host does not get a request.
#[derive(Debug)]
enum Refusal {
    /// As when a person says no.
    Denied,
    /// The mode stays as it is.
    Mode,
    Params(String),
    Forbidden(String),
}

/// An object that the host gave, checked.
fn checked<'a>(text: &'a str, what: &str) -> Result<&'a str, InvalidTold> {
    let value = json::scan_value(text.as_bytes(), DEPTH)
        .map_err(|error| InvalidTold(format!("{what} cannot be read as JSON: {error}")))?;
    let object = value.span.str(text);
    if json::kind(object) == Some(Kind::Object) {
        Ok(object)
    } else {
        invalid(format!("{what} is not an object"))
    }
}

fn text_of(bytes: Vec<u8>) -> String {
    // What is spliced from texts is text.
    String::from_utf8(bytes).unwrap_or_default()
}

fn spliced(object: &str, add: &[(&str, &str)]) -> String {
    let mut out = Vec::with_capacity(object.len());
    splice_into(object, add, &mut out);
    text_of(out)
}

fn one_line(value: &str) -> String {
    let mut out = Vec::with_capacity(value.len());
    json::one_line_into(value, &mut out);
    text_of(out)
}

/// The action that a call of one of the view's tools has ended.
fn called(number: u64, outcome: &str) -> String {
    format!("{{\"type\":\"called\",\"call\":{number},{outcome}}}")
}

fn object_of(members: &SortedMap<String, String>) -> String {
    let members: Vec<String> = members.iter().map(|(name, value)| format!("\"{name}\":{value}")).collect();
    format!("{{{}}}", members.join(","))
}

/// An object without a member.
fn without(object: &str, name: &str) -> String {
    let is_other = |written: &str| string(&format!("\"{written}\"")).is_none_or(|own| own != name);
    let kept: Vec<String> = members(object)
        .filter(|(written, _)| is_other(written))
        .map(|(written, value)| format!("\"{written}\":{value}"))
        .collect();
    format!("{{{}}}", kept.join(","))
}

/// The parameters without the token of the view, which means nothing to the server, and the token.
fn without_token(params: &str) -> (String, Option<String>) {
    let Some(meta) = lenient::object(params, "_meta") else { return (params.to_owned(), None) };
    let token = member(meta, "progressToken");
    let token =
        token.filter(|it| matches!(json::kind(it), Some(Kind::String | Kind::Number)) && it.len() <= 1024);
    let rest = without(meta, "progressToken");
    let params = if rest == "{}" { without(params, "_meta") } else { spliced(params, &[("_meta", &rest)]) };
    (params, token.map(str::to_owned))
}

/// The definition of a tool with an input schema, without which a view of the official package takes nothing.
fn with_schema(tool: &str) -> String {
    match lenient::object(tool, "inputSchema") {
        Some(_) => one_line(tool),
        None => spliced(tool, &[("inputSchema", "{\"type\":\"object\"}")]),
    }
}

/// Whether an address is one of the web: `http` or `https`, a host, no user before it, and nothing that an opener could read otherwise.
fn is_web_address(url: &str) -> bool {
    let Some((scheme, rest)) = url.split_once("://") else { return false };
    let host = rest.split(['/', '?', '#']).next().unwrap_or_default();
    (scheme.eq_ignore_ascii_case("https") || scheme.eq_ignore_ascii_case("http"))
        && !host.is_empty()
        && !host.starts_with([':', '.'])
        && !host.contains('@')
        && url.chars().all(|c| {
            !c.is_control()
                && !c.is_whitespace()
                && !"\\\"<>`{}|^".contains(c)
                && !crate::protocol::visible::is_hidden(c)
        })
}

/// The name for the file of a URI: its last segment, without what leads elsewhere.
fn file_name(uri: &str) -> String {
    let path = uri.split(['?', '#']).next().unwrap_or_default();
    let last = path.rsplit('/').next().unwrap_or_default();
    let decoded = crate::uri_template::percent_decoded(last);
    let decoded = decoded.unwrap_or_else(|| last.to_owned());
    let name: String = decoded
        .chars()
        .map(|c| {
            if c.is_control() || "/\\:*?\"<>|".contains(c) || crate::protocol::visible::is_hidden(c) {
                '_'
            } else {
                c
            }
        })
        .collect();
    let end = (0..=name.len().min(NAME_BYTES)).rev().find(|end| name.is_char_boundary(*end)).unwrap_or(0);
    let name = name[..end].trim_matches(['.', ' ']);
    let stem = name.split('.').next().unwrap_or_default().to_ascii_lowercase();
    let is_device = ["con", "prn", "aux", "nul"].contains(&stem.as_str())
        || (stem.len() == 4 && ["com", "lpt"].iter().any(|device| stem.starts_with(device)));
    match (name.is_empty(), is_device) {
        (true, _) => "download".to_owned(),
        (false, true) => format!("_{name}"),
        (false, false) => name.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    const SETTINGS: &str = r#"{"hostInfo":{"name":"h","version":"1"},
        "hostCapabilities":{"serverTools":{"listChanged":true},"serverResources":{},"logging":{},"openLinks":{},"downloadFile":{},"message":{"text":{}},"updateModelContext":{}},
        "hostContext":{"theme":"dark","availableDisplayModes":["inline","fullscreen"]},
        "tool":{"name":"chart","_meta":{"ui":{"resourceUri":"ui://c"}}},
        "tools":[{"name":"chart"},{"name":"secret","_meta":{"ui":{"visibility":["model"]}}},{"name":"draw","_meta":{"ui":{"visibility":["app"]}}}]}"#;

    fn view() -> View {
        View::new(SETTINGS).expect("good settings")
    }

    /// What a view is asked to do next, each as a value.
    fn drain(view: &mut View) -> Vec<Value> {
        std::iter::from_fn(|| view.poll()).map(|text| serde_json::from_str(&text).expect("JSON")).collect()
    }

    /// The message for the view that is the only action.
    fn said(view: &mut View) -> Value {
        let mut all = drain(view);
        assert_eq!(all.len(), 1, "{all:?}");
        assert_eq!(all[0]["type"], "message", "{all:?}");
        all.remove(0)["message"].take()
    }

    fn says(view: &mut View, message: &Value) {
        view.receive(&message.to_string());
    }

    fn asks(view: &mut View, id: u64, method: &str, params: &Value) {
        says(view, &json!({"jsonrpc":"2.0","id":id,"method":method,"params":params}));
    }

    fn tells(view: &mut View, method: &str, params: &Value) {
        says(view, &json!({"jsonrpc":"2.0","method":method,"params":params}));
    }

    const ABLE: &str = r#"{"protocolVersion":"2026-01-26","appInfo":{"name":"v","version":"1"},"appCapabilities":{"availableDisplayModes":["inline","fullscreen"]}}"#;

    fn begin(view: &mut View) {
        asks(view, 0, "ui/initialize", &serde_json::from_str(ABLE).expect("JSON"));
        let answer = said(view);
        assert_eq!(answer["result"]["protocolVersion"], REVISION);
        tells(view, "ui/notifications/initialized", &json!({}));
    }

    fn ready() -> View {
        let mut view = view();
        begin(&mut view);
        assert_eq!(drain(&mut view), [json!({"type":"ready"})]);
        view
    }

    #[test]
    fn a_view_is_answered_and_gets_its_input_once_and_then_what_came_of_it() {
        let mut view = view();
        view.tell(r#"{"type":"input-partial","arguments":{"a":1}}"#).expect("kept for the whole");
        view.tell(r#"{"type":"input"}"#).expect("no arguments are empty ones");
        view.tell(r#"{"type":"result","result":{"content":[{"type":"text","text":"42"},{"type":"hologram"}],"structuredContent":[1]}}"#).expect("told");
        let warnings = drain(&mut view);
        assert_eq!(warnings.len(), 2, "{warnings:?}");
        asks(&mut view, 7, "ui/initialize", &serde_json::from_str(ABLE).expect("JSON"));
        let answer = said(&mut view);
        assert_eq!(answer["id"], 7);
        let context = &answer["result"]["hostContext"];
        assert_eq!(context["toolInfo"]["tool"]["inputSchema"], json!({"type":"object"}));
        assert_eq!((&context["theme"], &context["displayMode"]), (&json!("dark"), &json!("inline")));
        // Only answers go out before it is ready; what changes meanwhile is told then.
        view.tell(r#"{"type":"context","context":{"theme":"light"}}"#).expect("told");
        asks(&mut view, 8, "ping", &json!({}));
        assert_eq!(said(&mut view)["id"], 8);
        tells(&mut view, "ui/notifications/initialized", &json!({}));
        let all = drain(&mut view);
        let methods: Vec<_> =
            all.iter().map(|it| it["message"]["method"].as_str().unwrap_or_default()).collect();
        assert_eq!(
            methods,
            [
                "",
                "ui/notifications/host-context-changed",
                "ui/notifications/tool-input",
                "ui/notifications/tool-result"
            ]
        );
        assert_eq!(all[1]["message"]["params"], json!({"theme":"light"}));
        assert_eq!(all[2]["message"]["params"], json!({"arguments":{}}));
        assert_eq!(all[3]["message"]["params"], json!({"content":[{"type":"text","text":"42"}]}));
        for (again, why) in [
            (r#"{"type":"input","arguments":{}}"#, "told already"),
            (r#"{"type":"result","result":{}}"#, "told already"),
            (r#"{"type":"input","arguments":[1]}"#, "not an object"),
            (r#"{"type":"other"}"#, "no type 'other'"),
            ("[]", "not an object"),
            ("{", "cannot be read"),
            (r#"{"type":"answer","id":99,"result":{}}"#, "'id' is not that of a request"),
            (r#"{"type":"context","context":{"theme":"blue"}}"#, "'context.theme' is not one of light, dark"),
            (r#"{"type":"context","context":{"displayMode":"pip"}}"#, "which the view cannot show"),
        ] {
            let refused = view.tell(again).expect_err(again).to_string();
            assert!(refused.contains(why), "{again}: {refused}");
        }
        assert!(drain(&mut view).is_empty());
        let early = View::new(SETTINGS).expect("good").tell(r#"{"type":"cancelled"}"#).expect_err("no input");
        assert!(early.to_string().contains("the input comes first"));
    }

    #[test]
    fn a_page_that_is_loaded_again_is_told_again() {
        let mut view = ready();
        view.tell(r#"{"type":"input","arguments":{"a":1.50}}"#).expect("told");
        view.tell(r#"{"type":"cancelled","reason":"no"}"#).expect("told");
        asks(&mut view, 1, "tools/call", &json!({"name":"draw"}));
        asks(&mut view, 2, "tools/call", &json!({"name":"chart"}));
        let number = drain(&mut view)[2]["id"].as_u64().expect("a number");
        asks(&mut view, 3, "tools/call", &json!({"name":"draw"}));
        begin_again(&mut view, number);
    }

    fn begin_again(view: &mut View, number: u64) {
        asks(view, 0, "ui/initialize", &serde_json::from_str(ABLE).expect("JSON"));
        let all = drain(view);
        let cancelled = all.iter().filter(|it| it["type"] == "cancel").count();
        assert_eq!((all.len(), cancelled), (3, 2), "what the host has not seen it need not cancel: {all:?}");
        view.tell(&format!(r#"{{"type":"answer","id":{number},"result":{{}}}}"#))
            .expect("late, and no fault");
        assert!(drain(view).is_empty(), "answers for the view before are dropped");
        tells(view, "ui/notifications/initialized", &json!({}));
        let all: Vec<_> = std::iter::from_fn(|| view.poll()).collect();
        assert!(all[1].contains(r#""arguments":{"a":1.50}"#), "as it was written: {all:?}");
        assert!(all[2].contains("tool-cancelled") && all[2].contains(r#""reason":"no""#));
    }

    #[test]
    fn a_view_gets_what_its_host_offers_and_may_call_what_is_for_views() {
        let ok = None;
        for (method, params, code) in [
            ("tools/call", json!({"name":"draw","arguments":{}}), ok),
            ("tools/call", json!({"name":"chart"}), ok),
            ("tools/call", json!({"name":"secret"}), Some(-32000)),
            ("tools/call", json!({"name":"unseen"}), Some(-32000)),
            ("tools/call", json!({}), Some(-32602)),
            ("tools/call", json!([1]), Some(-32602)),
            ("resources/read", json!({"uri":"ui://c"}), ok),
            ("resources/read", json!({}), Some(-32602)),
            ("tools/list", json!({}), ok),
            ("sampling/createMessage", json!({}), Some(-32601)),
            ("completion/complete", json!({}), Some(-32601)),
            ("initialize", json!({}), Some(-32601)),
            ("ui/unknown", json!({}), Some(-32601)),
            ("ui/notifications/sandbox-proxy-ready", json!({}), Some(-32601)),
            ("ui/initialize", json!({"protocolVersion":"1","appInfo":{}}), Some(-32602)),
            ("ui/message", json!({"role":"assistant","content":[]}), Some(-32602)),
            ("ui/update-model-context", json!({"structuredContent":{}}), ok),
        ] {
            let mut view = ready();
            asks(&mut view, 5, method, &params);
            let all = drain(&mut view);
            assert_eq!(all.len(), 1, "{method} {params}: {all:?}");
            if let Some(code) = code {
                assert_eq!(all[0]["message"]["error"]["code"], code, "{method} {params}: {all:?}");
                assert_eq!(all[0]["message"]["id"], 5);
            } else {
                assert_eq!(
                    (&all[0]["type"], &all[0]["method"]),
                    (&json!("request"), &json!(method)),
                    "{all:?}"
                );
            }
        }
        // What a host does not offer is not there; of links it is a refusal.
        let mut bare = View::new(r#"{"hostInfo":{"name":"h","version":"1"}}"#).expect("good");
        begin(&mut bare);
        drain(&mut bare);
        for (method, is_error) in
            [("tools/call", true), ("resources/read", true), ("ui/open-link", false), ("ui/message", false)]
        {
            asks(
                &mut bare,
                1,
                method,
                &json!({"name":"a","uri":"b","url":"https://a.example","role":"user","content":[]}),
            );
            let answer = said(&mut bare);
            assert_eq!(answer["error"]["code"] == -32601, is_error, "{answer}");
            assert_eq!(answer["result"] == json!({"isError":true}), !is_error, "{answer}");
        }
    }

    #[test]
    fn of_what_is_there_twice_nothing_goes_out() {
        let link = r#"{"type":"resource_link","uri":"https://a.example/a"}"#;
        for (method, params) in [
            ("tools/call", r#"{"name":"secret","name":"draw"}"#.to_owned()),
            ("tools/call", r#"{"Name":"secret","name":"draw"}"#.to_owned()),
            ("tools/call", r#"{"name":"draw","_meta":{"progressToken":1},"_meta":null}"#.to_owned()),
            (
                "ui/download-file",
                format!(
                    r#"{{"contents":[{{"type":"resource_link","uri":"file:///a"}}],"contents":[{link}]}}"#
                ),
            ),
            (
                "ui/download-file",
                r#"{"contents":[{"type":"resource_link","uri":"file:///a","uri":"https://a.example"}]}"#
                    .to_owned(),
            ),
            (
                "ui/message",
                r#"{"role":"user","content":[{"type":"image","type":"text","text":"a"}]}"#.to_owned(),
            ),
            ("ui/update-model-context", r#"{"content":{"type":"image","typ\u0065":"text"}}"#.to_owned()),
            ("ui/update-model-context", r#"{"content":"text"}"#.to_owned()),
        ] {
            let mut view = ready();
            view.receive(&format!(r#"{{"jsonrpc":"2.0","id":1,"method":"{method}","params":{params}}}"#));
            assert_eq!(said(&mut view)["error"]["code"], -32602, "{method} {params}");
        }
        let mut view = ready();
        view.receive(r#"{"jsonrpc":"2.0","id":1,"method":"ping","METHOD":"tools/call"}"#);
        assert_eq!(drain(&mut view)[0]["type"], "warning");
        // What a tool takes is the server's.
        view.receive(r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"draw","arguments":{"a":1,"A":2}}}"#);
        assert_eq!(drain(&mut view)[0]["params"]["arguments"], json!({"a":1,"A":2}));
    }

    #[test]
    fn the_context_of_a_model_has_what_the_host_takes() {
        let settings = SETTINGS.replace(r#""updateModelContext":{}"#, r#""updateModelContext":{"text":{}}"#);
        for (params, goes) in [
            (json!({"content":[{"type":"text","text":"a"}]}), true),
            (json!({"content":{"type":"text","text":"a"}}), true),
            (json!({}), true),
            (json!({"content":{"type":"image","data":""}}), false),
            (json!({"content":{"0":{"type":"text","text":"a"}}}), false),
            (json!({"structuredContent":{}}), false),
        ] {
            let mut view = View::new(&settings).expect("good");
            begin(&mut view);
            drain(&mut view);
            asks(&mut view, 1, "ui/update-model-context", &params);
            let all = drain(&mut view);
            assert_eq!(all[0]["type"] == "request", goes, "{params}: {all:?}");
            assert_eq!(all[0]["message"]["error"]["code"] == -32000, !goes, "{params}: {all:?}");
            assert!(!goes || all[0]["params"].get("content").is_none_or(Value::is_array), "{all:?}");
        }
    }

    #[test]
    fn the_name_of_a_file_is_one_on_each_system() {
        for (uri, name) in [
            ("https://a/CON", "_CON"),
            ("https://a/nul.txt", "_nul.txt"),
            ("x/com1", "_com1"),
            ("x/comma", "comma"),
            ("x/..", "download"),
        ] {
            assert_eq!(file_name(uri), name, "{uri}");
        }
        assert_eq!(file_name(&"\u{1f600}".repeat(100)).len(), 200);
    }

    #[test]
    fn what_goes_out_is_as_it_was_written() {
        let mut view = ready();
        view.receive(r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"n\u0061me":"draw","arguments":{"x":1e400}}}"#);
        let text = view.poll().expect("a request");
        assert_eq!(
            text,
            r#"{"type":"request","id":1,"method":"tools/call","params":{"arguments":{"x":1e400},"name":"draw"}}"#
        );
    }

    #[test]
    fn ids_are_of_three_spaces_and_progress_finds_its_way() {
        let mut view = ready();
        says(
            &mut view,
            &json!({"jsonrpc":"2.0","id":"a","method":"tools/call","params":{"name":"draw","_meta":{"progressToken":"t","k":1}}}),
        );
        let request = drain(&mut view).remove(0);
        assert_eq!(request["params"]["_meta"], json!({"k":1}), "the view's token means nothing elsewhere");
        view.tell(&json!({"type":"progress","id":request["id"],"params":{"progress":0.5}}).to_string())
            .expect("told");
        assert_eq!(said(&mut view)["params"], json!({"progress":0.5,"progressToken":"t"}));
        asks(&mut view, 2, "tools/call", &json!({"name":"draw"}));
        says(&mut view, &json!({"jsonrpc":"2.0","id":"a","method":"tools/call","params":{"name":"draw"}}));
        let all = drain(&mut view);
        assert_eq!(all[1]["message"]["error"]["code"], -32600, "the id is in use: {all:?}");
        tells(&mut view, "notifications/cancelled", &json!({"requestId":"a"}));
        tells(&mut view, "notifications/cancelled", &json!({"requestId":"b"}));
        assert_eq!(drain(&mut view), [json!({"type":"cancel","id":request["id"]})]);
        view.tell(
            &json!({"type":"answer","id":all[0]["id"],"error":{"code":-32602,"message":"no"}}).to_string(),
        )
        .expect("told");
        assert_eq!(said(&mut view), json!({"jsonrpc":"2.0","id":2,"error":{"code":-32602,"message":"no"}}));
    }

    #[test]
    fn a_person_says_yes_or_no_to_links_files_and_messages() {
        for (url, goes) in [
            ("https://a.example/x?y#z", true),
            ("HTTP://a.example", true),
            ("javascript:alert(1)", false),
            ("file:///etc/passwd", false),
            ("https://", false),
            ("https:///x", false),
            ("https://user@a.example", false),
            ("https://a.example\\@b.example", false),
            ("https://a.example/\u{202e}gpj", false),
            (" https://a.example", false),
            ("mailto:a@b.example", false),
        ] {
            let mut view = ready();
            asks(&mut view, 1, "ui/open-link", &json!({"url":url}));
            let all = drain(&mut view);
            assert_eq!(all[0]["type"] == "request", goes, "{url}: {all:?}");
            if goes {
                view.tell(&json!({"type":"answer","id":all[0]["id"],"denied":true}).to_string())
                    .expect("told");
                assert_eq!(said(&mut view)["result"], json!({"isError":true}));
            } else {
                assert_eq!(all[0]["message"]["result"], json!({"isError":true}), "{url}");
            }
        }
        let mut view = ready();
        for (content, goes) in [
            (json!({"type":"text","text":"a"}), true),
            (json!([{"type":"text","text":"a"},{"type":"text","text":"b"}]), true),
            (json!([{"type":"image","data":"","mimeType":"image/png"}]), false),
        ] {
            asks(&mut view, 1, "ui/message", &json!({"role":"user","content":content}));
            let all = drain(&mut view);
            assert_eq!(all[0]["type"] == "request", goes, "{content}: {all:?}");
            if goes {
                assert!(all[0]["params"]["content"].is_array());
                view.tell(&json!({"type":"answer","id":all[0]["id"],"result":{}}).to_string()).expect("told");
                assert_eq!(said(&mut view)["result"], json!({}));
            }
        }
        let uri = |uri: &str| json!({"type":"resource","resource":{"uri":uri,"text":""}});
        asks(
            &mut view,
            2,
            "ui/download-file",
            &json!({"contents":[uri("file:///a/%2e%2e%2fb.txt"), uri("x:.."), uri("ui://a/"), uri("ui://a/b%00%0a.csv?x"), {"type":"resource_link","uri":"https://a.example/c.pdf"}]}),
        );
        let asked = drain(&mut view).remove(0);
        assert_eq!(
            asked["params"]["names"],
            json!(["_b.txt", "x_", "download", "b__.csv", "c.pdf"]),
            "{asked}"
        );
        asks(
            &mut view,
            3,
            "ui/download-file",
            &json!({"contents":[{"type":"resource_link","uri":"file:///etc/passwd"}]}),
        );
        assert_eq!(said(&mut view)["result"], json!({"isError":true}));
    }

    #[test]
    fn a_mode_is_one_that_both_have_and_a_size_settles() {
        let mut view = ready();
        for mode in ["inline", "pip", "huge"] {
            asks(&mut view, 1, "ui/request-display-mode", &json!({"mode":mode}));
            assert_eq!(said(&mut view)["result"], json!({"mode":"inline"}), "{mode}");
        }
        asks(&mut view, 1, "ui/request-display-mode", &json!({"mode":"fullscreen"}));
        let asked = drain(&mut view).remove(0);
        view.tell(&json!({"type":"answer","id":asked["id"],"result":{"mode":"fullscreen"}}).to_string())
            .expect("told");
        let all = drain(&mut view);
        assert_eq!(all[0]["message"]["result"], json!({"mode":"fullscreen"}));
        assert_eq!(all[1]["message"]["params"], json!({"displayMode":"fullscreen"}));
        for (asked, becomes) in [
            (json!({"width":300,"height":200.2}), Some(json!({"type":"size","width":300,"height":201}))),
            (json!({"height":198}), None),
            (json!({"height":100}), Some(json!({"type":"size","width":300,"height":100}))),
            (json!({"height":1e99}), Some(json!({"type":"size","width":300,"height":100_000}))),
            (json!({"height":"7","width":-5}), Some(json!({"type":"size","width":0,"height":100_000}))),
            (json!({}), None),
        ] {
            tells(&mut view, "ui/notifications/size-changed", &asked);
            assert_eq!(drain(&mut view).pop(), becomes, "{asked}");
        }
        tells(&mut view, "ui/notifications/size-changed", &json!({"height":1}));
        tells(&mut view, "ui/notifications/size-changed", &json!({"height":50}));
        assert_eq!(drain(&mut view).len(), 1, "the last one is enough");
    }

    #[test]
    fn a_view_that_is_removed_is_asked_first_and_hears_nothing_after() {
        for answer in [json!({"result":{}}), json!({"error":{"code":-32601,"message":"what"}})] {
            let mut view = ready();
            asks(&mut view, 1, "tools/call", &json!({"name":"draw"}));
            drain(&mut view);
            view.tell(r#"{"type":"teardown","reason":"closed"}"#).expect("told");
            let all = drain(&mut view);
            assert_eq!(all[0]["type"], "cancel");
            let asked = &all[1]["message"];
            assert_eq!(
                (&asked["method"], &asked["params"]),
                (&json!("ui/resource-teardown"), &json!({"reason":"closed"}))
            );
            asks(&mut view, 2, "tools/call", &json!({"name":"draw"}));
            assert_eq!(said(&mut view)["error"]["code"], -32000);
            says(&mut view, &json!({"jsonrpc":"2.0","id":999,"result":{}}));
            assert!(!view.has_ended(), "an answer to something else");
            let mut answer = answer;
            answer["jsonrpc"] = json!("2.0");
            answer["id"] = asked["id"].clone();
            says(&mut view, &answer);
            assert!(view.has_ended());
            assert_eq!(drain(&mut view), [json!({"type":"ended"})]);
            asks(&mut view, 3, "ping", &json!({}));
            assert!(drain(&mut view).is_empty());
            view.tell(r#"{"type":"teardown"}"#).expect_err("over");
        }
        let mut unborn = view();
        unborn.tell(r#"{"type":"teardown"}"#).expect("told");
        assert_eq!(drain(&mut unborn), [json!({"type":"ended"})], "no page spoke, and none is asked");
    }

    #[test]
    fn a_hostile_view_costs_its_host_a_bounded_sum() {
        let mut view = ready();
        for text in [
            "",
            "{",
            "[]",
            "7",
            "null",
            r#"{"jsonrpc":"1.0"}"#,
            r#"{"jsonrpc":"2.0"}"#,
            r#"{"jsonrpc":"2.0","id":1,"result":{}}"#,
        ] {
            view.receive(text);
        }
        view.receive(&"[".repeat(100_000));
        view.receive(&format!(r#"{{"jsonrpc":"2.0","method":"{}"}}"#, "x".repeat(5 << 20)));
        for id in 0..10_000_u64 {
            asks(&mut view, id, "tools/call", &json!({"name":"draw","arguments":{"a":"x".repeat(1000)}}));
            tells(&mut view, "notifications/message", &json!({"data":id}));
            tells(&mut view, "ui/notifications/size-changed", &json!({"height":id}));
            tells(&mut view, "ui/notifications/request-teardown", &json!({}));
            asks(&mut view, id, "ping", &json!({}));
        }
        for id in [json!({}), json!([]), json!(true), json!("x".repeat(2000))] {
            says(&mut view, &json!({"jsonrpc":"2.0","id":id,"method":"ping"}));
        }
        assert!(view.actions.len() <= WAITING + NOTES + IN_FLIGHT + 4, "{}", view.actions.len());
        assert!(
            view.dropped() > 0 && view.under_way.len() <= IN_FLIGHT && view.waiting_bytes <= WAITING_BYTES
        );
        // One that holds much is refused by its bytes.
        let mut view = ready();
        for id in 0..8_u64 {
            asks(&mut view, id, "tools/call", &json!({"name":"draw","arguments":{"a":"x".repeat(3 << 20)}}));
        }
        assert_eq!(view.under_way.len(), 5);
        let all = drain(&mut view);
        assert_eq!(all.iter().filter(|it| it["message"]["error"]["code"] == -32000).count(), 3);
        assert_eq!(view.waiting_bytes, 0);
    }

    /// A view with tools of its own, for a host that takes them: ready, with the id of the request for its list.
    fn with_tools() -> (View, u64) {
        let settings = SETTINGS.replacen('{', r#"{"appTools":"chart","#, 1);
        let mut view = View::new(&settings).expect("good");
        let able =
            json!({"protocolVersion":REVISION,"appInfo":{},"appCapabilities":{"tools":{"listChanged":true}}});
        asks(&mut view, 0, "ui/initialize", &able);
        tells(&mut view, "ui/notifications/initialized", &json!({}));
        let all = drain(&mut view);
        assert_eq!(all[2]["message"]["method"], "tools/list", "{all:?}");
        let id = all[2]["message"]["id"].as_u64().expect("a number");
        (view, id)
    }

    fn answers(view: &mut View, id: &Value, result: &Value) {
        says(view, &json!({"jsonrpc":"2.0","id":id,"result":result}));
    }

    #[test]
    fn a_view_that_answers_what_it_was_not_asked_yet_makes_no_requests() {
        let (mut view, id) = with_tools();
        for guessed in id..id + 10_000 {
            tells(&mut view, "notifications/tools/list_changed", &json!({}));
            answers(&mut view, &json!(guessed), &json!({"tools":[],"nextCursor":"more"}));
        }
        assert!(view.actions.len() <= NOTES + 1, "{}", view.actions.len());
        let asked: Vec<Value> =
            drain(&mut view).into_iter().filter(|it| it["message"]["method"] == "tools/list").collect();
        assert_eq!(asked.len(), 1, "one that waits for the host");
        // What was sent can be answered.
        answers(&mut view, &asked[0]["message"]["id"], &json!({"tools":[{"name":"say"}]}));
        assert_eq!(drain(&mut view)[0]["type"], "app-tools");
        // The same holds for a call, and for the end.
        view.tell(r#"{"type":"call","call":1,"name":"chart__say"}"#).expect("told");
        for guessed in 0..view.last_number + 2 {
            answers(&mut view, &json!(guessed), &json!({"content":[]}));
        }
        assert!(drain(&mut view).iter().all(|it| it["type"] != "called"));
        view.tell(r#"{"type":"teardown"}"#).expect("told");
        let number = view.last_number;
        answers(&mut view, &json!(number), &json!({}));
        assert!(!view.has_ended());
        drain(&mut view);
        answers(&mut view, &json!(number), &json!({}));
        assert!(view.has_ended());
    }

    #[test]
    fn the_tools_of_a_view_are_asked_for_by_a_host_that_names_a_prefix() {
        // Without the setting, and of a view that declares none, nothing is asked.
        let mut plain = ready();
        tells(&mut plain, "notifications/tools/list_changed", &json!({}));
        assert!(drain(&mut plain).is_empty());
        plain.tell(r#"{"type":"call","call":1,"name":"chart__move"}"#).expect_err("there is no such tool");
        let settings = SETTINGS.replacen('{', r#"{"appTools":"chart","#, 1);
        let mut none = View::new(&settings).expect("good");
        begin(&mut none);
        tells(&mut none, "notifications/tools/list_changed", &json!({}));
        assert_eq!(drain(&mut none), [json!({"type":"ready"})]);
        for bad in ["\"\"", "\"a b\"", "7", "\"a/b\"", "\"aaaaaaaaaaaaaaaaaaaaaaaaa\""] {
            let settings = SETTINGS.replacen('{', &format!("{{\"appTools\":{bad},"), 1);
            let refused = View::new(&settings).expect_err(bad).to_string();
            assert!(refused.contains("'appTools' is what the names"), "{refused}");
        }

        let (mut view, id) = with_tools();
        let long = "x".repeat(60);
        answers(
            &mut view,
            &json!(id),
            &json!({"tools":[{"name":"move","description":"Moves","inputSchema":{"type":"object","required":["to"]}}, {"name":"move"},
                {"name":"a b"},{"name":long},{"inputSchema":{}},7,{"name":"bare"}],"nextCursor":"2"}),
        );
        let all = drain(&mut view);
        assert!(
            all[0]["text"].as_str().is_some_and(|it| it.starts_with("5 tools of the view are left out")),
            "{all:?}"
        );
        assert_eq!(all[1]["message"]["params"], json!({"cursor":"2"}));
        // What changes meanwhile is asked for once more, however often the view says so.
        for _ in 0..100 {
            tells(&mut view, "notifications/tools/list_changed", &json!({}));
        }
        assert!(drain(&mut view).is_empty());
        answers(&mut view, &all[1]["message"]["id"], &json!({"tools":[]}));
        let all = drain(&mut view);
        assert_eq!(
            all[0],
            json!({"type":"app-tools","tools":[{"description":"Moves","name":"chart__move","inputSchema":{"type":"object","required":["to"]}},
                {"name":"chart__bare","inputSchema":{"type":"object"}}]})
        );
        assert_eq!((all.len(), &all[1]["message"]["method"]), (2, &json!("tools/list")));
        // Of a list without end, and of names that are the server's, the host sees what it takes.
        let many: Vec<Value> = (0..60).map(|n| json!({"name":format!("t{n}")})).collect();
        answers(&mut view, &all[1]["message"]["id"], &json!({"tools":many,"nextCursor":"3"}));
        let all = drain(&mut view);
        assert_eq!((all.len(), all[1]["tools"].as_array().map(Vec::len)), (2, Some(50)), "{all:?}");
        // So do those that the server gets later: a name is never the view's and the server's.
        view.tell(r#"{"type":"tools","tools":[{"name":"chart__t1"}]}"#).expect("told");
        let all = drain(&mut view);
        let left = all.iter().find(|it| it["type"] == "app-tools").expect("told again");
        assert_eq!(left["tools"].as_array().map(Vec::len), Some(49), "{all:?}");
        assert!(!left.to_string().contains("chart__t1\""), "{left}");
        let warning = all.iter().find(|it| it["type"] == "warning").expect("warned").to_string();
        assert!(warning.contains("tool 'chart__t1' is left out"), "{warning}");
        view.tell(r#"{"type":"call","call":1,"name":"chart__t1"}"#).expect_err("the server's");
        view.tell(r#"{"type":"tools","tools":[{"name":"chart__t1"}]}"#).expect("told");
        assert!(drain(&mut view).iter().all(|it| it["type"] != "app-tools"), "nothing changed");
        // A list that is coming loses them, too.
        tells(&mut view, "notifications/tools/list_changed", &json!({}));
        let id = said(&mut view)["id"].clone();
        answers(&mut view, &id, &json!({"tools":[{"name":"t3"},{"name":"t4"}],"nextCursor":"2"}));
        let id = said(&mut view)["id"].clone();
        view.tell(r#"{"type":"tools","tools":[{"name":"chart__t1"},{"name":"chart__t3"}]}"#).expect("told");
        drain(&mut view);
        answers(&mut view, &id, &json!({"tools":[]}));
        let all = drain(&mut view);
        assert_eq!(all[0]["tools"], json!([{"name":"chart__t4","inputSchema":{"type":"object"}}]), "{all:?}");
        tells(&mut view, "notifications/tools/list_changed", &json!({}));
        let id = said(&mut view)["id"].clone();
        answers(&mut view, &id, &json!({"tools":[{"name":"t1"},{"name":"t2"}]}));
        let all = drain(&mut view);
        assert_eq!(all[1]["tools"], json!([{"name":"chart__t2","inputSchema":{"type":"object"}}]), "{all:?}");
        // An error is a view without tools.
        tells(&mut view, "notifications/tools/list_changed", &json!({}));
        let id = said(&mut view)["id"].clone();
        says(&mut view, &json!({"jsonrpc":"2.0","id":id,"error":{"code":-32601,"message":"no"}}));
        let all = drain(&mut view);
        assert_eq!((&all[0]["type"], &all[1]["tools"]), (&json!("warning"), &json!([])), "{all:?}");
    }

    #[test]
    fn a_tool_of_a_view_is_called_while_the_view_is_there() {
        let (mut view, id) = with_tools();
        let schema = json!({"type":"object","required":["at"]});
        answers(
            &mut view,
            &json!(id),
            &json!({"tools":[{"name":"move","outputSchema":schema},{"name":"say"}]}),
        );
        drain(&mut view);
        let call = |view: &mut View, number: u64, name: &str| -> Value {
            view.tell(&json!({"type":"call","call":number,"name":name,"arguments":{"to":1}}).to_string())
                .expect("told");
            said(view)
        };
        let sent = call(&mut view, 7, "chart__move");
        assert_eq!(
            (&sent["method"], &sent["params"]),
            (&json!("tools/call"), &json!({"name":"move","arguments":{"to":1}}))
        );
        for (told, why) in [
            (
                r#"{"type":"call","call":7,"name":"chart__say"}"#,
                "'call' is 7, the number of a call under way",
            ),
            (r#"{"type":"call","call":8,"name":"move"}"#, "the view has no tool 'move' now"),
            (r#"{"type":"call","name":"chart__say"}"#, "'call' is not a number"),
            (
                r#"{"type":"call","call":8,"name":"chart__say","arguments":[1]}"#,
                "'arguments' is not an object",
            ),
        ] {
            let refused = view.tell(told).expect_err(told).to_string();
            assert!(refused.contains(why), "{told}: {refused}");
        }
        let good = json!({"content":[],"structuredContent":{"at":2}});
        answers(&mut view, &sent["id"], &good);
        answers(&mut view, &sent["id"], &good);
        assert_eq!(drain(&mut view), [json!({"type":"called","call":7,"result":good})], "once");
        // What comes back is checked: a model reads it.
        for (name, answer, why) in [
            (
                "chart__move",
                json!({"result":{"content":[],"structuredContent":{}}}),
                "not what its tool promises",
            ),
            ("chart__move", json!({"result":{"content":[]}}), "it has no 'structuredContent'"),
            ("chart__say", json!({"result":{}}), "has no 'content'"),
            ("chart__say", json!({"result":7}), "gave no result"),
            ("chart__say", json!({"error":{"code":1,"message":"it broke"}}), "it broke"),
        ] {
            let id = call(&mut view, 8, name)["id"].clone();
            let mut answer = answer;
            answer["jsonrpc"] = json!("2.0");
            answer["id"] = id;
            says(&mut view, &answer);
            let all = drain(&mut view);
            assert_eq!(
                (&all[0]["type"], &all[0]["call"], all[0].get("result")),
                (&json!("called"), &json!(8), None)
            );
            assert!(all[0]["error"]["message"].as_str().is_some_and(|it| it.contains(why)), "{all:?}");
        }
        // What was promised when the call was made holds, whatever the view lists before it answers.
        for (name, becomes, answer, is_good) in [
            ("chart__move", json!([{"name":"say"}]), json!({"content":[]}), false),
            ("chart__say", json!([{"name":"say","outputSchema":schema}]), json!({"content":[]}), true),
        ] {
            let id = call(&mut view, 8, name)["id"].clone();
            tells(&mut view, "notifications/tools/list_changed", &json!({}));
            let list = said(&mut view)["id"].clone();
            answers(&mut view, &list, &json!({"tools":becomes}));
            drain(&mut view);
            answers(&mut view, &id, &answer);
            let all = drain(&mut view);
            assert_eq!(all[0].get("result").is_some(), is_good, "{name}: {all:?}");
        }
        tells(&mut view, "notifications/tools/list_changed", &json!({}));
        let list = said(&mut view)["id"].clone();
        answers(&mut view, &list, &json!({"tools":[{"name":"say"}]}));
        drain(&mut view);
        let id = call(&mut view, 9, "chart__say")["id"].clone();
        view.tell(r#"{"type":"call-cancelled","call":9,"reason":"30 s are over"}"#).expect("told");
        assert_eq!(said(&mut view)["params"], json!({"requestId":id,"reason":"30 s are over"}));
        answers(&mut view, &id, &json!({"content":[]}));
        view.tell(r#"{"type":"call-cancelled","call":9}"#).expect("over already");
        assert!(drain(&mut view).is_empty());
        // There is a bound of those under way and of those that the host has not taken, together.
        let ids: Vec<Value> =
            (10..18).map(|number| call(&mut view, number, "chart__say")["id"].clone()).collect();
        for id in &ids[..4] {
            answers(&mut view, id, &json!({"content":[]}));
        }
        let full =
            view.tell(r#"{"type":"call","call":30,"name":"chart__say"}"#).expect_err("full").to_string();
        assert!(full.contains("8 calls of the view's tools"), "{full}");
        assert_eq!(drain(&mut view).len(), 4);
        // With the view its tools are gone, and each call has its outcome.
        view.tell(r#"{"type":"teardown"}"#).expect("told");
        let all = drain(&mut view);
        assert_eq!(all.len(), 6, "{all:?}");
        assert!(all[..4].iter().all(|it| it["error"]["message"] == "the view is being removed"), "{all:?}");
        assert_eq!(all[4], json!({"type":"app-tools","tools":[]}));
        view.tell(r#"{"type":"call","call":31,"name":"chart__say"}"#).expect_err("it is gone");

        let (mut view, id) = with_tools();
        answers(&mut view, &json!(id), &json!({"tools":[{"name":"say"}]}));
        drain(&mut view);
        call(&mut view, 1, "chart__say");
        begin_without_tools(&mut view);
    }

    /// The page is loaded again, and declares no tools this time.
    fn begin_without_tools(view: &mut View) {
        asks(view, 0, "ui/initialize", &serde_json::from_str(ABLE).expect("JSON"));
        tells(view, "ui/notifications/initialized", &json!({}));
        let all = drain(view);
        assert_eq!(all[0]["error"]["message"], "the view was loaded again", "{all:?}");
        assert_eq!(all[1], json!({"type":"app-tools","tools":[]}));
        assert!(all.iter().all(|it| it["message"]["method"] != "tools/list"), "{all:?}");
    }

    #[test]
    fn settings_that_a_view_would_not_take_are_refused() {
        for (settings, why) in [
            ("{}", "'hostInfo' is missing"),
            (r#"{"hostInfo":{"name":"h"}}"#, "'hostInfo' needs 'version'"),
            (r#"{"hostInfo":{"name":"h","version":"1"},"host":{}}"#, "no setting 'host'"),
            (
                r#"{"hostInfo":{"name":"h","version":"1"},"hostCapabilities":{"openLinks":true}}"#,
                "'hostCapabilities.openLinks' is not an object",
            ),
            (
                r#"{"hostInfo":{"name":"h","version":"1"},"hostContext":{"platform":"tv"}}"#,
                "'hostContext.platform' is not one of web",
            ),
            (r#"{"hostInfo":{"name":"h","version":"1"},"tool":{"inputSchema":{}}}"#, "'tool' needs 'name'"),
            (r#"{"hostInfo":{"name":"h","version":"1"},"tools":{}}"#, "'tools' is not an array"),
        ] {
            let refused = View::new(settings).expect_err(settings).to_string();
            assert!(refused.contains(why), "{settings}: {refused}");
        }
    }
}
