//! Change notifications of the modern era (2026-07-28 `basic/patterns/subscriptions`): they flow only to those who asked by
//! `subscriptions/listen`, so the library asks for every kind that the server has, and for the resources that the
//! application subscribed to.
//!
//! What is asked for is changed by opening a new stream and closing the old one when the new one is acknowledged, so that
//! no change is missed in between. At most one stream is being opened at a time; subscriptions that come meanwhile go
//! into the next. A stream that ends is opened again, after waits that grow.

use super::counters::Level;
use super::deadlines::Due;
use super::effect::State;
use super::features::nothing;
use super::settings::Wire;
use super::status::{Error, Status};
use super::{Engine, Exchange, fields};
use crate::json::{self, Kind};
use crate::protocol::task::Form;
use crate::protocol::{Era, ParamsBuf, feature, meta, method, write};
use serde_json::Value;
use std::collections::VecDeque;
use std::time::{Duration, Instant};

/// The request that opens a stream.
const LISTEN: &str = "subscriptions/listen";
/// Streams of ours that ended, whose last messages may still come.
const ENDED: usize = 64;
/// The capability, as a JSON pointer, and the member of the filter that asks for it.
const KINDS: [(&str, &str); 3] = [
    ("/tools/listChanged", "toolsListChanged"),
    ("/prompts/listChanged", "promptsListChanged"),
    ("/resources/listChanged", "resourcesListChanged"),
];

/// The stream that a notification names. The reference implementation writes the number as a string.
fn subscription(params: &str) -> Option<u64> {
    let named = json::member(json::member(params, meta::META)?, meta::SUBSCRIPTION_ID)?;
    match json::string(named) {
        Some(text) => text.parse().ok(),
        None => json::integer(named).and_then(|id| u64::try_from(id).ok()),
    }
}

/// A stream: open, or being opened.
#[derive(Debug)]
struct Stream {
    exchange: u64,
    /// Which state of the wishes it was opened for.
    version: u64,
    /// What the server granted of it, JSON text of an object.
    granted: Option<Box<str>>,
    /// Whether it asks for the states of tasks.
    tasks: bool,
}

/// A call that waits for what was changed to be acknowledged.
#[derive(Debug)]
struct Waiting {
    call: u64,
    version: u64,
    /// The resource that it subscribed to; `None` when it ended a subscription.
    uri: Option<Box<str>>,
}

/// The streams of one client.
#[derive(Default, Debug)]
pub(super) struct Listens {
    current: Option<Stream>,
    next: Option<Stream>,
    waiting: Vec<Waiting>,
    version: u64,
    ended: VecDeque<u64>,
    /// Streams that ended in a row without a change arriving.
    failures: u32,
    /// When a stream is opened again.
    again: Option<Instant>,
    /// How often changes may have been missed.
    gaps: u64,
    /// The server refused a stream that asked for the states of tasks: they are polled only.
    tasks_refused: bool,
}

impl<T> Engine<T> {
    /// Counts connections and streams that were lost: what was known before may have changed unseen.
    pub fn freshness(&self) -> u64 {
        self.generation.wrapping_mul(1 << 20).wrapping_add(self.listens.gaps)
    }

    /// What the server granted of the current stream, JSON text of an object.
    pub fn listening(&self) -> Option<&str> {
        self.listens.current.as_ref().and_then(|stream| stream.granted.as_deref())
    }

    /// A call waits for the server to take up its subscription.
    pub(super) fn awaits_stream(&self, call: u64) -> bool {
        self.listens.waiting.iter().any(|waiting| waiting.call == call)
    }

    /// The connection is ready: asks for every change that there may be.
    pub(super) fn listen(&mut self) {
        if self.era() == Some(Era::Modern) {
            self.open_stream();
        }
    }

    /// The connection has ended, and its streams with it.
    pub(super) fn forget_streams(&mut self) {
        let listens = &mut self.listens;
        (listens.current, listens.next, listens.again) = (None, None, None);
        listens.ended.clear();
        listens.failures = 0;
        listens.tasks_refused = false;
        // Those that wait for a stream end with the connection like every call, or begin again on the next.
        for uri in std::mem::take(&mut listens.waiting).into_iter().filter_map(|waiting| waiting.uri) {
            self.restore.drop_subscription(&uri);
        }
    }

    /// A call subscribes to a resource, or ends that.
    pub(super) fn subscribe(&mut self, now: Instant, id: u64, called: &str, params: &str) {
        let uri = json::member(params, "uri").and_then(json::string).unwrap_or_default();
        let before = self.restore.subscribes_to(&uri);
        let wanted = called == method::SUBSCRIBE;
        if before == wanted {
            let under_way = |waiting: &&Waiting| waiting.uri.as_deref() == Some(uri.as_ref());
            let version = self.listens.waiting.iter().find(under_way).map(|waiting| waiting.version);
            let Some(version) = version else { return self.complete(now, id, Ok(nothing())) };
            let waiting = Waiting { call: id, version, uri: Some(uri.as_ref().into()) };
            return self.listens.waiting.push(waiting);
        }
        self.restore.note(called, params);
        self.listens.version += 1;
        let waiting =
            Waiting { call: id, version: self.listens.version, uri: wanted.then(|| uri.as_ref().into()) };
        self.listens.waiting.push(waiting);
        self.open_stream();
        if self.listens.next.is_none() {
            // Nothing is left to listen for.
            self.close_stream();
            self.settle_waiting(now, self.listens.version, None);
        }
    }

    /// There is one more task to be told of.
    pub(super) fn listen_to_tasks(&mut self) {
        if self.tasks_to_hear_of().is_some() {
            self.listens.version += 1;
            self.open_stream();
        }
    }

    /// The tasks whose states are asked for, as a JSON list.
    fn tasks_to_hear_of(&self) -> Option<String> {
        let capabilities = self.handshake.capabilities();
        let wanted = self.settings.change_notifications
            && !self.listens.tasks_refused
            && feature::has(capabilities, Form::Extension.capability());
        let names: Vec<String> = self.tasks.names().into_iter().map(json::quote).collect();
        (wanted && !names.is_empty()).then(|| format!("[{}]", names.join(",")))
    }

    /// A call ended before the server took up its subscription: it is not wanted any more.
    pub(super) fn stop_waiting(&mut self, id: u64) {
        let Some(at) = self.listens.waiting.iter().position(|waiting| waiting.call == id) else { return };
        if let Some(uri) = self.listens.waiting.remove(at).uri {
            self.restore.drop_subscription(&uri);
        }
    }

    /// The filter of what is wanted, if anything is.
    fn filter(&self) -> Option<String> {
        let capabilities = self.handshake.capabilities();
        let mut filter = String::from("{");
        if self.settings.change_notifications {
            for (pointer, name) in KINDS {
                if feature::has(capabilities, pointer) {
                    filter.push_str(if filter.len() > 1 { ",\"" } else { "\"" });
                    filter.push_str(name);
                    filter.push_str("\":true");
                }
            }
        }
        let uris: Vec<String> = self.restore.subscriptions().map(json::quote).collect();
        if !uris.is_empty() {
            filter.push_str(if filter.len() > 1 { ",\"" } else { "\"" });
            filter.push_str("resourceSubscriptions\":[");
            filter.push_str(&uris.join(","));
            filter.push(']');
        }
        if let Some(names) = self.tasks_to_hear_of() {
            filter.push_str(if filter.len() > 1 { ",\"" } else { "\"" });
            filter.push_str("taskIds\":");
            filter.push_str(&names);
        }
        filter.push('}');
        (filter.len() > 2).then_some(filter)
    }

    /// Opens a stream for what is wanted now, unless one is being opened: then that comes first.
    fn open_stream(&mut self) {
        if self.listens.next.is_some() || self.state != State::Ready {
            return;
        }
        self.listens.again = None;
        let Some(filter) = self.filter() else { return };
        let exchange = self.exchanges.begin(Exchange::Listen);
        let tasks = self.tasks_to_hear_of().is_some();
        self.listens.next = Some(Stream { exchange, version: self.listens.version, granted: None, tasks });
        let params = format!("{{\"notifications\":{filter}}}");
        let params = ParamsBuf::written(LISTEN, params);
        self.send(write::request(exchange, LISTEN, Some(params.view()), self.handshake.members().text()));
    }

    /// Ends the current stream from our side.
    fn close_stream(&mut self) {
        let Some(old) = self.listens.current.take() else { return };
        self.remember_ended(old.exchange);
        if self.settings.wire == Wire::Http {
            // There the stream is the answer to its request, and closing it says enough.
            return self.end_exchange(old.exchange);
        }
        self.exchanges.end(old.exchange);
        self.send(write::cancelled(old.exchange, "no longer needed"));
    }

    fn remember_ended(&mut self, exchange: u64) {
        if self.listens.ended.len() == ENDED {
            self.listens.ended.pop_front();
        }
        self.listens.ended.push_back(exchange);
    }

    /// Whether a notification is to be handed on: not what belongs to the library, or comes twice because two streams were
    /// open for a moment.
    pub(super) fn passes(&mut self, now: Instant, called: &str, params: Option<&str>) -> bool {
        if self.era() != Some(Era::Modern) {
            return true;
        }
        let params = params.unwrap_or("{}");
        if called == method::CANCELLED {
            let id = json::member(params, "requestId").and_then(json::integer).unwrap_or_default();
            return !u64::try_from(id).is_ok_and(|id| self.stream_ended(now, id, "the server cancelled it"));
        }
        let Some(named) = subscription(params) else { return true };
        if called == method::ACKNOWLEDGED
            && self.listens.next.as_ref().is_some_and(|next| next.exchange == named)
        {
            self.acknowledged(now, json::member(params, "notifications"));
            return false;
        }
        if self.listens.current.as_ref().is_some_and(|stream| stream.exchange == named) {
            self.listens.failures = 0;
            return called != method::ACKNOWLEDGED;
        }
        // A stream that ended, or one not acknowledged yet: the current one brings the same.
        let ours = self.listens.ended.contains(&named)
            || self.listens.next.as_ref().is_some_and(|next| next.exchange == named);
        !ours
    }

    /// Whether a notification says that a list changed and belongs to no stream of ours. On one connection for everything the
    /// id of the subscription is what tells that it does (2026-07-28 `basic/patterns/subscriptions`).
    pub(super) fn is_stray_change(&self, called: &str, params: Option<&str>) -> bool {
        let ours = |named: u64| match self.exchanges.get(named) {
            Some(Exchange::Listen) => true,
            // The application opened a stream itself.
            Some(Exchange::Call(call)) => self.calls.get(call).is_some_and(|call| *call.method == *LISTEN),
            _ => self.listens.ended.contains(&named),
        };
        (self.state, self.era()) == (State::Ready, Some(Era::Modern))
            && self.settings.wire == Wire::Stream
            && called.starts_with("notifications/")
            && called.ends_with("/list_changed")
            && !params.and_then(subscription).is_some_and(ours)
    }

    /// The stream that was being opened is open.
    fn acknowledged(&mut self, now: Instant, granted: Option<&str>) {
        let Some(mut stream) = self.listens.next.take() else { return };
        let granted = granted.filter(|granted| json::kind(granted) == Some(Kind::Object)).unwrap_or("{}");
        stream.granted = Some(granted.into());
        let (exchange, version) = (stream.exchange, stream.version);
        self.close_stream();
        self.listens.current = Some(stream);
        self.log(Level::Info, "subscription.open", || {
            fields([
                ("id", exchange.into()),
                ("granted", serde_json::from_str(granted).unwrap_or(Value::Null)),
            ])
        });
        self.settle_waiting(now, version, Some(granted));
        if self.listens.version > version {
            self.open_stream();
            if self.listens.next.is_none() {
                self.close_stream();
                self.settle_waiting(now, self.listens.version, None);
            }
        }
    }

    /// Ends the calls whose wishes are in a stream of this version. `granted` is what the server takes up of them.
    fn settle_waiting(&mut self, now: Instant, version: u64, granted: Option<&str>) {
        let waiting = std::mem::take(&mut self.listens.waiting);
        let (done, later) = waiting.into_iter().partition(|waiting| waiting.version <= version);
        self.listens.waiting = later;
        let taken: Vec<String> = granted
            .and_then(|granted| json::member(granted, "resourceSubscriptions"))
            .map(|uris| json::elements(uris).filter_map(json::string).map(Into::into).collect())
            .unwrap_or_default();
        for Waiting { call, uri, .. } in done {
            let refused = uri.filter(|uri| granted.is_some() && !taken.iter().any(|taken| **taken == **uri));
            let outcome = match refused {
                None => Ok(nothing()),
                Some(uri) => {
                    self.restore.drop_subscription(&uri);
                    let message = format!("the server does not take the subscription to {uri}");
                    Err(Error::new(Status::Unsupported, method::SUBSCRIBE, message).with("uri", &*uri))
                }
            };
            self.complete(now, call, outcome);
        }
    }

    /// A stream ended: by a result, an error, or a cancellation of the server's. Says whether it was one of ours.
    pub(super) fn stream_ended(&mut self, now: Instant, exchange: u64, why: &str) -> bool {
        let is = |stream: &Option<Stream>| stream.as_ref().is_some_and(|stream| stream.exchange == exchange);
        let opened = is(&self.listens.current);
        if is(&self.listens.next) {
            let with_tasks = self.listens.next.take().is_some_and(|stream| stream.tasks);
            self.exchanges.end(exchange);
            self.remember_ended(exchange);
            if with_tasks {
                // Perhaps that is what it does not take: the rest is asked for without.
                self.listens.tasks_refused = true;
                self.open_stream();
            }
            if self.listens.next.is_none() {
                // Those who waited for it are told; a stream that is open goes on.
                self.refuse_waiting(now, why);
            }
        } else if is(&self.listens.current) {
            self.listens.current = None;
            self.exchanges.end(exchange);
            self.remember_ended(exchange);
            self.listens.gaps += 1;
        } else {
            return self.listens.ended.contains(&exchange);
        }
        self.log(Level::Info, "subscription.ended", || {
            fields([("id", exchange.into()), ("why", why.into())])
        });
        // One that never opened was refused, and would be again.
        if opened && self.listens.next.is_none() && self.filter().is_some() {
            self.listen_later(now);
        }
        true
    }

    /// The server refused a stream: the subscriptions that waited for it are not wanted any more.
    fn refuse_waiting(&mut self, now: Instant, why: &str) {
        for Waiting { call, uri, .. } in std::mem::take(&mut self.listens.waiting) {
            if let Some(uri) = uri {
                self.restore.drop_subscription(&uri);
            }
            let message = format!("the server did not take up the subscription: {why}");
            self.complete(now, call, Err(Error::new(Status::Unsupported, LISTEN, message)));
        }
    }

    /// Opens a stream again after a wait.
    fn listen_later(&mut self, now: Instant) {
        let policy = self.settings.reconnect.clone().unwrap_or_default();
        let most = policy.max.max(Duration::from_secs(1));
        let at = now + self.reconnection.pause(&policy, self.listens.failures, most);
        self.listens.failures += 1;
        self.listens.again = Some(at);
        self.deadlines.add(at, Due::Listen(self.generation));
    }

    /// Whether a stream waits to be opened again at this time.
    pub(super) fn listens_again(&self, at: Instant) -> bool {
        self.listens.again == Some(at)
    }

    /// The wait before a stream is opened again is over.
    pub(super) fn listen_again(&mut self) {
        self.listens.again = None;
        self.open_stream();
    }
}
