//! What a client does for the drafts that are on: one place for each, so that a draft goes by taking out its functions and their callers.
//! This part owns the digests of definitions that the application was shown ([`KnownDigests`]).

use crate::engine::client::Engine;
use crate::engine::client::calls::{Calls, PendingCall};
use crate::engine::client::calls::{KnownDigest, SentDigest};
use crate::engine::client::effect::{Effect, Event, ResultBody};
use crate::engine::client::exchanges::RpcError;
use crate::engine::{Error, Level, Status, fields};
use crate::json::{self, Span};
use crate::protocol::draft::{Drafts, capabilities, digest, errors, language};
use crate::protocol::envelope::text;
use crate::protocol::{Era, Params, capability, error_code, method};
use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasher, RandomState};
use std::time::Instant;

/// Digests that are remembered; calls of further entries expect none.
const ENTRIES: usize = 10_000;
/// The bytes of their names.
const BYTES: usize = 1 << 20;

/// The lists whose entries have digests, with the member that has them, what names an entry, and the call that an entry is for.
const LISTS: [(&str, &str, &str, &str); 3] = [
    (method::TOOLS_LIST, "tools", "name", method::TOOLS_CALL),
    (method::PROMPTS_LIST, "prompts", "name", method::PROMPTS_GET),
    (method::RESOURCES_LIST, "resources", "uri", method::RESOURCES_READ),
];

/// An entry of a list that the application got.
#[derive(Debug)]
struct ListedEntry {
    known: Option<KnownDigest>,
    /// The capabilities that it needs, JSON text.
    required: Option<Box<str>>,
}

/// The digests of the definitions that the application was shown.
#[derive(Default, Debug)]
pub(crate) struct KnownDigests {
    /// By the method of the call, and the name or the URI.
    entries: HashMap<(&'static str, Box<str>), ListedEntry>,
    bytes: usize,
    /// The lists of which the application was told that they changed, and that it has not read since.
    told: HashSet<&'static str>,
    hasher: RandomState,
}

impl ListedEntry {
    /// What it counts for, with its name.
    fn bytes(&self, about: &str) -> usize {
        about.len() + self.required.as_ref().map_or(0, |required| required.len())
    }
}

impl KnownDigests {
    fn get(&self, method: &str, about: &str) -> Option<&KnownDigest> {
        let (.., called) = LISTS.iter().find(|(.., called)| *called == method)?;
        self.entries.get(&(*called, Box::from(about)))?.known.as_ref()
    }

    fn forget(&mut self, called: &'static str, about: &str) {
        if let Some(entry) = self.entries.remove(&(called, Box::from(about))) {
            self.bytes -= entry.bytes(about);
        }
    }

    fn note(&mut self, called: &'static str, about: &str, entry: ListedEntry) {
        self.forget(called, about);
        let bytes = entry.bytes(about);
        if self.entries.len() < ENTRIES && self.bytes + bytes <= BYTES {
            self.bytes += bytes;
            self.entries.insert((called, about.into()), entry);
        }
    }

    fn read(&self, entry: &str) -> ListedEntry {
        let digest = digest::of(entry, digest::DIGEST);
        ListedEntry {
            known: digest.map(|digest| KnownDigest { digest: (*digest).into(), input: self.input_of(entry) }),
            required: capabilities::of(entry).map(Box::from),
        }
    }

    /// Whether a list said that a tool needs these capabilities, a JSON object, or has no such tool.
    fn said_required(&self, tool: &str, refused: Option<&str>) -> bool {
        self.entries.get(&(method::TOOLS_CALL, Box::from(tool))).is_none_or(|entry| {
            let said = entry.required.as_deref().unwrap_or("{}");
            refused.is_some_and(|refused| capabilities::missing(refused, said).is_none())
        })
    }

    fn input_of(&self, entry: &str) -> u64 {
        let input = ["inputSchema", "arguments"].iter().find_map(|member| json::member(entry, member));
        self.hasher.hash_one(json::canonical(input.unwrap_or("null")))
    }

    /// The application got a list, or a page of one. Without `keeps_all`, only entries that have digests matter.
    fn listed(&mut self, listed: &str, result: &str, is_first: bool, keeps_all: bool) {
        let Some((_, member, named_by, called)) = LISTS.into_iter().find(|(list, ..)| *list == listed) else {
            return;
        };
        if is_first {
            self.told.remove(listed);
            let gone: Vec<Box<str>> =
                self.entries.keys().filter(|(of, _)| *of == called).map(|(_, about)| about.clone()).collect();
            for about in gone {
                self.forget(called, &about);
            }
        }
        for entry in json::elements(json::member(result, member).unwrap_or("[]")) {
            let Some(about) = json::member(entry, named_by).and_then(json::string) else { continue };
            let entry = self.read(entry);
            if entry.known.is_some() || keeps_all && called == method::TOOLS_CALL {
                self.note(called, &about, entry);
            }
        }
    }

    /// The list came again for calls that were refused: the names of their tools and the input of the definitions they were sent by. A
    /// definition by which their arguments mean the same is the known one from here on; the application has been told that the list is
    /// another one.
    fn listed_again(&mut self, result: &str, refused: &HashSet<(Box<str>, u64)>) {
        if refused.is_empty() {
            return;
        }
        for entry in json::elements(json::member(result, "tools").unwrap_or("[]")) {
            let Some(about) = json::member(entry, "name").and_then(json::string) else { continue };
            let entry = self.read(entry);
            let Some(input) = entry.known.as_ref().map(|known| known.input) else { continue };
            let is_another = self.get(method::TOOLS_CALL, &about).is_some_and(|known| known.input != input);
            if !is_another && refused.contains(&(Box::from(&*about), input)) {
                self.note(method::TOOLS_CALL, &about, entry);
            }
        }
    }

    #[cfg(test)]
    pub(crate) fn count(&self) -> usize {
        self.entries.len()
    }
}

/// What a request is about: the name of a tool or a prompt, the URI of a resource.
fn about<'a>(method: &str, params: Option<&'a str>) -> Option<std::borrow::Cow<'a, str>> {
    let (_, _, named_by, _) = LISTS.iter().find(|(.., called)| *called == method)?;
    json::string(json::member(params?, named_by)?)
}

/// The digest that the application itself expects, in the members of `_meta` that it gave.
fn given_digest(given: &str) -> Option<String> {
    if given.is_empty() {
        return None;
    }
    json::member(&format!("{{{given}}}"), digest::EXPECTED)
        .map(|own| json::string(own).unwrap_or_default().into_owned())
}

impl<T> Calls<T> {
    /// What the request of a call says that it expects, now that it is sent.
    fn expects(&mut self, id: u64, sent: Option<Box<SentDigest>>) {
        self.change(id, |call| call.expects = sent);
    }

    /// A call was refused for what it expects, and waits for the list.
    fn refused(&mut self, id: u64, refusal: RpcError) {
        self.change(id, |call| {
            if let Some(sent) = &mut call.expects {
                sent.refusal = Some(refusal);
            }
        });
    }

    /// Why a call that waits for the list was refused.
    fn take_refusal(&mut self, id: u64) -> Option<RpcError> {
        let mut refusal = None;
        self.change(id, |call| refusal = call.expects.as_mut().and_then(|sent| sent.refusal.take()));
        refusal
    }
}

impl<T> Engine<T> {
    fn follows(&self, draft: Drafts) -> bool {
        self.settings.draft.has(draft) && self.era() == Some(Era::Modern)
    }

    /// Whether a call is kept: to be sent again after the list of tools, for what its result says of what it was about, or to know which
    /// page of a list it asks for.
    pub(crate) fn keeps_for_digests(&self, method: &str) -> bool {
        let drafts = self.settings.draft;
        let is_meant = |called: &str| {
            drafts.has(Drafts::DIGEST)
                || drafts.has(Drafts::REQUIRED_CAPABILITIES) && called == method::TOOLS_CALL
        };
        LISTS.iter().any(|(listed, .., called)| is_meant(called) && (*listed == method || *called == method))
    }

    /// The members of `_meta` of a call that is sent now, with what drafts add to those that the application gave; `None` if nothing.
    pub(crate) fn meta_of_drafts(
        &mut self,
        id: u64,
        params: Option<Params<'_>>,
        given: &str,
    ) -> Option<String> {
        let called = &self.calls.get(id)?.method;
        let is_meant = self.follows(Drafts::DIGEST) && given_digest(given).is_none();
        let about = about(called, params.map(|params| params.text())).filter(|_| is_meant);
        let known = about.and_then(|about| self.digests.get(called, &about)).cloned();
        let members = known.as_ref().map(|known| {
            let mut members = given.to_owned();
            if !members.is_empty() {
                members.push(',');
            }
            json::quote_into(digest::EXPECTED, &mut members);
            members.push(':');
            json::quote_into(&known.digest, &mut members);
            members
        });
        self.calls.expects(id, known.map(|known| Box::new(SentDigest { known, refusal: None })));
        members
    }

    /// Takes the language of the connection out of the members of a request, if the call has one of its own.
    pub(crate) fn drop_general_language(&self, members: &mut String, given: &str) {
        let general = self.settings.language.as_deref().filter(|_| self.follows(Drafts::LANGUAGE));
        if let Some(general) = general
            && !given.is_empty()
            && json::member(&format!("{{{given}}}"), language::ACCEPT).is_some()
        {
            *members = members.replace(&format!(",{}", language_member(general)), "");
        }
    }

    /// What the outcome of a call says of definitions.
    pub(crate) fn learn_of_drafts(&mut self, call: &PendingCall<T>, body: &ResultBody) {
        let (by_digest, by_capabilities) =
            (self.follows(Drafts::DIGEST), self.follows(Drafts::REQUIRED_CAPABILITIES));
        if !by_digest && !by_capabilities || call.row.is_none() {
            return;
        }
        let (result, params) = (text(&body.frame, body.json), call.stored.as_ref().and_then(|it| it.text()));
        let is_first =
            params.is_none_or(|params| crate::protocol::lenient::member(params, "cursor").is_none());
        self.digests.listed(&call.method, result, is_first, by_capabilities);
        if !by_digest {
            return;
        }
        let Some(about) = about(&call.method, params) else { return };
        let Some(known) = self.digests.get(&call.method, &about) else { return };
        let Some(current) = digest::of(result, digest::DIGEST) else { return };
        // A list that came meanwhile may be newer than a result that is by the definition that was expected.
        let is_expected = call.expects.as_ref().is_some_and(|sent| *sent.known.digest == *current);
        if *current != *known.digest && !is_expected {
            self.definition_changed(&call.method.clone(), &about);
        }
    }

    /// Another definition than the one that the application was shown is in force: the next call expects none, until the list was read
    /// again, and the application is told as a server would tell it.
    fn definition_changed(&mut self, called: &str, about: &str) {
        let Some((listed, _, _, called)) = LISTS.into_iter().find(|(.., it)| *it == called) else { return };
        self.digests.forget(called, about);
        self.log(Level::Info, "definition.changed", || {
            fields([("method", called.into()), ("name", about.into())])
        });
        self.tell_list_changed(listed);
    }

    /// A definition that has this digest is in force no more. What is known may be a later one.
    fn digest_refused(&mut self, called: &str, about: &str, refused: &str) {
        if self.digests.get(called, about).is_some_and(|known| *known.digest == *refused) {
            self.definition_changed(called, about);
        }
    }

    /// Tells the application as a server would; once, until it read the list again.
    fn tell_list_changed(&mut self, listed: &'static str) {
        if !self.digests.told.insert(listed) {
            return;
        }
        let method = json::quote(&format!("notifications/{listed}_changed"));
        let head = "{\"jsonrpc\":\"2.0\",\"method\":";
        let span = Span { start: head.len(), end: head.len() + method.len() };
        let frame = format!("{head}{method}}}").into_bytes();
        self.effects.push_back(Effect::Emit(Event::Notification { frame, method: span, params: None }));
    }

    /// The server refused a call. Says whether that is dealt with: a call of a tool is sent again, once, if the list shows that its
    /// arguments mean the same; else it ends.
    pub(crate) fn refused_by_draft(&mut self, now: Instant, id: u64, spoken: &RpcError) -> bool {
        let Some(call) = self.calls.get(id) else { return false };
        let (called, was_listed) = (call.method.clone(), call.relisted);
        let params = call.stored.as_ref().and_then(|stored| stored.text());
        let Some(about) = about(&called, params).map(std::borrow::Cow::into_owned) else {
            return false;
        };
        if self.follows(Drafts::REQUIRED_CAPABILITIES)
            && spoken.code == error_code::MISSING_CLIENT_CAPABILITY
            && called == method::TOOLS_CALL
        {
            let required = spoken.data.as_deref().and_then(|data| json::member(data, "requiredCapabilities"));
            // The list that its tool was taken from may have said the same: then the list has not changed.
            if !self.digests.said_required(&about, required) {
                self.tell_list_changed(method::TOOLS_LIST);
            }
            return false;
        }
        if spoken.code != digest::CHANGED || !self.follows(Drafts::DIGEST) {
            return false;
        }
        let (Some(call), present) = (self.calls.get(id), self.digests.get(&called, &about)) else {
            return false;
        };
        let Some(sent) = &call.expects else {
            // The application said what it expects: it alone can say what to expect in its place.
            let given = call.stored.as_ref().and_then(|stored| given_digest(&stored.meta));
            if let Some(given) = given {
                self.digest_refused(&called, &about, &given);
            }
            return false;
        };
        let expected = sent.known.digest.clone();
        if called != method::TOOLS_CALL || was_listed || self.tasks.holds(id) {
            self.digest_refused(&called, &about, &expected);
            return false;
        }
        let may_go = present.is_some_and(|present| sent.may_go_by(present));
        let is_older = present.is_none_or(|present| present.digest != expected);
        self.log(Level::Info, "definition.refused", || {
            fields([("call", id.into()), ("name", about.as_str().into())])
        });
        self.calls.leave_exchange(id);
        self.calls.list_again(id);
        if may_go {
            // The list came meanwhile for another call.
            self.write_stored(now, id);
            return true;
        }
        let refusal =
            RpcError { code: spoken.code, message: spoken.message.clone(), data: spoken.data.clone() };
        self.calls.refused(id, refusal);
        self.catalog.forget();
        if !is_older {
            self.tell_list_changed(method::TOOLS_LIST);
        }
        self.wait_for_tools(now, id);
        true
    }

    /// The engine's own list of tools has come, or a page of it.
    pub(crate) fn digests_listed(&mut self, result: &str) {
        if !self.follows(Drafts::DIGEST) {
            return;
        }
        let waiting = self.catalog.waiting().into_iter().filter_map(|id| self.calls.get(id));
        let refused = waiting.filter_map(|call| {
            let sent = call.expects.as_ref().filter(|sent| sent.refusal.is_some())?;
            let params = call.stored.as_ref().and_then(|stored| stored.text());
            Some((Box::from(&*about(method::TOOLS_CALL, params)?), sent.known.input))
        });
        let refused = refused.collect();
        self.digests.listed_again(result, &refused);
    }

    /// Whether a call that waited for the list of tools may go out. One that was refused ends here if its tool is not the one that it
    /// was made by.
    pub(crate) fn may_go_after_list(&mut self, now: Instant, id: u64) -> bool {
        let Some(refusal) = self.calls.take_refusal(id) else { return true };
        let Some(call) = self.calls.get(id) else { return false };
        let params = call.stored.as_ref().and_then(|it| it.text());
        let about = about(method::TOOLS_CALL, params).unwrap_or_default().into_owned();
        if let (Some(sent), Some(present)) = (&call.expects, self.digests.get(method::TOOLS_CALL, &about)) {
            if sent.may_go_by(present) {
                return true;
            }
            if present.digest == sent.known.digest {
                self.digests.forget(method::TOOLS_CALL, &about);
            }
        }
        let text = format!(
            "the tool '{about}' is defined in another way than when it was listed, so the server did not run the call; list the \
             tools again, and make the call by what the new definition says (the server: {})",
            refusal.message
        );
        let mut error = Error::new(Status::Server, method::TOOLS_CALL, text).with("tool", about.as_str());
        error.code = Some(refusal.code);
        error.data = refusal.data;
        self.complete(now, id, Err(error));
        false
    }

    /// Whether a tool is left out of lists, because this client cannot do what it needs.
    pub(crate) fn lacks_for_tool(&self, tool: &str) -> bool {
        if !self.follows(Drafts::REQUIRED_CAPABILITIES) {
            return false;
        }
        let (Some(required), Some(revision)) = (capabilities::of(tool), self.revision()) else {
            return false;
        };
        let declared = capability::declared_at(&self.settings.capabilities, revision);
        capabilities::missing(required, &declared).is_some()
    }

    /// Whether lists of tools have to be looked through for such.
    pub(crate) fn looks_for_capabilities(&self) -> bool {
        self.follows(Drafts::REQUIRED_CAPABILITIES)
    }

    /// An error of the server, with what its code means by the table of the draft.
    pub(crate) fn explained(&self, error: Error) -> Error {
        if !self.follows(Drafts::ERRORS) {
            return error;
        }
        let Some(code) = error.code else { return error };
        let (name, again, wait) = errors::meaning(code, error.data.as_deref());
        let mut error = error.with("retry", again.as_str());
        if let Some(name) = name {
            error = error.with("condition", name);
        }
        if let Some(wait) = wait {
            error = error.with("retry_after_ms", wait);
        }
        // The answer of a server that is busy says by itself whether it did anything.
        let by_data = error.code == Some(error_code::BUSY);
        if by_data { error } else { error.retryable(again == errors::Again::AfterDelay) }
    }
}

/// The member of `_meta` that every request of a connection has, as JSON text.
pub(crate) fn language_member(preference: &str) -> String {
    format!("{}:{}", json::quote(language::ACCEPT), json::quote(preference))
}

/// The members that every request of a connection has, with the language that the user prefers.
pub(crate) fn push_language(settings: &crate::engine::client::Settings, members: &mut String) {
    if let Some(preference) = settings.language.as_deref().filter(|_| settings.draft.has(Drafts::LANGUAGE))
        && !members.is_empty()
    {
        members.push(',');
        members.push_str(&language_member(preference));
    }
}
