//! Calls: a request of a client becomes a call of the server whose entry it is for, and its outcome the answer.

use super::answers::{answer, is_modern};
use super::catalog::{Route, Whose};
use super::checks::Ready;
use super::labels::is_page;
use super::params::{Forwarded, forwarded, options, with};
use super::relay::{Flight, Relay};
use super::search::Searched;
use super::upstream::{Upstream, text};
use super::uris::Shown;
use crate::output::{Screen, one_line};
use mcp::client::features;
use mcp::client::json_text::{member, members, quote};
use mcp::client::names::{INTERNAL_ERROR, INVALID_PARAMS, METHOD_NOT_FOUND, RESOURCE_NOT_FOUND, TASKS};
use mcp::client::{Error, Message, Status};
use mcp::server::{Kind, Request};
use std::collections::HashSet;
use std::time::Instant;

/// Where a request goes, and as what.
struct Way {
    upstream: usize,
    /// The member of the parameters that has another name there.
    renamed: Option<(&'static str, String)>,
    may_be_task: bool,
    /// The parameters, where the client put them into those of another tool.
    params: Option<String>,
}

/// What a client holds of a call that waits for its answers.
pub fn held(process: u64, tag: u64) -> String {
    format!("{process:x}.{tag}")
}

/// The call of which a client held that, if it is of this process.
fn call_of(held: &str, process: u64) -> Option<u64> {
    let (of, tag) = held.split_once('.')?;
    (u64::from_str_radix(of, 16) == Ok(process)).then(|| tag.parse().ok()).flatten()
}

impl Relay {
    /// A request of a client, for the first time or with the answers to what it was asked.
    pub fn requested(&mut self, message: Message) {
        let Some(request) = Request::of(&message) else { return };
        if let Some(state) = request.state() {
            let flight = call_of(&state, self.process).filter(|tag| self.flights.contains_key(tag));
            return match flight {
                Some(tag) => self.resumed(tag, request, message),
                None => {
                    self.refuse(
                        &request,
                        INTERNAL_ERROR,
                        "the call that this answers has ended, or is in another process of the bridge: make it again",
                    );
                }
            };
        }
        let searched = self.searched(&message);
        let way = match searched {
            Some(Searched::Answer(result)) => return self.told(request.respond(&result)),
            Some(Searched::Call(route, params)) => {
                Some(Way { params: Some(params), ..self.by_route(&route, "name") })
            }
            None => self.way(message.method().unwrap_or_default(), message.json()),
        };
        let client = request.holder().unwrap_or_default();
        if let Some(way) = &way {
            self.want_level_of(way.upstream, message.json(), client);
        }
        match way {
            Some(way) if self.upstreams[way.upstream].order.must_wait(client) => {
                self.upstreams[way.upstream].order.hold(client, message);
            }
            Some(way) => self.begin(&way, (request, client), message),
            None => {
                let (code, what) = self.not_there(message.method().unwrap_or_default(), message.json());
                self.refuse(&request, code, &what);
            }
        }
    }

    pub fn refuse(&self, request: &Request, code: i64, what: &str) {
        // The two eras have different codes for it.
        let code = if code == RESOURCE_NOT_FOUND && is_modern(request) { INVALID_PARAMS } else { code };
        self.told(request.respond_error(code, what, None));
    }

    /// An answer that could not be given as it was is known to the client already; the person learns it, too.
    fn told(&self, result: Result<(), Error>) {
        if let Err(error) = result
            && (error.status != Status::Cancelled && error.status != Status::Closed || self.verbose > 1)
        {
            Screen::said(one_line(&error.message));
        }
    }

    /// Why no server gets a request.
    fn not_there(&self, method: &str, params: &str) -> (i64, String) {
        if let Some(why) = self.why_hidden(method, params) {
            return (INVALID_PARAMS, why);
        }
        if !self.is_limited() {
            return self.not_found(method, params);
        }
        if method != "tools/call" {
            let what = format!(
                "'{method}' is not allowed: this bridge was started with --allow, for calls of tools only"
            );
            return (METHOD_NOT_FOUND, what);
        }
        let name = text(params, "name").unwrap_or_default();
        let what = format!(
            "the tool '{}' is not allowed: `tools/list` has those that --allow of the bridge names",
            one_line(&name)
        );
        (INVALID_PARAMS, what)
    }

    /// Why an option of the bridge hides what a request is about.
    pub fn why_hidden(&self, method: &str, params: &str) -> Option<String> {
        let reference = || member(params, "ref").unwrap_or("{}");
        let (kinds, key, what, object): (&[Kind], _, _, _) = match method {
            "tools/call" => (&[Kind::Tool], "name", "tool", params),
            "prompts/get" => (&[Kind::Prompt], "name", "prompt", params),
            "resources/read" => (&[Kind::Resource], "uri", "resource", params),
            "completion/complete" if member(reference(), "uri").is_some() => {
                (&[Kind::Template, Kind::Resource], "uri", "resource", reference())
            }
            "completion/complete" => (&[Kind::Prompt], "name", "prompt", reference()),
            _ => return None,
        };
        let name = text(object, key)?;
        let shown = one_line(&name);
        for (number, it) in self.upstreams.iter().enumerate() {
            for kind in kinds {
                if let Some(why) =
                    it.rules.why_hidden(*kind, |hidden| self.catalog.name_of(*kind, number, hidden) == name)
                {
                    return Some(format!("the {what} '{shown}' is refused by the bridge: {why}"));
                }
            }
            let its = name.strip_prefix(self.catalog.prefix(number)).unwrap_or_default();
            if method == "tools/call" && it.rules.denies(its) {
                return Some(format!("the tool '{shown}' is not allowed: --deny of the bridge refuses it"));
            }
            if let Some(pin) = &it.rules.pin
                && (self.upstreams.len() == 1
                    || name.starts_with(self.catalog.prefix(number))
                    || key == "uri")
            {
                return Some(format!(
                    "the {what} '{shown}' is refused by the bridge: it is not in the snapshot {}",
                    pin.shown()
                ));
            }
        }
        None
    }

    /// Why no server has what a request is about. Of several that have it the client is told how to name each.
    fn not_found(&self, method: &str, params: &str) -> (i64, String) {
        let of_several = |what: &str, name: &str, names: &[String]| {
            let names: Vec<String> = names.iter().map(|name| one_line(name)).collect();
            format!("several servers have the {what} '{}': use one of {}", one_line(name), names.join(", "))
        };
        let (name, uri) = (text(params, "name"), text(params, "uri"));
        match (method, name, uri) {
            ("tools/call", Some(name), _) if let Err(names) = self.catalog.of_page(&name) => {
                (INVALID_PARAMS, of_several("tool", &name, &names))
            }
            ("resources/read", _, Some(uri)) => {
                let what = match self.catalog.resource(&uri) {
                    Whose::Several(uris) => of_several("resource", &uri, &uris),
                    _ => format!("no server behind the bridge has the resource '{}'", one_line(&uri)),
                };
                (RESOURCE_NOT_FOUND, what)
            }
            _ => (METHOD_NOT_FOUND, format!("no server behind the bridge has '{method}'")),
        }
    }

    /// The server behind that a request is for.
    fn way(&self, method: &str, params: &str) -> Option<Way> {
        let name = |object: Option<&str>, key: &str| object.and_then(|object| text(object, key));
        let found = |kind, key: &'static str, name: Option<String>| {
            let route = self.catalog.route(kind, &name?)?;
            Some(self.by_route(route, key))
        };
        let way = match method {
            "tools/call" => {
                let name = name(Some(params), "name");
                found(Kind::Tool, "name", name.clone()).or_else(|| self.of_page(&name?))
            }
            "prompts/get" => found(Kind::Prompt, "name", name(Some(params), "name")),
            "resources/read" => {
                let at = name(Some(params), "uri").and_then(|uri| self.resource(&uri));
                at.map(|(upstream, uri)| self.by_name(upstream, ("uri", quote(&uri))))
            }
            "completion/complete" => {
                let reference = member(params, "ref").unwrap_or("{}");
                self.reference(reference)
            }
            _ => None,
        };
        // What is in no list goes to the only server that there is.
        way.or_else(|| {
            let upstream = self.only_upstream()?;
            self.passes(upstream, method).then_some(Way {
                upstream,
                renamed: None,
                may_be_task: false,
                params: None,
            })
        })
    }

    /// Whether a server gets what is in none of its lists.
    fn passes(&self, upstream: usize, method: &str) -> bool {
        let rules = &self.upstreams[upstream].rules;
        method == super::PING || rules.pin.is_none() && !(method == "tools/call" && rules.closes_tools())
    }

    /// The server whose prompt or template is completed.
    fn reference(&self, reference: &str) -> Option<Way> {
        if text(reference, "type").as_deref() == Some("ref/prompt") {
            let route = self.catalog.route(Kind::Prompt, &text(reference, "name")?)?;
            let name = with(reference, "name", &quote(&route.name));
            return Some(self.by_name(route.upstream, ("ref", name)));
        }
        let uri = text(reference, "uri")?;
        let (upstream, there) = match self.catalog.route(Kind::Template, &uri) {
            Some(route) => (route.upstream, route.name.clone()),
            None => self.resource(&uri)?,
        };
        Some(self.by_name(upstream, ("ref", with(reference, "uri", &quote(&there)))))
    }

    /// The tool that a page calls as it is called at its server. Where tokens say who may use what, only names of the list are used:
    /// the scopes are theirs.
    fn of_page(&self, name: &str) -> Option<Way> {
        let route = self.catalog.of_page(name).ok().flatten().filter(|_| !self.is_authorized)?;
        Some(self.by_route(route, "name"))
    }

    /// Where something goes that has another name there, which is written where it must be.
    fn by_name(&self, upstream: usize, renamed: (&'static str, String)) -> Way {
        Way {
            upstream,
            renamed: self.is_renamed(upstream).then_some(renamed),
            may_be_task: false,
            params: None,
        }
    }

    /// Whether names are written again. Where there are rules the server then reads the one that was looked up: JSON may have two of
    /// them.
    fn is_renamed(&self, upstream: usize) -> bool {
        self.catalog.has_labels()
            || self.catalog.longest_name.is_some()
            || self.catalog.search.is_some()
            || self.upstreams[upstream].rules.closes_tools()
    }

    fn by_route(&self, route: &Route, key: &'static str) -> Way {
        let may_be_task = route.may_be_task;
        Way { may_be_task, ..self.by_name(route.upstream, (key, quote(&route.name))) }
    }

    fn begin(&mut self, way: &Way, (request, client): (Request, u64), message: Message) {
        let renamed = way.renamed.as_ref().map(|(key, value)| (*key, value.as_str()));
        let sent = forwarded(way.params.as_deref().unwrap_or_else(|| message.json()), renamed);
        let (upstream, may_be_task) = (way.upstream, way.may_be_task);
        self.check_request(Ready { upstream, may_be_task, sent, request, client, message, number: None });
    }

    /// Sends a request to its server.
    pub fn send(&mut self, ready: Ready) {
        let Ready { upstream: number, may_be_task: tool_says, sent, request, client, message, number: shown } =
            ready;
        let upstream = &self.upstreams[number];
        let method = message.method().unwrap_or_default();
        let page =
            (method == "resources/read" && upstream.rules.pin.is_some()).then(|| text(&sent.params, "uri"));
        let page = page.flatten().filter(|uri| is_page(uri));
        let context = request.context().unwrap_or_default();
        let session = member(&context, "session").and_then(|it| it.parse().ok()).unwrap_or_default();
        let declared = declared(upstream, &context);
        let is_task = member(&context, "task").is_some_and(|task| task != "null");
        let tag = self.next;
        self.next += 1;
        let may_be_task = method == "tools/call" && (tool_says || upstream.decides_about_tasks());
        let task = may_be_task.then(|| as_task(&sent, is_task, tool_says, self.limit_ms)).flatten();
        let started = match task {
            Some((name, arguments, options)) => {
                let call = features::Request::ToolsCall { name: &name, arguments: arguments.as_deref() };
                upstream.client.start_request_for(&declared, &call, Some(&options), tag)
            }
            None if method == super::PING => {
                let options = options(&sent, self.limit_ms, None);
                upstream.client.start_request_for(&declared, &features::Request::Ping, Some(&options), tag)
            }
            None => {
                let options = options(&sent, self.limit_ms, None);
                upstream.client.start_for(&declared, method, Some(&sent.params), Some(&options), tag)
            }
        };
        match started {
            Ok(call) => {
                self.by_request.insert(request.number(), tag);
                let flight = Flight {
                    upstream: number,
                    call,
                    request,
                    method: method.to_owned(),
                    shown,
                    message: Some(message),
                    session,
                    client,
                    questions: Vec::new(),
                    next_question: 1,
                    asked: HashSet::new(),
                    outcome: None,
                    page,
                };
                self.flights.insert(tag, flight);
            }
            Err(error) => {
                let outcome = Message::failure(upstream.client.number(), &error);
                self.told(answer(&request, &outcome, &upstream.shown, None));
            }
        }
    }

    /// The outcome of a call, for the program of `--check` first.
    pub fn landed(&mut self, tag: u64, outcome: Message) {
        if let Some(outcome) = self.check_outcome(tag, outcome) {
            self.landed_checked(tag, outcome);
        }
    }

    /// The outcome of a call.
    pub fn landed_checked(&mut self, tag: u64, outcome: Message) {
        let Some(flight) = self.flights.get_mut(&tag) else { return };
        if flight.message.is_none() && !flight.request.is_under_way() && self.waiting.has(tag) {
            // In 2026-07-28 the request has been answered with the question; the next one of the client gets the outcome.
            flight.outcome = Some(outcome);
            let upstream = flight.upstream;
            return self.give_up_some(upstream);
        }
        self.conclude(tag, &outcome);
    }

    fn conclude(&mut self, tag: u64, outcome: &Message) {
        let Some(flight) = self.take_flight(tag) else { return };
        // The server was not told of its end, or may not know of it yet.
        if matches!(outcome.status(), Status::Timeout | Status::Cancelled | Status::Transport) {
            self.remember(&flight);
        }
        if let Some(why) = self.page_differs(&flight, outcome) {
            return self.refuse(&flight.request, INVALID_PARAMS, &why);
        }
        let shown = |uri: &str| self.catalog.shown(flight.upstream, uri);
        let uris: Option<Shown<'_>> = if self.catalog.has_labels() { Some(&shown) } else { None };
        let answered = answer(&flight.request, outcome, &self.upstreams[flight.upstream].shown, uris);
        self.told(answered);
    }

    /// Why a page that was read is not given to the client. It is compared each time: a server may send another one later.
    fn page_differs(&self, flight: &Flight, outcome: &Message) -> Option<String> {
        let page = flight.page.as_ref().filter(|_| outcome.status() == Status::Ok)?;
        let why = self.upstreams[flight.upstream].rules.pin.as_ref()?.page_differs(page, outcome.json())?;
        let why = format!("the page '{}' is refused by the bridge: {why}", one_line(page));
        Screen::said(&why);
        Some(why)
    }

    /// The request of a call has come again, with what its client says.
    fn resumed(&mut self, tag: u64, request: Request, message: Message) {
        let Some(flight) = self.flights.get_mut(&tag) else { return };
        self.by_request.remove(&flight.request.number());
        self.by_request.insert(request.number(), tag);
        (flight.request, flight.message) = (request, Some(message));
        self.waiting.remove(tag);
        if let Some(outcome) = flight.outcome.take() {
            return self.conclude(tag, &outcome);
        }
        self.put_questions(tag);
    }

    /// A client no longer wants its request, or has gone.
    pub fn withdrawn(&mut self, request: u64) {
        if let Some(tag) = self.by_request.remove(&request) {
            self.drop_flight(tag, "the client no longer wants it");
            return;
        }
        for upstream in &mut self.upstreams {
            upstream.order.retain(|message| message.call() != request);
        }
        self.forget_checked(request);
    }

    /// A call is under way no more.
    pub fn take_flight(&mut self, tag: u64) -> Option<Flight> {
        let flight = self.flights.remove(&tag)?;
        self.by_request.remove(&flight.request.number());
        self.waiting.remove(tag);
        Some(flight)
    }

    pub fn drop_flight(&mut self, tag: u64, why: &str) {
        if let Some(flight) = self.take_flight(tag) {
            self.upstreams[flight.upstream].client.cancel(flight.call, why);
            self.remember(&flight);
        }
    }

    /// Remembers whose a call was that ended without its server: what that asks then may be for this call.
    fn remember(&mut self, flight: &Flight) {
        // A server of 2026-07-28 always says which call a question is for.
        if !self.upstreams[flight.upstream].is_modern {
            self.given_up.add(flight.upstream, flight.session, Instant::now());
        }
    }

    /// Gives up the calls whose clients were asked something and have not answered.
    pub fn give_up_overdue(&mut self, now: Instant) {
        while let Some(tag) = self.waiting.overdue(now) {
            // With it or without, the next one is another.
            self.waiting.remove(tag);
            self.give_up(tag, "the client did not answer what it was asked");
        }
    }

    /// Ends a call that waits for its client, which learns of it: now, or in 2026-07-28 when it comes again.
    pub fn give_up(&mut self, tag: u64, why: &str) {
        if let Some(flight) = self.flights.get(&tag) {
            // In 2026-07-28 the request has its answer already: the question.
            let _is_told = flight.request.respond_error(INTERNAL_ERROR, why, None);
        }
        self.drop_flight(tag, why);
    }

    /// A change that calls wait for is made, or cannot be.
    pub fn in_order(&mut self, upstream: usize, call: u64) {
        let it = &mut self.upstreams[upstream];
        it.order.ended(call);
        if it.level_call == Some(call) {
            it.level_call = None;
            let next = it.next_level.take();
            self.set_level(upstream, next, None);
        }
        if self.upstreams[upstream].order.has_late() {
            self.subscriptions_changed(&[]);
        }
        for message in self.upstreams[upstream].order.released() {
            self.requested(message);
        }
    }

    /// Progress of a call.
    pub fn progressed(&mut self, message: &Message) {
        let Some(flight) = self.flights.get(&message.tag()) else { return };
        let number = |name: &str| member(message.json(), name).and_then(|it| it.parse::<f64>().ok());
        let said = text(message.json(), "message");
        if let Some(value) = number("progress") {
            flight.request.progress(value, number("total"), said.as_deref());
        }
    }
}

/// What a server of 2026-07-28 is told for a call: what its client can answer, and of the bridge what the bridge itself does. A server of
/// the legacy era was told at the handshake what the bridge can.
fn declared(upstream: &Upstream, context: &str) -> String {
    let its = member(context, "capabilities").unwrap_or("{}");
    let mut all = String::from("{");
    for name in ["sampling", "elicitation", "roots"] {
        let value = member(its, name).filter(|_| upstream.declared.contains_key(name));
        // A call does not tell of changed roots.
        if let Some(value) = value.map(|value| if name == "roots" { "{}" } else { value }) {
            all.extend([&quote(name), ":", value, ","]);
        }
    }
    if upstream.has_tasks {
        all.extend(["\"extensions\":{", &quote(TASKS), ":{}}"]);
    }
    format!("{}}}", all.trim_end_matches(','))
}

/// The call of a tool that may become a task: its name, its arguments, the options. `None` when the parameters have more than the
/// library writes for such a call.
fn as_task(
    sent: &Forwarded,
    is_task: bool,
    tool_says: bool,
    limit_ms: u64,
) -> Option<(String, Option<String>, String)> {
    if members(&sent.params).any(|(name, _)| !matches!(name, "name" | "arguments" | "_meta")) {
        return None;
    }
    let name = text(&sent.params, "name")?;
    let arguments = member(&sent.params, "arguments").map(str::to_owned);
    Some((name, arguments, options(sent, limit_ms, Some(is_task && tool_says))))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_client_holds_is_of_one_process_of_a_bridge() {
        for (text, call) in [
            (held(7, 65536), Some(65536)),
            (held(8, 65536), None),
            ("65536".to_owned(), None),
            ("7.".to_owned(), None),
            (".65536".to_owned(), None),
            (String::new(), None),
        ] {
            assert_eq!(call_of(&text, 7), call, "{text}");
        }
    }
}
