//! What changes: lists and resources of the servers behind, and what clients want to be told of.

use super::catalog::Whose;
use super::lists::LISTS;
use super::relay::Relay;
use super::upstream::{Listing, OF_ORDER, code, text};
use crate::failure::Failure;
use crate::output::{Screen, one_line};
use mcp::client::features::Request;
use mcp::client::json_text::member;
use mcp::client::names::{LOG_LEVEL, METHOD_NOT_FOUND};
use mcp::client::{Message, Status};
use mcp::server::Severity;
use std::collections::{HashMap, HashSet};

impl Relay {
    /// Asks for every list of a server; `tells` says whether clients learn of it although nothing differs.
    pub fn list_all(&mut self, upstream: usize, tells: bool) {
        for list in 0..LISTS.len() {
            if self.upstreams[upstream].has(list) {
                self.list(upstream, list, tells);
            }
        }
    }

    fn list(&mut self, upstream: usize, list: usize, tells: bool) {
        let it = &mut self.upstreams[upstream];
        let listing = &mut it.listing[list];
        listing.tells |= tells;
        if listing.is_asked {
            listing.again = true;
            return;
        }
        let tag = list as u64 + 1;
        match it.client.start_request(&LISTS[list].request, Some("{\"cache\":\"bypass\"}"), tag) {
            Ok(_) => it.listing[list].is_asked = true,
            // It is asked again when the connection is there.
            Err(error) => self.cannot_list(upstream, list, &error.message),
        }
    }

    fn cannot_list(&self, upstream: usize, list: usize, why: &str) {
        let shown = &self.upstreams[upstream].shown;
        let what = LISTS[list].member;
        Screen::said(format!("the {what} of {} cannot be listed: {}", one_line(shown), one_line(why)));
    }

    /// A list has come.
    pub fn listed(&mut self, upstream: usize, tag: u64, outcome: &Message) {
        let list = usize::try_from(tag).unwrap_or(1) - 1;
        let come = Listing { has_come: true, ..Listing::default() };
        let listing = std::mem::replace(&mut self.upstreams[upstream].listing[list], come);
        let was_refused = self.upstreams[upstream].rules.refusal().is_err();
        if outcome.status() == Status::Ok {
            if let Some(server) = &self.server {
                let it = &mut self.upstreams[upstream];
                let entries = it.rules.take(&it.shown, &LISTS[list], outcome.json());
                let differs = self.catalog.take(server, upstream, &LISTS[list], entries);
                if !differs && listing.tells {
                    server.list_changed(LISTS[list].kind);
                }
            }
        } else {
            // Some servers declare resources and have no templates.
            let has_none = code(outcome.json()) == Some(METHOD_NOT_FOUND);
            if !has_none {
                let why = text(outcome.json(), "message").unwrap_or_default();
                self.cannot_list(upstream, list, &why);
            }
        }
        let is_tools = LISTS[list].capability == "tools" && outcome.status() == Status::Ok;
        let has_joined = is_tools && std::mem::take(&mut self.upstreams[upstream].has_joined);
        if let Err(failure) = self.upstreams[upstream].rules.refusal() {
            if !was_refused {
                self.withdraw(upstream, &failure);
            }
        } else if has_joined {
            // At the start this ends the bridge; now it serves others.
            if let Err(failure) = self.fits(upstream) {
                Screen::said(one_line(&failure.text()));
            }
        }
        if listing.again {
            self.list(upstream, list, false);
        }
    }

    /// Offers nothing more of a server that is refused. At the start this ends the bridge, which says why.
    fn withdraw(&mut self, upstream: usize, why: &Failure) {
        if let Some(server) = &self.server {
            for list in &LISTS {
                self.catalog.take(server, upstream, list, Vec::new());
            }
        }
        if self.has_started {
            Screen::said(format!("{}; nothing of this server is offered", one_line(&why.text())));
        }
    }

    /// A notification of a server behind.
    pub fn notified(&mut self, upstream: usize, message: &Message) {
        let json = message.json();
        match message.method().unwrap_or_default() {
            "notifications/tools/list_changed" => self.list(upstream, 0, true),
            "notifications/resources/list_changed" => {
                self.list(upstream, 1, true);
                self.list(upstream, 2, false);
            }
            "notifications/prompts/list_changed" => self.list(upstream, 3, true),
            "notifications/resources/updated" => {
                if let Some(uri) = text(json, "uri") {
                    self.resource_updated(upstream, &uri);
                }
            }
            "notifications/message" => self.logged(upstream, message),
            "notifications/tasks" | "notifications/tasks/status" => {
                if let Some(flight) = self.flights.get(&message.tag()) {
                    let said = text(json, "statusMessage");
                    // A client that knows no tasks waits for the result.
                    let _is_task = flight.request.start_task(None, said.as_deref());
                }
            }
            "notifications/cancelled" | "notifications/subscriptions/acknowledged" => {}
            method => {
                if let Some(server) = &self.server {
                    // What belongs to the protocol the bridge's own server sends where it is due.
                    let _sent_to = server.notify(0, method, json);
                }
            }
        }
    }

    /// A resource has changed: told to those who are subscribed to it by any URI that it has or had.
    fn resource_updated(&self, upstream: usize, uri: &str) {
        let Some(server) = &self.server else { return };
        let is_it = |at: &(usize, String)| at.0 == upstream && at.1 == uri;
        for shown in self.catalog.ever_shown(upstream, uri) {
            if self.subscribed.get(&shown).is_some_and(is_it) {
                server.resource_updated(&shown);
            }
        }
        // It may also belong to a resource to which a client is subscribed.
        let shown = self.catalog.shown(upstream, uri);
        if self.subscribed.get(&shown).is_none_or(is_it) {
            server.resource_updated(&shown);
        }
    }

    /// A log message: of the call that it came with, or of the only one of that server; else for all clients of the legacy era.
    fn logged(&self, upstream: usize, message: &Message) {
        let Some(server) = &self.server else { return };
        let json = message.json();
        let severity =
            text(json, "level").and_then(|level| Severity::parse(&level)).unwrap_or(Severity::Info);
        let (logger, data) = (text(json, "logger"), member(json, "data").unwrap_or("null"));
        let mut mine = self.flights.values().filter(|flight| flight.upstream == upstream);
        let only = mine.next().filter(|_| mine.next().is_none());
        let _sent = match self.flights.get(&message.tag()).or(only) {
            Some(flight) => flight.request.log(severity, logger.as_deref(), data),
            None => server.log(severity, logger.as_deref(), data).is_ok(),
        };
    }

    /// The roots of a client have changed, or a client with other ones has come.
    pub fn roots_changed(&self) {
        for upstream in
            self.upstreams.iter().filter(|upstream| !upstream.is_modern && upstream.rules.allowed.is_none())
        {
            // A server that is being connected asks when it is ready.
            let _is_told = upstream.client.notify("notifications/roots/list_changed", None);
        }
    }

    /// A notification of a client that the library does not know. With several servers it is not known for which it is; and where a
    /// program or a snapshot says what goes to a server it does not go there: it has no answer that could refuse it.
    pub fn notify_servers(&self, method: &str, params: &str) {
        let only = self.only_upstream().and_then(|only| self.upstreams.get(only));
        let Some(upstream) = only.filter(|it| self.checker.is_none() && it.rules.pin.is_none()) else {
            return;
        };
        // It has no answer; a server that is not there misses it, as it would without a bridge.
        let _is_told = upstream.client.notify(method, Some(params));
    }

    /// Clients are subscribed to other resources than before. A server is asked for a few changes at one time, the oldest first; one
    /// that was made and taken back meanwhile is not asked for. `clients` are further ones whose calls come after that.
    pub fn subscriptions_changed(&mut self, clients: &[u64]) {
        let Some(server) = &self.server else { return };
        let (wanted, mut changed_by) = server.subscribed();
        changed_by.extend(clients);
        // What a client subscribed to stays what it was, also when clients know it by another URI from now on.
        let found = wanted.into_iter().filter_map(|shown| {
            let at = self.subscribed.get(&shown).cloned().or_else(|| self.resource(&shown))?;
            Some((shown, at))
        });
        let mut wanted: HashMap<String, (usize, String)> = found.collect();
        self.check_subscriptions(&mut wanted, &changed_by);
        let mut now = std::mem::take(&mut self.subscribed);
        let (old, new): (HashSet<_>, HashSet<_>) =
            (now.values().cloned().collect(), wanted.values().cloned().collect());
        for (number, it) in self.upstreams.iter_mut().enumerate() {
            let of_it = |at: &(usize, String)| at.0 == number;
            let differing = new.symmetric_difference(&old).filter(|at| of_it(at));
            let (client, order) = (&it.client, &mut it.order);
            order.change(&differing.map(|(_, uri)| uri.as_str()).collect(), &changed_by, |uri| {
                let request = match new.contains(&(number, uri.to_owned())) {
                    true => Request::ResourcesSubscribe { uri },
                    false => Request::ResourcesUnsubscribe { uri },
                };
                client.start_request(&request, Some(IN_ORDER), OF_ORDER).ok()
            });
        }
        let is_late = |at: &(usize, String)| self.upstreams[at.0].order.is_late(&at.1);
        now.retain(|shown, at| wanted.contains_key(shown) || is_late(at));
        now.extend(
            wanted.iter().filter(|(_, at)| !is_late(at)).map(|(shown, at)| (shown.clone(), at.clone())),
        );
        self.subscribed = now;
    }

    /// Whose the resource is that clients know by a URI, and its URI there. What is in no list is that of the only server.
    pub fn resource(&self, shown: &str) -> Option<(usize, String)> {
        let (upstream, uri) = match self.catalog.resource(shown) {
            _ if self.is_limited() => return None,
            Whose::One(upstream, uri) => (upstream, uri),
            Whose::Unlisted => (self.only_upstream()?, shown.to_owned()),
            Whose::Several(_) => return None,
        };
        let pin = self.upstreams[upstream].rules.pin.as_ref();
        // A URI with the name of a server may be one that it does not list.
        let is_listed = || self.catalog.has_resource(upstream, &uri);
        pin.is_none_or(|pin| pin.lets_read(&uri, is_listed())).then_some((upstream, uri))
    }

    /// A request of 2026-07-28 says which log messages its client wants. A server of the legacy era has one level for all.
    pub fn want_level_of(&mut self, upstream: usize, params: &str, client: u64) {
        let Some(level) = member(params, "_meta").and_then(|meta| text(meta, LOG_LEVEL)) else {
            return;
        };
        let it = &self.upstreams[upstream];
        let wanted = Severity::parse(&level);
        let told = it.next_level.as_deref().or(it.level.as_deref());
        let is_less = match told.and_then(Severity::parse) {
            Some(now) => wanted.is_some_and(|wanted| wanted < now),
            None => wanted.is_some(),
        };
        if !it.is_modern && is_less {
            self.set_level(upstream, Some(level), Some(client));
        }
    }

    /// A client of the legacy era has set its level of log messages: the servers get the least severe of all.
    pub fn level_changed(&mut self, client: u64) {
        let Some(level) = self.server.as_deref().and_then(mcp::server::Server::least_severity) else {
            return;
        };
        for upstream in 0..self.upstreams.len() {
            self.set_level(upstream, Some(level.as_str().to_owned()), Some(client));
        }
    }

    /// Tells a server which log messages it is to send, for a client. It is told one level at a time: of what comes meanwhile the
    /// last counts.
    pub fn set_level(&mut self, upstream: usize, level: Option<String>, client: Option<u64>) {
        let it = &mut self.upstreams[upstream];
        if !it.capabilities.contains_key("logging") {
            return;
        }
        if let Some(call) = it.level_call.filter(|call| it.order.is_under_way(*call)) {
            it.level_call = Some(call);
            it.next_level = level.filter(|level| it.level.as_ref() != Some(level));
            match client {
                Some(client) if it.next_level.is_some() => it.order.put_off_level(client),
                Some(client) => it.order.follow(client),
                None => {}
            }
            return;
        }
        if let Some(level) = level.filter(|level| it.level.as_ref() != Some(level)) {
            let request = Request::SetLogLevel { level: &level };
            it.level_call = it.client.start_request(&request, Some(IN_ORDER), OF_ORDER).ok();
            if let Some(call) = it.level_call {
                it.order.begin(call);
            }
            it.level = Some(level);
            if let Some(client) = client {
                it.order.follow(client);
            }
        }
        it.order.level_caught_up();
    }
}

/// The options of what calls wait for: calls do not wait long for a server that does not answer it.
const IN_ORDER: &str = "{\"timeout_ms\":10000}";
