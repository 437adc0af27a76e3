//! Change notifications of the modern era (2026-07-28 `basic/patterns/subscriptions`): they flow only to those who asked by
//! `subscriptions/listen`, so the library asks for every kind that the server has, and for the resources that the
//! application subscribed to.
//!
//! What is asked for is changed by opening a new stream and closing the old one when the new one is acknowledged, so that
//! no change is missed in between. At most one stream is being opened at a time; subscriptions that come meanwhile go
//! into the next. A stream that ends is opened again, after waits that grow.
//!
//! The files:
//!
//! * `streams`: part: `SubscriptionStreams`

pub(super) mod streams;

use crate::engine::client::Engine;
use crate::engine::client::deadlines::Due;
use crate::engine::client::effect::{ResultBody, State};
use crate::engine::client::exchanges::Exchange;
use crate::engine::client::settings::Wire;
use crate::engine::client::subscriptions::streams::{
    EndedStream, OpenedStream, StreamNotification, WaitingCall,
};
use crate::engine::{Error, Level, Status, fields};
use crate::json;
use crate::protocol::task::Form;
use crate::protocol::{Era, ParamsBuf, capability, lenient, meta, method, write};
use serde_json::Value;
use std::time::{Duration, Instant};

/// The request that opens a stream.
const LISTEN: &str = "subscriptions/listen";
/// The capability, as a JSON pointer, and the member of the filter that asks for it.
const KINDS: [(&str, &str); 3] = [
    ("/tools/listChanged", "toolsListChanged"),
    ("/prompts/listChanged", "promptsListChanged"),
    ("/resources/listChanged", "resourcesListChanged"),
];

/// The stream that a notification names. The reference implementation writes the number as a string.
fn subscription(params: &str) -> Option<u64> {
    lenient::number(json::member(lenient::member(params, meta::META)?, meta::SUBSCRIPTION_ID)?)
}

impl<T> Engine<T> {
    /// Counts connections and streams that were lost: what was known before may have changed unseen.
    pub fn freshness(&self) -> u64 {
        self.generation.wrapping_mul(1 << 20).wrapping_add(self.streams.gaps())
    }

    /// What the server granted of the current stream, JSON text of an object.
    pub fn listening(&self) -> Option<&str> {
        self.streams.granted()
    }

    /// A call waits for the server to take up its subscription.
    pub(crate) fn awaits_stream(&self, call: u64) -> bool {
        self.streams.awaits(call)
    }

    /// The connection is ready: asks for every change that there may be.
    pub(crate) fn listen(&mut self) {
        if self.era() == Some(Era::Modern) {
            self.open_stream();
        }
    }

    /// The connection has ended, and its streams with it.
    pub(crate) fn forget_streams(&mut self) {
        // Calls that wait for a stream end with the connection like every call, or begin again on the next.
        for uri in self.streams.connection_ended() {
            self.restore.drop_subscription(&uri);
        }
    }

    /// A call subscribes to a resource, or ends that.
    pub(crate) fn subscribe(&mut self, now: Instant, id: u64, called: &str, params: &str) {
        let uri = json::member(params, "uri").and_then(json::string).unwrap_or_default();
        let before = self.restore.subscribes_to(&uri);
        let wanted = called == method::SUBSCRIBE;
        self.calls.joins_part(id);
        if before == wanted {
            if !self.streams.join(id, &uri) {
                self.complete(now, id, Ok(ResultBody::empty()));
            }
            return;
        }
        self.restore.note(called, params);
        self.streams.wait(id, wanted.then(|| uri.as_ref().into()));
        self.open_stream();
        if !self.streams.is_opening() {
            // Nothing is left to listen for.
            self.close_stream();
            self.settle_waiting(now, self.streams.version(), None);
        }
    }

    /// There is one more task to be told of.
    pub(crate) fn listen_to_tasks(&mut self) {
        if self.task_ids_to_subscribe().is_some() {
            self.streams.change();
            self.open_stream();
        }
    }

    /// The tasks whose states are asked for, as a JSON list.
    fn task_ids_to_subscribe(&self) -> Option<String> {
        let capabilities = self.handshake.capabilities();
        let wanted = self.settings.change_notifications
            && !self.streams.tasks_refused()
            && capability::server_has(capabilities, Form::Extension.capability());
        let names: Vec<String> = self.tasks.names().into_iter().map(json::quote).collect();
        (wanted && !names.is_empty()).then(|| format!("[{}]", names.join(",")))
    }

    /// A call ended before the server took up its subscription: it is not wanted any more.
    pub(crate) fn stop_waiting(&mut self, id: u64) {
        if let Some(uri) = self.streams.stop_waiting(id) {
            self.restore.drop_subscription(&uri);
        }
    }

    /// The filter of what is wanted, if anything is.
    fn filter(&self) -> Option<String> {
        let capabilities = self.handshake.capabilities();
        let mut filter = String::from("{");
        if self.settings.change_notifications {
            for (pointer, name) in KINDS {
                if capability::server_has(capabilities, pointer) {
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
        if let Some(names) = self.task_ids_to_subscribe() {
            filter.push_str(if filter.len() > 1 { ",\"" } else { "\"" });
            filter.push_str("taskIds\":");
            filter.push_str(&names);
        }
        filter.push('}');
        (filter.len() > 2).then_some(filter)
    }

    /// Opens a stream for what is wanted now, unless one is being opened: then that comes first.
    fn open_stream(&mut self) {
        if self.streams.is_opening() || self.state != State::Ready {
            return;
        }
        self.streams.stop_retry();
        let Some(filter) = self.filter() else { return };
        let exchange = self.exchanges.begin(Exchange::Listen);
        let tasks = self.task_ids_to_subscribe().is_some();
        self.streams.begin(exchange, tasks);
        let params = format!("{{\"notifications\":{filter}}}");
        let params = ParamsBuf::written(LISTEN, params);
        self.send(write::request(exchange, LISTEN, Some(params.view()), self.handshake.members().text()));
    }

    /// Ends the current stream from our side.
    fn close_stream(&mut self) {
        if let Some(exchange) = self.streams.close() {
            self.end_stream(exchange);
        }
    }

    /// Tells the server that a stream is not wanted any more.
    fn end_stream(&mut self, exchange: u64) {
        if self.settings.wire == Wire::Http {
            // There the stream is the answer to its request, and closing it says enough. What another stream brought may have overtaken
            // what is still on its way on this one.
            self.streams.missed();
            return self.end_exchange(exchange);
        }
        self.exchanges.end(exchange);
        self.send(write::cancelled(exchange, "no longer needed"));
    }

    /// Whether a notification is to be handed on: not what belongs to the library, or comes twice because two streams were
    /// open for a moment.
    pub(crate) fn passes(&mut self, now: Instant, called: &str, params: Option<&str>) -> bool {
        if self.era() != Some(Era::Modern) {
            return true;
        }
        let params = params.unwrap_or("{}");
        if called == method::CANCELLED {
            let id = json::member(params, "requestId").and_then(lenient::number);
            return !id.is_some_and(|id| self.stream_ended(now, id, "the server cancelled it"));
        }
        let Some(named) = subscription(params) else { return true };
        match self.streams.notified(named, called == method::ACKNOWLEDGED) {
            StreamNotification::Opens => {
                self.acknowledged(now, json::member(params, "notifications"));
                false
            }
            StreamNotification::Passes => true,
            StreamNotification::Dropped => false,
        }
    }

    /// Whether a notification says that a list changed and belongs to no stream of ours. On one connection for everything the
    /// id of the subscription is what tells that it does (2026-07-28 `basic/patterns/subscriptions`).
    pub(crate) fn is_stray_change(&self, called: &str, params: Option<&str>) -> bool {
        let ours = |named: u64| match self.exchanges.get(named) {
            Some(Exchange::Listen) => true,
            // The application opened a stream itself.
            Some(Exchange::Call(call)) => self.calls.get(call).is_some_and(|call| *call.method == *LISTEN),
            _ => self.streams.has_ended(named),
        };
        (self.state, self.era()) == (State::Ready, Some(Era::Modern))
            && self.settings.wire == Wire::Stream
            && called.starts_with("notifications/")
            && called.ends_with("/list_changed")
            && !params.and_then(subscription).is_some_and(ours)
    }

    /// The stream that was being opened is open.
    fn acknowledged(&mut self, now: Instant, granted: Option<&str>) {
        let granted = granted.and_then(lenient::as_object).unwrap_or("{}");
        let Some(OpenedStream { exchange, version, replaced }) = self.streams.open(granted) else { return };
        if let Some(replaced) = replaced {
            self.end_stream(replaced);
        }
        self.log(Level::Info, "subscription.open", || {
            fields([
                ("id", exchange.into()),
                ("granted", serde_json::from_str(granted).unwrap_or(Value::Null)),
            ])
        });
        self.settle_waiting(now, version, Some(granted));
        if self.streams.version() > version {
            self.open_stream();
            if !self.streams.is_opening() {
                self.close_stream();
                self.settle_waiting(now, self.streams.version(), None);
            }
        }
    }

    /// Ends the calls whose wishes are in a stream of this version. `granted` is what the server takes up of them.
    fn settle_waiting(&mut self, now: Instant, version: u64, granted: Option<&str>) {
        let taken: Vec<String> = granted
            .and_then(|granted| json::member(granted, "resourceSubscriptions"))
            .map(|uris| json::elements(uris).filter_map(json::string).map(Into::into).collect())
            .unwrap_or_default();
        for WaitingCall { call, uri, .. } in self.streams.take_waiting(version) {
            let refused = uri.filter(|uri| granted.is_some() && !taken.iter().any(|taken| **taken == **uri));
            let outcome = match refused {
                None => Ok(ResultBody::empty()),
                Some(uri) => {
                    self.restore.drop_subscription(&uri);
                    let message = format!("the server did not accept the subscription to {uri}");
                    Err(Error::new(Status::Unsupported, method::SUBSCRIBE, message).with("uri", &*uri))
                }
            };
            self.complete(now, call, outcome);
        }
    }

    /// A stream ended: by a result, an error, or a cancellation of the server's. Says whether it was one of ours.
    pub(crate) fn stream_ended(&mut self, now: Instant, exchange: u64, why: &str) -> bool {
        let ended = self.streams.end(exchange);
        match ended {
            EndedStream::Unknown => return false,
            EndedStream::Earlier => return true,
            EndedStream::Open => drop(self.exchanges.end(exchange)),
            EndedStream::Opening { with_tasks } => {
                self.exchanges.end(exchange);
                if with_tasks {
                    // Perhaps that is what it does not take: the rest is asked for without.
                    self.open_stream();
                }
                if !self.streams.is_opening() {
                    // The calls that waited for it fail; a stream that is open stays open.
                    self.refuse_waiting(now, why);
                }
            }
        }
        self.log(Level::Info, "subscription.ended", || {
            fields([("id", exchange.into()), ("why", why.into())])
        });
        // One that never opened was refused, and would be again.
        if ended == EndedStream::Open && !self.streams.is_opening() && self.filter().is_some() {
            self.reopen_later(now);
        }
        true
    }

    /// The server refused a stream: the subscriptions that waited for it are not wanted any more.
    fn refuse_waiting(&mut self, now: Instant, why: &str) {
        for WaitingCall { call, uri, .. } in self.streams.take_waiting(u64::MAX) {
            if let Some(uri) = uri {
                self.restore.drop_subscription(&uri);
            }
            let message = format!("the server did not accept the subscription: {why}");
            self.complete(now, call, Err(Error::new(Status::Unsupported, LISTEN, message)));
        }
    }

    /// Opens a stream again after a wait.
    fn reopen_later(&mut self, now: Instant) {
        let policy = self.settings.reconnect.clone().unwrap_or_default();
        let most = policy.max.max(Duration::from_secs(1));
        let at = now + self.reconnection.pause(&policy, self.streams.failures(), most);
        self.streams.retry_at(at);
        self.deadlines.add(at, Due::Listen(self.generation));
    }

    /// A stream was lost: opens it again unless another one is open.
    pub(crate) fn listen_unless_open(&mut self, now: Instant) {
        if !self.streams.has_one() && self.filter().is_some() {
            self.reopen_later(now);
        }
    }

    /// Whether a stream waits to be opened again at this time.
    pub(crate) fn listens_again(&self, at: Instant) -> bool {
        self.streams.is_due(at)
    }

    /// The wait before a stream is opened again is over.
    pub(crate) fn listen_again(&mut self) {
        self.streams.stop_retry();
        self.open_stream();
    }
}
