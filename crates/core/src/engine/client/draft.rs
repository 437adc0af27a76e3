//! What a client does for the drafts that are on: one place for each, so that a draft goes by taking out its functions and their callers.
//! This part owns the digests of definitions that the application was shown ([`KnownDigests`]).

use crate::engine::client::Engine;
use crate::engine::client::calls::PendingCall;
use crate::engine::client::effect::{Effect, Event, ResultBody};
use crate::engine::client::exchanges::RpcError;
use crate::engine::{Error, Level, Status, fields};
use crate::json::{self, Span};
use crate::protocol::draft::{Drafts, capabilities, digest, errors, language};
use crate::protocol::envelope::text;
use crate::protocol::{Era, Params, capability, error_code, method};
use std::collections::HashMap;
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

/// What is known of one definition.
#[derive(Debug)]
struct KnownDigest {
    digest: Box<str>,
    /// A hash of what arguments depend on: calls that were made by another definition still fit where it is the same.
    input: u64,
}

/// A call that was refused because it expects another definition, until the list came again.
#[derive(Debug)]
struct RefusedCall {
    /// What it expected.
    expected: Box<str>,
    refusal: RpcError,
}

/// The digests of the definitions that the application was shown, and the calls that were refused for one of them.
#[derive(Default, Debug)]
pub(crate) struct KnownDigests {
    /// By the method of the call, and the name or the URI.
    entries: HashMap<(&'static str, Box<str>), KnownDigest>,
    bytes: usize,
    refused: HashMap<u64, RefusedCall>,
    hasher: RandomState,
}

impl KnownDigests {
    fn get(&self, method: &str, about: &str) -> Option<&KnownDigest> {
        let (.., called) = LISTS.iter().find(|(.., called)| *called == method)?;
        self.entries.get(&(*called, Box::from(about)))
    }

    fn forget(&mut self, called: &'static str, about: &str) {
        if self.entries.remove(&(called, Box::from(about))).is_some() {
            self.bytes -= about.len();
        }
    }

    fn note(&mut self, called: &'static str, about: &str, digest: &str, input: u64) {
        self.forget(called, about);
        if self.entries.len() < ENTRIES && self.bytes + about.len() <= BYTES {
            self.bytes += about.len();
            self.entries.insert((called, about.into()), KnownDigest { digest: digest.into(), input });
        }
    }

    fn input_of(&self, entry: &str) -> u64 {
        let input = ["inputSchema", "arguments"].iter().find_map(|member| json::member(entry, member));
        self.hasher.hash_one(json::canonical(input.unwrap_or("null")))
    }

    /// The application got a list, or a page of one.
    fn listed(&mut self, listed: &str, result: &str, is_first: bool) {
        let Some((_, member, named_by, called)) = LISTS.into_iter().find(|(list, ..)| *list == listed) else {
            return;
        };
        if is_first {
            let gone: Vec<Box<str>> =
                self.entries.keys().filter(|(of, _)| *of == called).map(|(_, about)| about.clone()).collect();
            for about in gone {
                self.forget(called, &about);
            }
        }
        for entry in json::elements(json::member(result, member).unwrap_or("[]")) {
            let about = json::member(entry, named_by).and_then(json::string);
            if let (Some(about), Some(digest)) = (about, digest::of(entry, digest::DIGEST)) {
                self.note(called, &about, &digest, self.input_of(entry));
            }
        }
    }

    /// The list came again for calls that were refused. A definition by which their arguments mean the same stands for the one they
    /// expect from here on; the application has been told that the list is another one.
    fn listed_again(&mut self, result: &str) {
        if self.refused.is_empty() {
            return;
        }
        for entry in json::elements(json::member(result, "tools").unwrap_or("[]")) {
            let Some(about) = json::member(entry, "name").and_then(json::string) else { continue };
            let (input, digest) = (self.input_of(entry), digest::of(entry, digest::DIGEST));
            let known = self.entries.get_mut(&(method::TOOLS_CALL, Box::from(&*about)));
            if let (Some(known), Some(digest)) = (known.filter(|known| known.input == input), digest) {
                known.digest = (*digest).into();
            }
        }
    }

    /// A call has ended.
    pub(crate) fn end(&mut self, call: u64) {
        self.refused.remove(&call);
    }

    #[cfg(test)]
    pub(crate) fn count(&self) -> (usize, usize) {
        (self.entries.len(), self.refused.len())
    }
}

/// What a request is about: the name of a tool or a prompt, the URI of a resource.
fn about<'a>(method: &str, params: Option<&'a str>) -> Option<std::borrow::Cow<'a, str>> {
    let (_, _, named_by, _) = LISTS.iter().find(|(.., called)| *called == method)?;
    json::string(json::member(params?, named_by)?)
}

impl<T> Engine<T> {
    fn follows(&self, draft: Drafts) -> bool {
        self.settings.draft.has(draft) && self.era() == Some(Era::Modern)
    }

    /// Whether a call is kept, to be sent again after the list of tools, or for what its result says of what it was about.
    pub(crate) fn keeps_for_digests(&self, method: &str) -> bool {
        self.settings.draft.has(Drafts::DIGEST) && LISTS.iter().any(|(.., called)| *called == method)
    }

    /// The members of `_meta` of a call, with what drafts add to those that the application gave; `None` if nothing.
    pub(crate) fn meta_of_drafts(
        &self,
        method: &str,
        params: Option<Params<'_>>,
        given: &str,
    ) -> Option<String> {
        if !self.follows(Drafts::DIGEST) {
            return None;
        }
        let about = about(method, params.map(|params| params.text()))?;
        let known = self.digests.get(method, &about)?;
        let is_given = !given.is_empty() && json::member(&format!("{{{given}}}"), digest::EXPECTED).is_some();
        if is_given {
            return None;
        }
        let mut members = given.to_owned();
        if !members.is_empty() {
            members.push(',');
        }
        json::quote_into(digest::EXPECTED, &mut members);
        members.push(':');
        json::quote_into(&known.digest, &mut members);
        Some(members)
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
        if !self.follows(Drafts::DIGEST) || call.row.is_none() {
            return;
        }
        let (result, params) = (text(&body.frame, body.json), call.stored.as_ref().and_then(|it| it.text()));
        let is_first =
            params.is_none_or(|params| crate::protocol::lenient::member(params, "cursor").is_none());
        self.digests.listed(&call.method, result, is_first);
        let Some(about) = about(&call.method, params) else { return };
        let Some(known) = self.digests.get(&call.method, &about) else { return };
        if digest::of(result, digest::DIGEST).is_some_and(|current| *current != *known.digest) {
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

    fn tell_list_changed(&mut self, listed: &str) {
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
        if self.follows(Drafts::REQUIRED_CAPABILITIES)
            && spoken.code == error_code::MISSING_CLIENT_CAPABILITY
            && called == method::TOOLS_CALL
        {
            // The list that its tool was taken from said something else.
            self.tell_list_changed(method::TOOLS_LIST);
            return false;
        }
        if spoken.code != digest::CHANGED || !self.follows(Drafts::DIGEST) {
            return false;
        }
        let params = call.stored.as_ref().and_then(|stored| stored.text()).map(str::to_owned);
        let Some(about) = about(&called, params.as_deref()).map(std::borrow::Cow::into_owned) else {
            return false;
        };
        let Some(expected) = self.digests.get(&called, &about).map(|known| known.digest.clone()) else {
            return false;
        };
        if called != method::TOOLS_CALL || was_listed || self.tasks.holds(id) {
            self.definition_changed(&called, &about);
            return false;
        }
        self.calls.leave_exchange(id);
        self.calls.list_again(id);
        self.catalog.forget();
        let refusal =
            RpcError { code: spoken.code, message: spoken.message.clone(), data: spoken.data.clone() };
        self.digests.refused.insert(id, RefusedCall { expected, refusal });
        self.log(Level::Info, "definition.refused", || {
            fields([("call", id.into()), ("name", about.as_str().into())])
        });
        self.tell_list_changed(method::TOOLS_LIST);
        self.wait_for_tools(now, id);
        true
    }

    /// The engine's own list of tools has come, or a page of it.
    pub(crate) fn digests_listed(&mut self, result: &str) {
        self.digests.listed_again(result);
    }

    /// Whether a call that waited for the list of tools may go out. One that was refused ends here if its tool is not the one that it
    /// was made by.
    pub(crate) fn may_go_after_list(&mut self, now: Instant, id: u64) -> bool {
        let Some(RefusedCall { expected, refusal }) = self.digests.refused.remove(&id) else { return true };
        let params = self.calls.get(id).and_then(|call| call.stored.as_ref()).and_then(|it| it.text());
        let about = about(method::TOOLS_CALL, params).unwrap_or_default().into_owned();
        let known = self.digests.get(method::TOOLS_CALL, &about);
        if known.is_some_and(|known| known.digest != expected) {
            return true;
        }
        self.digests.forget(method::TOOLS_CALL, &about);
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
        if !self.settings.draft.has(Drafts::ERRORS) {
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
