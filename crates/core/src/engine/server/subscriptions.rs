//! Subscriptions: to resources in the legacy era, to streams of `subscriptions/listen` in the modern one (2026-07-28,
//! `basic/patterns/subscriptions`), and the changes that are still to be sent.

use super::Server;
use super::access::resolve::wanted;
use super::access::{MissingScopes, ScopedReader};
use super::effect::{SessionId, Stream};
use super::registry::Kind;
use super::requests::RequestHead;
use super::requests::params::{WireId, given};
use super::session::context::ErrorResponse;
use super::session::{EACH_BYTES, FLOOR_BYTES, SubscribeRefused, URI_BYTES};
use super::store::waiting::TaskWish;
use super::tasks::table::TaskRequester;
use crate::json;
use crate::protocol::task::Form;
use crate::protocol::{error_code, lenient, method};
use crate::shares::{Holder, Lending, Shares};
use crate::sorted::{SortedMap, SortedSet};
use std::time::{Duration, Instant};

impl<H: Clone> Server<H> {
    /// Whether a session of the legacy era is told of changes: of lists, or of this resource.
    #[cfg(any(test, feature = "testing"))]
    pub fn is_told_of(&self, session: SessionId, uri: Option<&str>) -> bool {
        self.sessions.is_told_of(session, uri)
    }

    /// S-RS-08.
    pub(super) fn subscribe(
        &mut self,
        from: Stream,
        id: &WireId,
        on: bool,
        params: Option<&str>,
    ) -> Result<(), ErrorResponse> {
        let name = if on { method::SUBSCRIBE } else { method::UNSUBSCRIBE };
        self.need(ListChange::Resources, name)?;
        let principal = self.sessions.principal(from.session);
        let reader = self.reader(principal.as_deref(), name);
        let uri = wanted(&reader, params, "uri")?;
        if uri.len() > URI_BYTES {
            return Err(ErrorResponse::params(format!("'uri' may have {URI_BYTES} bytes at most")));
        }
        if !on {
            self.sessions.unsubscribe(from.session, &uri);
            self.subscriptions_changed(from.session);
        } else if self.source(&reader, &uri)?.is_none() {
            let data = serde_json::json!({ "uri": uri });
            let text = format!("there is no resource '{uri}'");
            return Err(ErrorResponse::new(error_code::RESOURCE_NOT_FOUND, text).with(&data));
        } else {
            let limit = self.settings.limits.subscriptions_per_session;
            self.sessions.subscribe(from.session, &uri, limit).map_err(|why| {
                let (key, text) = match why {
                    SubscribeRefused::Ended => {
                        return ErrorResponse::new(error_code::INVALID_REQUEST, "the session has ended");
                    }
                    SubscribeRefused::Number => {
                        ("limits.session_subscriptions", format!("the session has {limit} subscriptions: end some first"))
                    }
                    SubscribeRefused::Bytes(share) => (
                        "limits.subscription_bytes",
                        format!("the URIs that this client is subscribed to may take {share} bytes at present: end some subscriptions first"),
                    ),
                };
                ErrorResponse::busy(key, &text)
            })?;
            self.subscriptions_changed(from.session);
        }
        self.result(from, id, None, "{}");
        Ok(())
    }

    /// Whether there is a resource with that URI, for the application.
    pub(super) fn is_resource(&self, uri: &str) -> bool {
        self.registry.has(Kind::Resource, uri) || self.skills.has_file(uri) || self.registry.has_matching(uri)
    }

    /// Whether a session may still be told of a resource or a task: who its newest frame came from may have fewer scopes than who asked.
    pub(super) fn may_be_notified(
        &self,
        session: SessionId,
        asks: impl FnOnce(&ScopedReader<'_>) -> Result<(), MissingScopes>,
    ) -> bool {
        let principal = self.sessions.principal(session);
        asks(&self.reader(principal.as_deref(), "")).is_ok()
    }

    /// S-SU-01 to S-SU-05.
    pub(super) fn listen(
        &mut self,
        head: &RequestHead<'_>,
        params: Option<&str>,
    ) -> Result<(), ErrorResponse> {
        if !self.uses_store() || !self.registry.runs_tasks() || !head.context.declares_tasks() {
            return self.listen_to(head, params, None);
        }
        // Which tasks there are, the store knows.
        let mut named = ListenFilter::default();
        named.read_tasks(params, |_| true, self.settings.limits.subscriptions_per_session)?;
        let mut left: Vec<Box<str>> = named.tasks.into_iter().collect();
        let Some(first) = left.pop() else { return self.listen_to(head, params, None) };
        let known = SortedSet::new();
        let wish = TaskWish::Listen { params: params.unwrap_or("{}").into(), left, known };
        self.ask_about_task(head, method::LISTEN, &first, wish)
    }

    /// The same where it is known which of the tasks there are: `known`, or those of this process.
    pub(super) fn listen_to(
        &mut self,
        &RequestHead { from, id, ref context, .. }: &RequestHead<'_>,
        params: Option<&str>,
        known: Option<&SortedSet<Box<str>>>,
    ) -> Result<(), ErrorResponse> {
        let limits = &self.settings.limits;
        let most = limits.subscriptions_per_session;
        let mut filter = ListenFilter::read(params, &self.offered(), &self.settings.extension_notices, most)?;
        if ListenFilter::names_tasks(params) && self.registry.runs_tasks() {
            if !context.declares_tasks() {
                return Err(ErrorResponse::without_tasks("'taskIds'"));
            }
            let reader = self.reader(context.principal.as_deref(), method::LISTEN);
            let asker =
                TaskRequester { session: from.session, form: Form::Extension, owner: context.principal_id() };
            let is_known = |task: &str| match known {
                Some(known) => known.contains(task),
                None => matches!(self.tasks.visible(&reader, task, asker), Ok(Some(_))),
            };
            filter.read_tasks(params, is_known, most)?;
        }
        let reader = self.reader(context.principal.as_deref(), method::LISTEN);
        filter.keep_resources(|uri| matches!(self.source(&reader, uri), Ok(Some(_))));
        let (text, names_resources) = (filter.text(), filter.names_resources());
        let holder = self.sessions.holder(from.session);
        self.listens.open(from, id.clone(), filter, holder).map_err(|why| {
            let most = self.settings.limits.listens_per_session;
            let (limit, text) = match why {
                ListenRefused::OfSession => (
                    "limits.session_listens",
                    format!("a session may have {most} subscriptions at one time: end one first"),
                ),
                ListenRefused::Number(share) => (
                    "limits.listens",
                    format!("this client may have {share} subscriptions at present: end one first"),
                ),
                ListenRefused::Bytes { wanted, share } => (
                    "limits.subscription_bytes",
                    format!("the subscription takes {wanted} bytes, and this client may have {share} together at present: name fewer resources, or end other subscriptions first"),
                ),
            };
            ErrorResponse::busy(limit, &text)
        })?;
        self.counters.listens += 1;
        if names_resources {
            self.subscriptions_changed(from.session);
        }
        self.acknowledge(from, id, context, &text);
        Ok(())
    }
}

/// A list whose changes clients are told of. Templates belong to the list of resources.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum ListChange {
    Tools,
    Resources,
    Prompts,
}

impl ListChange {
    /// The list that an entry of this kind is in.
    pub fn of(kind: Kind) -> ListChange {
        match kind {
            Kind::Tool => ListChange::Tools,
            Kind::Resource | Kind::Template => ListChange::Resources,
            Kind::Prompt => ListChange::Prompts,
        }
    }

    /// What clients are told by that it has changed.
    pub fn notification(self) -> &'static str {
        match self {
            ListChange::Tools => method::TOOLS_CHANGED,
            ListChange::Resources => method::RESOURCES_CHANGED,
            ListChange::Prompts => method::PROMPTS_CHANGED,
        }
    }
}

/// What a stream asked for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ListenFilter {
    lists: SortedSet<ListChange>,
    resources: SortedSet<Box<str>>,
    tasks: SortedSet<Box<str>>,
    /// Members that extensions add.
    extensions: SortedSet<Box<str>>,
}

/// The members of a filter, and the list each is about.
const LISTS: [(&str, ListChange); 3] = [
    ("toolsListChanged", ListChange::Tools),
    ("promptsListChanged", ListChange::Prompts),
    ("resourcesListChanged", ListChange::Resources),
];
const RESOURCES: &str = "resourceSubscriptions";
const TASKS: &str = "taskIds";

/// Whether a filter's member has a meaning of its own, so that no extension of the application may have it.
pub fn is_own_member(name: &str) -> bool {
    name == RESOURCES || name == TASKS || LISTS.iter().any(|(own, _)| *own == name)
}

impl ListenFilter {
    /// The memory that it takes.
    fn bytes(&self) -> usize {
        let names = self.resources.iter().chain(&self.tasks).chain(&self.extensions);
        EACH_BYTES + names.map(|name| name.len() + EACH_BYTES).sum::<usize>()
    }

    /// Reads the member `notifications` of the parameters; keeps what `offered` allows (S-SU-03, S-SU-04).
    ///
    /// # Errors
    /// The filter has the wrong shape, or names more than `limit` resources.
    pub fn read(
        params: Option<&str>,
        offered: &SortedSet<ListChange>,
        extensions: &SortedMap<Box<str>, Box<str>>,
        limit: usize,
    ) -> Result<ListenFilter, ErrorResponse> {
        let Some(wanted) = given(params, "notifications") else {
            return Err(ErrorResponse::params("the parameters must have an object 'notifications'"));
        };
        let Some(wanted) = lenient::as_object(wanted) else {
            return Err(ErrorResponse::params("'notifications' must be an object"));
        };
        let mut filter = ListenFilter::default();
        for (member, list) in LISTS {
            if is_wanted(wanted, member)? && offered.contains(&list) {
                filter.lists.insert(list);
            }
        }
        for member in extensions.keys() {
            if is_wanted(wanted, member)? {
                filter.extensions.insert(member.clone());
            }
        }
        let Some(resources) = given(Some(wanted), RESOURCES) else { return Ok(filter) };
        if json::kind(resources) != Some(json::Kind::Array) {
            return Err(ErrorResponse::params(format!("'{RESOURCES}' must be an array of URIs")));
        }
        for uri in json::elements(resources) {
            let Some(uri) = json::string(uri) else {
                return Err(ErrorResponse::params(format!("'{RESOURCES}' must be an array of URIs")));
            };
            if uri.len() > URI_BYTES {
                return Err(ErrorResponse::params(format!(
                    "a URI of '{RESOURCES}' may have {URI_BYTES} bytes at most"
                )));
            }
            if filter.resources.len() >= limit {
                return Err(ErrorResponse::params(format!(
                    "'{RESOURCES}' may name {limit} resources at most"
                )));
            }
            if offered.contains(&ListChange::Resources) {
                filter.resources.insert(uri.as_ref().into());
            }
        }
        Ok(filter)
    }

    /// Leaves out the resources that do not exist: the acknowledgement tells the client which they are (S-SU-04). In the legacy era
    /// such a subscription is refused.
    pub fn keep_resources(&mut self, exists: impl Fn(&str) -> bool) {
        self.resources.retain(|uri| exists(uri));
    }

    /// Whether parameters ask for notifications about tasks (the extension `io.modelcontextprotocol/tasks`).
    pub fn names_tasks(params: Option<&str>) -> bool {
        given(given(params, "notifications"), TASKS).is_some()
    }

    /// Reads the tasks that the parameters name; keeps those that `is_known` knows.
    ///
    /// # Errors
    /// They are not an array of strings, or more than `limit`.
    pub fn read_tasks(
        &mut self,
        params: Option<&str>,
        is_known: impl Fn(&str) -> bool,
        limit: usize,
    ) -> Result<(), ErrorResponse> {
        let Some(tasks) = given(given(params, "notifications"), TASKS) else { return Ok(()) };
        let wrong = || ErrorResponse::params(format!("'{TASKS}' must be an array of strings"));
        if json::kind(tasks) != Some(json::Kind::Array) {
            return Err(wrong());
        }
        for task in json::elements(tasks) {
            let task = json::string(task).ok_or_else(wrong)?;
            if self.tasks.len() >= limit {
                return Err(ErrorResponse::params(format!("'{TASKS}' may name {limit} tasks at most")));
            }
            if is_known(&task) {
                self.tasks.insert(task.as_ref().into());
            }
        }
        Ok(())
    }

    /// Whether it names resources.
    pub fn names_resources(&self) -> bool {
        !self.resources.is_empty()
    }

    /// The filter as the acknowledgement gives it back.
    pub fn text(&self) -> String {
        let mut members = serde_json::Map::new();
        for (member, list) in LISTS {
            if self.lists.contains(&list) {
                members.insert(member.to_owned(), true.into());
            }
        }
        for member in &self.extensions {
            members.insert(member.to_string(), true.into());
        }
        if !self.resources.is_empty() {
            let uris: Vec<&str> = self.resources.iter().map(AsRef::as_ref).collect();
            members.insert(RESOURCES.to_owned(), uris.into());
        }
        if !self.tasks.is_empty() {
            let tasks: Vec<&str> = self.tasks.iter().map(AsRef::as_ref).collect();
            members.insert(TASKS.to_owned(), tasks.into());
        }
        serde_json::Value::Object(members).to_string()
    }
}

/// Whether a filter has a member, which must be a boolean.
fn is_wanted(filter: &str, member: &str) -> Result<bool, ErrorResponse> {
    match json::member(filter, member) {
        Some("true") => Ok(true),
        None | Some("false" | "null") => Ok(false),
        Some(_) => Err(ErrorResponse::params(format!("'{member}' must be a boolean"))),
    }
}

/// One open stream.
#[derive(Debug)]
struct OpenListen {
    filter: ListenFilter,
    /// Whose it is, and the bytes that it takes.
    held: (Holder, usize),
}

/// Why a stream is not opened.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ListenRefused {
    /// Its session has as many as it may have.
    OfSession,
    /// Its client has as many as it may have at present: so many.
    Number(usize),
    /// What it names takes more bytes than its client may have at present.
    Bytes {
        /// What it takes.
        wanted: usize,
        /// What the client may have.
        share: usize,
    },
}

/// The open streams. Owns them.
#[derive(Debug)]
pub struct ListenStreams {
    open: SortedMap<(Stream, WireId), OpenListen>,
    by_session: SortedMap<SessionId, usize>,
    per_session: usize,
    shares: Shares<Holder>,
    bytes: Shares<Holder>,
}

impl ListenStreams {
    /// No stream, and room for `per_session` of one session and `all` together, and for `bytes` of what they name.
    pub fn new(per_session: usize, all: usize, bytes: usize) -> ListenStreams {
        let bytes = Shares::new(bytes, FLOOR_BYTES, Lending::Half);
        let shares = Shares::new(all, 1, Lending::Half);
        ListenStreams { open: SortedMap::new(), by_session: SortedMap::new(), per_session, shares, bytes }
    }

    /// Opens a stream of a client.
    ///
    /// # Errors
    /// Which bound is reached.
    pub fn open(
        &mut self,
        stream: Stream,
        id: WireId,
        filter: ListenFilter,
        holder: Holder,
    ) -> Result<(), ListenRefused> {
        if self.by_session.get(&stream.session).is_some_and(|open| *open >= self.per_session) {
            return Err(ListenRefused::OfSession);
        }
        if self.shares.may_take(&holder, 1).is_err() {
            return Err(ListenRefused::Number(self.shares.share(&holder)));
        }
        let wanted = filter.bytes();
        if self.bytes.take(&holder, wanted).is_err() {
            return Err(ListenRefused::Bytes {
                wanted,
                share: self.bytes.share(&holder).min(self.bytes.free()),
            });
        }
        let key = (stream, id);
        self.end(&key);
        // It was asked for.
        let _granted = self.shares.take(&holder, 1);
        *self.by_session.entry(stream.session).or_default() += 1;
        self.open.insert(key, OpenListen { filter, held: (holder, wanted) });
        Ok(())
    }

    /// Whether a stream with that id is open in the session.
    pub fn has(&self, session: SessionId, id: &WireId) -> bool {
        self.open.keys().any(|(stream, other)| stream.session == session && other == id)
    }

    /// Ends the streams of a session with that id.
    pub fn cancel(&mut self, session: SessionId, id: &WireId) -> Vec<Stream> {
        self.take(|stream, other| stream.session == session && other == id)
            .into_iter()
            .map(|(at, _)| at)
            .collect()
    }

    /// Ends everything on one stream.
    pub fn end_stream(&mut self, stream: Stream) -> bool {
        !self.take(|other, _| *other == stream).is_empty()
    }

    /// Ends the streams of a session; whether there were any.
    pub fn end_session(&mut self, session: SessionId) -> bool {
        !self.take(|stream, _| stream.session == session).is_empty()
    }

    /// Ends all streams: the server closes.
    pub fn end_all(&mut self) -> Vec<(Stream, WireId)> {
        self.take(|_, _| true)
    }

    /// The streams that want to know that a list changed.
    pub fn of_list(&self, list: ListChange) -> Vec<(Stream, WireId)> {
        self.those(|filter| filter.lists.contains(&list))
    }

    /// The streams that want to know that a resource changed.
    pub fn of_resource(&self, uri: &str) -> Vec<(Stream, WireId)> {
        self.those(|filter| filter.resources.contains(uri))
    }

    /// The streams that want to know how a task is.
    pub fn of_task(&self, task: &str) -> Vec<(Stream, WireId)> {
        self.those(|filter| filter.tasks.contains(task))
    }

    /// The streams with one of these members of extensions.
    pub fn of_extension(&self, members: &[&str]) -> Vec<(Stream, WireId)> {
        self.those(|filter| members.iter().any(|member| filter.extensions.contains(*member)))
    }

    /// The resources that streams want to know of.
    pub fn resources(&self) -> impl Iterator<Item = &str> {
        self.open.values().flat_map(|open| open.filter.resources.iter().map(AsRef::as_ref))
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.open.len()
    }

    fn those(&self, wanted: impl Fn(&ListenFilter) -> bool) -> Vec<(Stream, WireId)> {
        self.open.iter().filter(|(_, open)| wanted(&open.filter)).map(|(key, _)| key.clone()).collect()
    }

    fn take(&mut self, mut wanted: impl FnMut(&Stream, &WireId) -> bool) -> Vec<(Stream, WireId)> {
        let taken: Vec<_> = self.open.keys().filter(|(stream, id)| wanted(stream, id)).cloned().collect();
        for key in &taken {
            self.end(key);
        }
        taken
    }

    fn end(&mut self, key: &(Stream, WireId)) {
        let Some(gone) = self.open.remove(key) else { return };
        self.shares.give(&gone.held.0, 1);
        self.bytes.give(&gone.held.0, gone.held.1);
        let session = key.0.session;
        if let Some(open) = self.by_session.get_mut(&session) {
            *open -= 1;
            if *open == 0 {
                self.by_session.remove(&session);
            }
        }
    }
}

/// Changes that clients are still to be told of. A burst of them is told once.
#[derive(Debug, Default)]
pub struct ChangeDebouncer {
    lists: SortedSet<ListChange>,
    resources: SortedSet<Box<str>>,
    due: Option<Instant>,
}

impl ChangeDebouncer {
    /// A list changed.
    pub fn list(&mut self, list: ListChange, now: Instant, burst: Duration) {
        self.lists.insert(list);
        self.due.get_or_insert(now + burst);
    }

    /// A resource changed.
    pub fn resource(&mut self, uri: &str, now: Instant, burst: Duration) {
        self.resources.insert(uri.into());
        self.due.get_or_insert(now + burst);
    }

    /// When they are to be told.
    pub fn due(&self) -> Option<Instant> {
        self.due
    }

    /// What is to be told, if it is time.
    pub fn take(&mut self, now: Instant) -> Option<(SortedSet<ListChange>, SortedSet<Box<str>>)> {
        self.due.filter(|due| *due <= now)?;
        self.due = None;
        Some((std::mem::take(&mut self.lists), std::mem::take(&mut self.resources)))
    }
}
