//! One server of the page: its connection, what is asked of it, and what it asks.
//!
//! A thread for each connection takes what arrives. What was seen goes into the records; what is under way is here.

use super::records::Records;
use crate::arguments::Common;
use crate::checked;
use crate::commands::did_you_mean;
use crate::failure::Failure;
use crate::login::{self, Person};
use crate::output::one_line;
use crate::session::{self, NO_LIMIT_MS, at_usual_path, of_usual_path};
use crate::target::Target;
use mcp::client::features::{Decision, Request};
use mcp::client::json_text::{elements, member, quote, string};
use mcp::client::names::{INTERNAL_ERROR, METHOD_NOT_FOUND};
use mcp::client::{Client, Kind, Message, Polled, RequestAnswer, Status};
use serde_json::{Map, Value, json};
use std::collections::{BTreeMap, VecDeque};
use std::fmt::Write as _;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// How many calls may be under way, and how many questions may wait for the person.
const CALLS: usize = 1000;
const QUESTIONS: usize = 100;
/// What is kept of calls and their outcomes as they were spoken: a record has no secrets, and what is done may need them.
const SENT: usize = 1000;
const SENT_BYTES: usize = 64 << 20;
/// How long an authorization server may take to revoke a login.
const LOGOUT: Duration = Duration::from_secs(10);
/// What a list takes at most that is asked for by itself.
const LIST: Duration = Duration::from_secs(60);
/// The numbers of calls and questions, over all servers.
static NEXT: AtomicU64 = AtomicU64::new(1);

/// What the connection asks for by itself: the capability, the notification about a change, the request.
const LISTS: [(&str, &str, Request<'static>); 4] = [
    ("tools", "notifications/tools/list_changed", Request::ToolsList),
    ("resources", "notifications/resources/list_changed", Request::ResourcesList),
    ("resources", "notifications/resources/list_changed", Request::TemplatesList),
    ("prompts", "notifications/prompts/list_changed", Request::PromptsList),
];

/// Where a server comes from.
#[derive(Debug)]
pub enum Origin {
    /// The command line.
    Given(Target),
    /// A file of configurations, where it is looked up when it is used: it may need an approval.
    Configured,
    /// A trace: there is no server.
    Trace,
}

/// A server.
#[derive(Debug)]
pub struct Served {
    pub number: usize,
    /// For people.
    pub shown: String,
    /// The words by which a command line calls it, without secrets.
    pub place: Value,
    pub origin: Origin,
    pub common: Arc<Common>,
    records: Arc<Records>,
    live: Mutex<Live>,
}

/// What is under way.
#[derive(Debug, Default)]
struct Live {
    client: Option<Arc<Client>>,
    /// Counts the connections: what belongs to an earlier one has no effect any more.
    generation: u64,
    is_starting: bool,
    calls: BTreeMap<u64, Under>,
    /// With the number of the client that has it.
    questions: BTreeMap<u64, (u64, Message)>,
    /// The last result of `tools/list`.
    tools: String,
    sent: VecDeque<Sent>,
    sent_bytes: usize,
    /// Where the person logs in.
    login: Option<String>,
}

/// A call under way.
#[derive(Debug)]
struct Under {
    /// The number of the client that made it: a connection that ends takes only its own calls with it.
    client: u64,
    call: u64,
    method: String,
    begin: Instant,
    /// Which list it is, if the connection asked by itself, and whether it has changed since.
    list: Option<usize>,
    again: bool,
}

/// A call as it was made, and what it came to. Pages show records, where secrets are masked; what a page does names this one by its number,
/// so that no name, address or argument is sent with a mask in it.
#[derive(Clone, Debug, Default)]
struct Sent {
    number: u64,
    method: String,
    params: String,
    is_task: bool,
    /// Which list it is, if the connection asked by itself.
    list: Option<usize>,
    outcome: String,
}

impl Sent {
    fn bytes(&self) -> usize {
        self.params.len() + self.outcome.len()
    }
}

/// The number of the page's for a call of a client.
fn number_of(calls: &BTreeMap<u64, Under>, call: u64) -> Option<u64> {
    calls.iter().find(|(_, under)| call != 0 && under.call == call).map(|(number, _)| *number)
}

fn not_asked() -> Failure {
    Failure::usage("this question is answered, or the server no longer waits for it")
}

/// JSON text, or null where there is none.
fn or_null(value: Option<&str>) -> &str {
    value.unwrap_or("null")
}

impl Served {
    pub fn new(
        number: usize,
        shown: String,
        place: Value,
        origin: Origin,
        common: &Arc<Common>,
        records: &Arc<Records>,
    ) -> Arc<Served> {
        Arc::new(Served {
            number,
            shown,
            place,
            origin,
            common: Arc::clone(common),
            records: Arc::clone(records),
            live: Mutex::default(),
        })
    }

    fn live(&self) -> MutexGuard<'_, Live> {
        self.live.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn record(&self, kind: &str, data: &str) {
        self.records.add(Instant::now(), self.number, kind, "program", data);
    }

    /// The name by which the library calls its connection, which frames and log records carry.
    pub fn label(&self) -> String {
        format!("page {}", self.number)
    }

    /// The address at which the person logs in, while a login waits for that.
    pub fn login(&self) -> Option<String> {
        self.live().login.clone()
    }

    /// Which server it is, to be reached now.
    pub fn target(&self) -> Result<Target, Failure> {
        match &self.origin {
            Origin::Given(target) => Ok(target.clone()),
            Origin::Configured => crate::target::named(&self.shown, &self.common),
            Origin::Trace => Err(Failure::usage("this is a file: there is no server behind it")),
        }
    }

    /// Connects, or connects again. What is under way ends.
    pub fn connect(self: &Arc<Served>, person: Option<Person>) -> Result<(), Failure> {
        let target = self.target()?;
        let mut live = self.live();
        if live.is_starting {
            return Err(Failure::usage("the server is being started"));
        }
        live.is_starting = true;
        live.generation += 1;
        live.login = None;
        let (before, generation) = (live.client.take(), live.generation);
        drop(live);
        self.record("state", &format!("{{\"state\":\"connecting\",\"generation\":{generation}}}"));
        let served = Arc::clone(self);
        let run = move || {
            if let Some(before) = before {
                // A server that does not end in time is killed, so that there is nothing to say.
                let _ended = before.close(None);
            }
            served.live_with(target, person, generation);
        };
        let started = std::thread::Builder::new().name("mcp-page-server".to_owned()).spawn(run);
        started.map(|_| ()).map_err(|error| {
            self.live().is_starting = false;
            Failure::machine(format!("cannot start a thread for the server: {error}"))
        })
    }

    /// Forgets the login, here and at its authorization server, and connects without it.
    pub fn logout(self: &Arc<Served>) -> Result<(), Failure> {
        let client = self.client()?;
        if let Some(url) = self.target()?.config.get("url").and_then(Value::as_str) {
            login::keep_credentials(url, None)?;
        }
        client.forget_login(Some(LOGOUT))?;
        self.connect(None)
    }

    /// Ends the connection.
    pub fn disconnect(&self) {
        let client = self.live().client.take();
        if let Some(client) = client {
            let _ended = client.close(None);
        }
    }

    /// A connection from its begin to its end.
    fn live_with(&self, target: Target, person: Option<Person>, generation: u64) {
        let mut own = Vec::new();
        let opened = self.open(target, person, &mut own);
        self.live().is_starting = false;
        let ended = match opened {
            Ok(client) => {
                let info = client.info();
                self.record(
                    "state",
                    &format!("{{\"state\":\"ready\",\"generation\":{generation},\"info\":{info}}}"),
                );
                for (list, (capability, ..)) in LISTS.iter().enumerate() {
                    if crate::commands::declares(&info, capability) {
                        self.list(&client, list);
                    }
                }
                self.take(&client);
                let info = client.info();
                let failure = or_null(member(&info, "failure"));
                let stray = or_null(member(&info, "stray_output"));
                format!(
                    "{{\"state\":\"ended\",\"generation\":{generation},\"failure\":{failure},\"stray_output\":{stray}}}"
                )
            }
            Err(failure) => {
                let state = if failure.exit == crate::failure::AUTH { "login" } else { "failed" };
                let error = failure.json();
                let error = or_null(member(&error, "error"));
                format!("{{\"state\":\"{state}\",\"generation\":{generation},\"error\":{error}}}")
            }
        };
        let mut live = self.live();
        let is_last = live.generation == generation;
        if is_last {
            live.client = None;
        }
        let open = live.end_of(&own);
        drop(live);
        for number in open {
            let why = "{\"code\":\"closed\",\"message\":\"the connection was closed\"}";
            self.record("outcome", &format!("{{\"call\":{number},\"status\":\"closed\",\"error\":{why}}}"));
        }
        // The state of the server is that of the connection that came after.
        if is_last {
            self.record("state", &ended);
        }
    }

    /// A client that is connected.
    fn open(
        &self,
        target: Target,
        person: Option<Person>,
        own: &mut Vec<u64>,
    ) -> Result<Arc<Client>, Failure> {
        let Target { shown, mut config } = target;
        // The page is told of it by the log, in its order beside the messages.
        config.entry("stderr").or_insert_with(|| "log".into());
        let has_roots = config.contains_key("roots");
        let mut able =
            json!({"sampling": {"tools": {}, "context": {}}, "elicitation": {"form": {}, "url": {}}});
        if !has_roots {
            able["roots"] = json!({"listChanged": true});
        }
        able["extensions"] = json!({mcp::apps::EXTENSION: {"mimeTypes": [mcp::apps::MIME_TYPE]}});
        config.entry("capabilities").or_insert(able);
        session::complete(&mut config, &self.common);
        config.insert("name".to_owned(), self.label().into());
        let as_given = config.clone();
        login::complete(&mut config, person, &shown)?;
        let limit = self.common.start_timeout(&config);
        let limit = (!limit.is_zero() && person.is_none()).then_some(limit);
        match self.reach(&config, limit, own) {
            Ok(client) => Ok(client),
            Err(failure) => {
                let Some((url, mut config)) = at_usual_path(&as_given, &failure) else { return Err(failure) };
                login::complete(&mut config, person, &url)?;
                self.reach(&config, limit, own).map_err(|second| of_usual_path(failure, second, &url))
            }
        }
    }

    fn reach(
        &self,
        config: &Map<String, Value>,
        limit: Option<Duration>,
        own: &mut Vec<u64>,
    ) -> Result<Arc<Client>, Failure> {
        let client = Arc::new(Client::new(&Value::Object(config.clone()).to_string(), None)?);
        own.push(client.number());
        let tag = NEXT.fetch_add(1, Ordering::Relaxed);
        self.live().client = Some(Arc::clone(&client));
        client.connect_start(limit, tag)?;
        loop {
            match client.poll(None, false)? {
                Polled::Message(message) if message.kind() == Kind::Reply && message.tag() == tag => {
                    self.live().login = None;
                    return match message.status() {
                        Status::Ok => Ok(client),
                        _ => Err(Failure::reply(&message)),
                    };
                }
                Polled::Message(message) => self.arrived(&client, message),
                Polled::Closed => {
                    return Err(Failure::unreached("the connection was closed before it was ready"));
                }
                Polled::Empty | Polled::Woken => {}
            }
        }
    }

    /// Takes what arrives until the connection is closed.
    fn take(&self, client: &Client) {
        loop {
            match client.poll(None, false) {
                Ok(Polled::Message(message)) => self.arrived(client, message),
                Ok(Polled::Empty | Polled::Woken) => {}
                Ok(Polled::Closed) | Err(_) => return,
            }
            if client.state() == mcp::client::State::Closed && !self.live().has_calls(client.number()) {
                return;
            }
        }
    }

    fn arrived(&self, client: &Client, message: Message) {
        match message.kind() {
            Kind::Reply => self.ended(client, &message),
            Kind::Progress => {
                let number = number_of(&self.live().calls, message.call());
                if let Some(number) = number {
                    self.record(
                        "progress",
                        &format!("{{\"call\":{number},\"progress\":{}}}", message.json()),
                    );
                }
            }
            Kind::Notification => {
                let changed =
                    LISTS.iter().enumerate().filter(|(_, (_, name, _))| message.method() == Some(name));
                for (list, _) in changed {
                    self.list(client, list);
                }
            }
            Kind::Request => self.asked(client, message),
            Kind::Auth => self.login_asked(client, &message),
            Kind::Lost => self.record("lost", or_null(member(message.json(), "count"))),
            _ => {}
        }
    }

    /// A login needs the person: the page has the address.
    fn login_asked(&self, client: &Client, message: &Message) {
        let text =
            |name: &str| member(message.json(), name).and_then(string).unwrap_or_default().into_owned();
        if text("kind") != "authorize" {
            // One that has ended meanwhile needs no answer.
            let _ended =
                client.give_up_login(&format!("the page has no answer to '{}'", one_line(&text("kind"))));
            return;
        }
        self.live().login = Some(mcp::client::visible::url(&text("url")));
        let about = format!(
            "{{\"issuer\":{},\"user_code\":{},\"verification_uri\":{}}}",
            quote(&text("issuer")),
            quote(&text("user_code")),
            quote(&text("verification_uri"))
        );
        self.record("login", &about);
    }

    /// Asks for a list, unless it is being asked for.
    fn list(&self, client: &Client, list: usize) {
        if let Some(under) = self
            .live()
            .calls
            .values_mut()
            .find(|under| under.list == Some(list) && under.client == client.number())
        {
            under.again = true;
            return;
        }
        let (.., request) = &LISTS[list];
        let options = json!({"timeout_ms": u64::try_from(LIST.as_millis()).unwrap_or(NO_LIMIT_MS)});
        let sent = Sent {
            method: request.method().to_owned(),
            params: "{}".to_owned(),
            list: Some(list),
            ..Sent::default()
        };
        // Why it could not be made is a record.
        let _number = self.begin(client, request.method(), "{}", sent, Some(list), |tag| {
            client.start_request(request, Some(&options.to_string()), tag)
        });
    }

    fn begin(
        &self,
        client: &Client,
        method: &str,
        params: &str,
        mut sent: Sent,
        list: Option<usize>,
        start: impl FnOnce(u64) -> Result<u64, mcp::client::Error>,
    ) -> Result<u64, Failure> {
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        sent.number = number;
        let mut live = self.live();
        if live.calls.len() >= CALLS {
            return Err(Failure::usage(format!("{CALLS} calls are under way: cancel some, or wait")));
        }
        let under = Under {
            client: client.number(),
            call: 0,
            method: method.to_owned(),
            begin: Instant::now(),
            list,
            again: false,
        };
        live.calls.insert(number, under);
        live.keep(sent);
        let generation = live.generation;
        drop(live);
        let by = if list.is_some() { "program" } else { "person" };
        self.record(
            "call",
            &format!(
                "{{\"call\":{number},\"generation\":{generation},\"by\":\"{by}\",\"method\":{},\"params\":{params}}}",
                quote(method)
            ),
        );
        match start(number) {
            Ok(call) => {
                if let Some(under) = self.live().calls.get_mut(&number) {
                    under.call = call;
                }
            }
            Err(error) => {
                self.live().calls.remove(&number);
                self.outcome(number, method, Instant::now(), &Message::failure(client.number(), &error));
            }
        }
        Ok(number)
    }

    fn ended(&self, client: &Client, message: &Message) {
        let Some(under) = self.live().calls.remove(&message.tag()) else { return };
        if under.list == Some(0) && message.status() == Status::Ok {
            message.json().clone_into(&mut self.live().tools);
        }
        self.outcome(message.tag(), &under.method, under.begin, message);
        if let Some(list) = under.list.filter(|_| under.again) {
            self.list(client, list);
        }
    }

    fn outcome(&self, number: u64, method: &str, begin: Instant, message: &Message) {
        let ms = begin.elapsed().as_secs_f64() * 1000.0;
        let mut text = format!("{{\"call\":{number},\"method\":{},\"ms\":{ms:.3}", quote(method));
        let _infallible = match message.status() {
            Status::Ok => write!(text, ",\"status\":\"ok\",\"result\":{}}}", message.json()),
            _ => {
                let failure = Failure::reply(message).json();
                let error = or_null(member(&failure, "error"));
                write!(text, ",\"status\":\"failed\",\"error\":{error}}}")
            }
        };
        self.live().ended(number, &text);
        self.record("outcome", &text);
    }

    /// A call as it was spoken: its parameters, and its outcome where it has one.
    pub fn raw(&self, number: u64) -> Result<String, Failure> {
        let live = self.live();
        let sent = live.sent.iter().find(|sent| sent.number == number);
        let sent = sent.ok_or_else(|| {
            Failure::usage("this call is no longer kept: make it again, or choose Restart at the top of the page for its lists")
        })?;
        let outcome = Some(&*sent.outcome).filter(|outcome| !outcome.is_empty());
        Ok(format!("{{\"params\":{},\"outcome\":{}}}", sent.params, or_null(outcome)))
    }

    /// The entry of a resource in the list that the connection asked for last.
    pub fn listed_resource(&self, uri: &str) -> Option<String> {
        let live = self.live();
        let list = live.sent.iter().find(|sent| sent.list == Some(1))?;
        let all = member(member(&list.outcome, "result")?, "resources")?;
        let is_it = |entry: &&str| member(entry, "uri").and_then(string).is_some_and(|it| it == uri);
        elements(all).find(is_it).map(str::to_owned)
    }

    /// The parameters of a question as the server sent them.
    pub fn raw_question(&self, number: u64) -> Result<String, Failure> {
        let live = self.live();
        let (_, asked) = live.questions.get(&number).ok_or_else(not_asked)?;
        Ok(format!("{{\"params\":{}}}", asked.json()))
    }

    fn client(&self) -> Result<Arc<Client>, Failure> {
        let live = self.live();
        let client = live.client.clone().filter(|_| !live.is_starting);
        client.ok_or_else(|| Failure::unreached("the server is not connected: connect it first"))
    }

    /// Makes a request. Gives the number of the call.
    pub fn call(&self, method: &str, params: &str, is_task: bool) -> Result<u64, Failure> {
        let client = self.client()?;
        let config = self.target()?.config;
        let limit =
            self.common.method_timeout(&config, method).unwrap_or_else(|| self.common.call_timeout(&config));
        let limit = u64::try_from(limit.as_millis()).unwrap_or(NO_LIMIT_MS);
        let mut options = json!({"timeout_ms": if limit == 0 { NO_LIMIT_MS } else { limit }});
        if method == "tools/call" {
            options["progress"] = json!(true);
            options["log_level"] = json!("debug");
            options["max_total_ms"] = json!(NO_LIMIT_MS);
        }
        if is_task {
            options["task"] = json!(true);
        }
        let options = Some(options.to_string());
        let sent = Sent { method: method.to_owned(), params: params.to_owned(), is_task, ..Sent::default() };
        let text = |name: &str| member(params, name).and_then(string).unwrap_or_default().into_owned();
        let (name, uri, id) = (text("name"), text("uri"), text("taskId"));
        let arguments = member(params, "arguments");
        let argument = member(params, "argument").unwrap_or("{}");
        let of = |name: &str| member(argument, name).and_then(string).unwrap_or_default().into_owned();
        let (argument, value, level) = (of("name"), of("value"), text("level"));
        let request = match method {
            "tools/list" => Request::ToolsList,
            "tools/call" => Request::ToolsCall { name: &name, arguments },
            "resources/list" => Request::ResourcesList,
            "resources/templates/list" => Request::TemplatesList,
            "resources/read" => Request::ResourcesRead { uri: &uri },
            "resources/subscribe" => Request::ResourcesSubscribe { uri: &uri },
            "resources/unsubscribe" => Request::ResourcesUnsubscribe { uri: &uri },
            "prompts/list" => Request::PromptsList,
            "prompts/get" => Request::PromptsGet { name: &name, arguments },
            "completion/complete" => Request::Complete {
                reference: member(params, "ref").unwrap_or("{}"),
                argument: &argument,
                value: &value,
                settled: member(params, "context").and_then(|context| member(context, "arguments")),
            },
            "logging/setLevel" => Request::SetLogLevel { level: &level },
            "ping" => Request::Ping,
            "tasks/list" => Request::TasksList,
            "tasks/get" => Request::TasksGet { id: &id },
            "tasks/result" => Request::TasksResult { id: &id },
            "tasks/cancel" => Request::TasksCancel { id: &id },
            other => {
                return self.begin(&client, method, params, sent, None, |tag| {
                    client.start(other, Some(params), options.as_deref(), tag)
                });
            }
        };
        if let Some(why) = (method == "tools/call").then(|| client.tool_refusal(&name)).flatten() {
            return Err(Failure::usage(format!(
                "the tool '{}' {why} of the server's configuration",
                one_line(&name)
            )));
        }
        self.begin(&client, method, params, sent, None, |tag| {
            client.start_request(&request, options.as_deref(), tag)
        })
    }

    /// Makes a call again, with the secrets that its record does not have.
    pub fn again(&self, number: u64) -> Result<u64, Failure> {
        let sent = self.live().sent.iter().find(|sent| sent.number == number).cloned();
        let sent =
            sent.ok_or_else(|| Failure::usage("this call is no longer kept: fill in its form again"))?;
        self.call(&sent.method, &sent.params, sent.is_task)
    }

    /// Gives up a call.
    pub fn cancel(&self, number: u64) -> Result<(), Failure> {
        let client = self.client()?;
        let call = self.live().calls.get(&number).map(|under| under.call);
        match call.is_some_and(|call| client.cancel(call, "the person cancelled it")) {
            true => Ok(()),
            false => Err(Failure::usage("this call has ended")),
        }
    }

    /// What is wrong with the arguments of a tool.
    pub fn check(&self, tool: &str, arguments: &str) -> Result<checked::Findings, Failure> {
        let tools = self.live().tools.clone();
        let all = || elements(member(&tools, "tools").unwrap_or("[]"));
        let name = |entry: &str| member(entry, "name").and_then(string).unwrap_or_default().into_owned();
        let Some(entry) = all().find(|entry| name(entry) == tool) else {
            let names: Vec<String> = all().map(name).collect();
            let near = did_you_mean(tool, names.iter().map(String::as_str));
            return Ok(checked::Findings {
                notes: vec![format!("the server lists no tool '{}'{near}", one_line(tool))],
                ..checked::Findings::default()
            });
        };
        let arguments: Value = serde_json::from_str(arguments)
            .map_err(|error| Failure::usage(format!("the arguments are not valid JSON: {error}")))?;
        let arguments =
            arguments.as_object().ok_or_else(|| Failure::usage("the arguments must be a JSON object"))?;
        Ok(checked::findings(tool, member(entry, "inputSchema").unwrap_or("{}"), arguments, &[]))
    }

    /// The server asks: the page shows it.
    fn asked(&self, client: &Client, message: Message) {
        let method = message.method().unwrap_or_default().to_owned();
        let known = ["elicitation/create", "sampling/createMessage", "roots/list"];
        let refusal = match (known.contains(&method.as_str()), self.live().questions.len() < QUESTIONS) {
            (true, true) => None,
            (false, _) => Some((METHOD_NOT_FOUND, "Method not found")),
            (true, false) => Some((INTERNAL_ERROR, "too many questions wait for an answer")),
        };
        if let Some((code, text)) = refusal {
            // One that is no longer waited for needs no answer.
            let _late = client.respond(&message, RequestAnswer::Error { code, message: text, data: None });
            return;
        }
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let call = message.call();
        let mut live = self.live();
        let of = number_of(&live.calls, call);
        let text = format!(
            "{{\"question\":{number},\"call\":{},\"method\":{},\"params\":{}}}",
            of.map_or_else(|| "null".to_owned(), |number| number.to_string()),
            quote(&method),
            message.json()
        );
        live.questions.insert(number, (client.number(), message));
        drop(live);
        self.record("question", &text);
    }

    /// Answers a question: `answer` has `action` and `content` for a form or a page to visit, `result` or `error` for another one.
    pub fn answer(&self, number: u64, answer: &str) -> Result<(), Failure> {
        let client = self.client()?;
        let asked = self.live().questions.remove(&number);
        let (own, message) = asked.ok_or_else(not_asked)?;
        let action = member(answer, "action").and_then(string).unwrap_or_default().into_owned();
        let content = member(answer, "content").filter(|content| *content != "null");
        let done = match (message.method(), action.as_str()) {
            (Some("elicitation/create"), "accept") => client.elicit(&message, Decision::Accept(content)),
            (Some("elicitation/create"), "cancel") => client.elicit(&message, Decision::Cancel),
            (Some("elicitation/create"), _) => client.elicit(&message, Decision::Decline),
            _ => match member(answer, "result") {
                Some(result) => client.respond(&message, RequestAnswer::Result(result)),
                None => client.respond(
                    &message,
                    RequestAnswer::Error { code: -1, message: "the person declined", data: None },
                ),
            },
        };
        let how = if action.is_empty() { "answer" } else { &action };
        match done {
            Err(error) if error.status == Status::InvalidArgument => {
                // It can be put right.
                self.live().questions.insert(number, (own, message));
                Err(error.into())
            }
            Err(error) => {
                let why = quote(&error.message);
                self.record("answered", &format!("{{\"question\":{number},\"how\":\"late\",\"why\":{why}}}"));
                Ok(())
            }
            Ok(()) => {
                self.record("answered", &format!("{{\"question\":{number},\"how\":{}}}", quote(how)));
                Ok(())
            }
        }
    }
}

impl Live {
    fn has_calls(&self, client: u64) -> bool {
        self.calls.values().any(|under| under.client == client)
    }

    /// Forgets the calls and questions of clients that have ended; gives the numbers of the calls.
    fn end_of(&mut self, clients: &[u64]) -> Vec<u64> {
        let open = self.calls.iter().filter(|(_, under)| clients.contains(&under.client));
        let open: Vec<u64> = open.map(|(number, _)| *number).collect();
        self.calls.retain(|_, under| !clients.contains(&under.client));
        self.questions.retain(|_, (client, _)| !clients.contains(client));
        open
    }

    /// Keeps a call, in place of the one before of the same list.
    fn keep(&mut self, sent: Sent) {
        if sent.list.is_some() {
            self.sent.retain(|other| other.list != sent.list);
        }
        self.sent.push_back(sent);
        self.make_room();
    }

    /// Keeps what a call came to.
    fn ended(&mut self, number: u64, outcome: &str) {
        if let Some(sent) = self.sent.iter_mut().rev().find(|sent| sent.number == number) {
            outcome.clone_into(&mut sent.outcome);
            self.make_room();
        }
    }

    /// Gives up the oldest calls, and the lists last: the page uses those for as long as the connection is there.
    fn make_room(&mut self) {
        self.sent_bytes = self.sent.iter().map(Sent::bytes).sum();
        while self.sent.len() > SENT || (self.sent_bytes > SENT_BYTES && self.sent.len() > 1) {
            let end = self.sent.len() - 1;
            let at = self.sent.iter().take(end).position(|sent| sent.list.is_none()).unwrap_or_default();
            self.sent_bytes -= self.sent.remove(at).map_or(0, |gone| gone.bytes());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_connection_that_ends_takes_only_its_own_calls() {
        let mut live = Live::default();
        for (number, client) in [(1, 7), (2, 8), (3, 7)] {
            let (method, begin) = (String::new(), Instant::now());
            live.calls.insert(number, Under { client, call: 0, method, begin, list: None, again: false });
        }
        assert!(live.end_of(&[]).is_empty() && live.end_of(&[6]).is_empty());
        assert_eq!(live.end_of(&[6, 7]), [1, 3]);
        assert!(live.has_calls(8) && !live.has_calls(7));
    }

    #[test]
    fn what_is_kept_of_calls_has_a_bound() {
        let mut live = Live::default();
        live.keep(Sent { number: 9998, list: Some(0), ..Sent::default() });
        live.keep(Sent { number: 9999, list: Some(0), ..Sent::default() });
        for number in 0..2000 {
            let params = "x".repeat(1 << 16);
            live.keep(Sent { number, params, ..Sent::default() });
            live.ended(number, &"x".repeat(1 << 17));
            assert!(live.sent.len() <= SENT && live.sent_bytes <= SENT_BYTES);
        }
        assert_eq!(live.sent.back().map(|sent| sent.number), Some(1999));
        assert_eq!(live.sent_bytes, live.sent.iter().map(Sent::bytes).sum::<usize>());
        // A list goes last, and there is one of each.
        assert_eq!(live.sent.front().map(|sent| sent.number), Some(9999));
        live.ended(0, "given up before: no record of it comes back");
        assert!(live.sent.iter().all(|sent| sent.number != 0));
    }
}
