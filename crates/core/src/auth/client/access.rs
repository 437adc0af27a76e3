//! What each request to the MCP server carries, and what its refusal leads to.

use super::credentials::{ClientIdSource, ClientRegistration};
use super::login::{Login, Tokens, is_token};
use super::login_run::{
    Access, Ask, Challenge, Effect, FormPurpose, Given, LoginPhase, LoginReason, LoginRun, NextStep, Refusal,
    Timestamp, Verdict, Wanted, internal,
};
use super::metadata::Issuer;
use super::settings::{AuthMethod, GrantKind, Source};
use super::token_request::MOST_BROKEN;
use super::{Authorizer, Header};
use crate::auth::failure::{Cause, Failure, LoginStep, shown};
use crate::auth::token::{Scopes, Secret};
use crate::auth::url_policy;
use crate::protocol::address::Address;

/// How often one request may be refused before it ends.
const MOST_REFUSALS: u32 = 6;
/// How many new tokens in a row the MCP server may refuse.
const MOST_UNPROVEN: u32 = 2;
/// How many operations' step-ups are counted.
const MOST_OPERATIONS: usize = 1024;

impl Authorizer {
    /// What a request to the MCP server is to carry. A token goes to the server's own origin and nowhere else.
    pub fn access(&mut self, method: &str, url: &Address, now: Timestamp) -> Access {
        if url.origin() != self.server.origin() {
            return Access::Open;
        }
        if let Err(failure) = self.check_plain() {
            // What a server wants that takes no token is not known yet; what the application gives is a token.
            return if self.is_given() { Access::Failed(failure) } else { Access::Open };
        }
        if matches!(self.phase, LoginPhase::New) {
            self.load(now);
        }
        if matches!(self.phase, LoginPhase::Loading) {
            return Access::Wait;
        }
        let busy = self.is_busy();
        let tokens = self.login.as_ref().and_then(|login| login.tokens.as_ref());
        let held = self.held.as_ref().is_some_and(|(_, until)| now.at < *until);
        // While no better token is to be had, the one that is there does for what it does.
        let lacking = !held && self.lacks_scopes();
        let fresh = self.fresh && !lacking && tokens.is_some();
        let over = !fresh && (lacking || tokens.is_none_or(|tokens| tokens.is_over(now.unix)));
        let renewable = !fresh
            && !lacking
            && tokens.is_some_and(|tokens| tokens.refresh.is_some() && tokens.is_ending(now.unix));
        // One that no call could go without is tried at once, unless the server has failed at it again.
        let presses = over && self.broken_refreshes < MOST_BROKEN;
        let rested = presses || self.renew_again.is_none_or(|until| until <= now.at);
        if renewable && !busy && !held && rested {
            self.begin(LoginReason::Renewal, Challenge::default(), now);
        }
        if !over {
            self.fresh = false;
            return match self.headers(method, url, now) {
                Ok(headers) => Access::With { generation: self.generation, headers },
                Err(failure) => Access::Failed(failure),
            };
        }
        if self.is_busy() {
            // A token that was there, or is the application's, is renewed first. Where none was, the server may want none for this
            // request: one that it refuses waits.
            let is_renewed = self.login.as_ref().is_some_and(|login| login.tokens.is_some());
            return if is_renewed || self.is_given() { Access::Wait } else { Access::Open };
        }
        if held {
            // The server says whether this request wants a token. If it does, the failure is known.
            return Access::Open;
        }
        if matches!(self.settings.grant, GrantKind::Bearer { token: Source::Application | Source::File(_) }) {
            self.begin(LoginReason::First, Challenge::default(), now);
            return Access::Wait;
        }
        Access::Open
    }

    /// Whether the login that is there was never asked for a scope that the configuration names.
    fn lacks_scopes(&self) -> bool {
        let login = self.login.as_ref().filter(|login| login.tokens.is_some() && !self.is_given());
        match (&self.settings.scopes, login) {
            (Some(wanted), Some(login)) => !login.asked.has_all(wanted),
            _ => false,
        }
    }

    /// Whether the application gives the token, which is sent without being asked for.
    pub fn is_given(&self) -> bool {
        matches!(self.settings.grant, GrantKind::Bearer { .. })
    }

    /// Whether a token may be sent to the MCP server at all: everyone between here and another machine could read it over plain
    /// http, and answer in the server's name (RFC 6750, section 5.3).
    fn check_plain(&self) -> Result<(), Failure> {
        let origin = self.server.origin();
        if origin.tls || self.settings.url_permissions.http || url_policy::is_loopback(&origin.host) {
            return Ok(());
        }
        let message = format!(
            "no token is sent to {origin}, which is another machine and is reached over plain http: everyone on the way could read \
             the token. Use https in 'url'; 'auth.allow_http' permits plain http all the same"
        );
        Err(Failure::new(LoginStep::Access, "https", message)
            .values("https, or this machine", &origin.to_string()))
    }

    /// Whether the login under way waits for an answer of a server, and not for a person, the application or the store.
    pub fn waits_for_servers(&self) -> bool {
        match &self.phase {
            LoginPhase::Fetching(_) => true,
            LoginPhase::Posting(post) => !post.signs && post.purpose != FormPurpose::DeviceToken,
            _ => false,
        }
    }

    /// No call waits for the login any more: it ends, if it only asks servers and nothing is lost by that. A code of a person and a
    /// refresh token are good once, so that their answers are awaited. Says whether it has ended.
    pub fn nobody_waits(&mut self, now: Timestamp) -> bool {
        if self.run.as_ref().is_none_or(|run| matches!(run.why, LoginReason::Renewal | LoginReason::Logout)) {
            return false;
        }
        let step = match &self.phase {
            LoginPhase::Fetching(fetch) => fetch.step,
            LoginPhase::Posting(post)
                if !matches!(
                    post.purpose,
                    FormPurpose::Code | FormPurpose::Refresh | FormPurpose::DeviceToken
                ) =>
            {
                post.purpose.step()
            }
            _ => return false,
        };
        let what = "the calls that waited for the login ended before the server answered";
        self.fail(Failure::new(step, "time", what).because(Cause::TimedOut), now);
        self.forget_if_asked(now);
        true
    }

    /// The client is closed. Says whether a login is to be awaited all the same: what it sent is good once, and what comes for it is lost unless
    /// it is kept. A renewal that has not come so far ends, and is the next client's, as does whatever waits for the lock to refresh. No person
    /// is asked any more.
    pub fn closes(&mut self) -> bool {
        self.settings.no_login.get_or_insert_with(|| "the client is closed".to_owned());
        let is_renewal = self.run.as_ref().is_some_and(|run| run.why == LoginReason::Renewal);
        match &self.phase {
            LoginPhase::Posting(post) => matches!(post.purpose, FormPurpose::Refresh | FormPurpose::Code),
            LoginPhase::Locking(NextStep::Save(_)) | LoginPhase::Saving(_) => true,
            LoginPhase::Locking(NextStep::Refresh) => {
                self.end();
                false
            }
            LoginPhase::Fetching(_) if is_renewal => {
                self.end();
                false
            }
            _ => false,
        }
    }

    fn is_busy(&self) -> bool {
        !matches!(self.phase, LoginPhase::Idle)
    }

    fn headers(&self, method: &str, url: &Address, now: Timestamp) -> Result<Vec<Header>, Failure> {
        let missing = || internal("there is no token");
        let login = self.login.as_ref().ok_or_else(missing)?;
        let tokens = login.tokens.as_ref().ok_or_else(missing)?;
        let access = tokens.access.expose();
        match &login.key {
            Some(key) if tokens.bound => {
                let nonce = self.nonces.of(url.origin());
                let proof = key.proof(method, url, now.unix, Some(&tokens.access), nonce)?;
                Ok(vec![("authorization", Secret::new(format!("DPoP {access}"))), ("dpop", proof)])
            }
            _ => Ok(vec![("authorization", Secret::new(format!("Bearer {access}")))]),
        }
    }

    /// The MCP server took a request: its token is good. `nonce` is the answer's `DPoP-Nonce`.
    pub fn accepted(&mut self, generation: u64, operation: &str, nonce: Option<&str>) {
        if generation == self.generation && generation > 0 {
            self.unproven = 0;
            self.step_ups.remove(operation);
        }
        if let Some(nonce) = nonce {
            self.nonces.keep(self.server.origin(), nonce);
        }
    }

    /// The MCP server refused a request.
    pub fn refused(&mut self, refusal: &Refusal<'_>, now: Timestamp) -> Verdict {
        let error = refusal.challenges.error().unwrap_or_default();
        let step_up = refusal.status == 403 && error == "insufficient_scope";
        if !(refusal.wants_token() || step_up) {
            return Verdict::NotMine;
        }
        if let Err(failure) = self.check_plain() {
            return Verdict::Fail(failure);
        }
        if refusal.refusals > MOST_REFUSALS {
            let message = format!("the server refused this request {} times in a row", refusal.refusals);
            return Verdict::Fail(
                Failure::new(LoginStep::Access, "number of refusals", message).code(Some(error)),
            );
        }
        if !self.is_busy() {
            // A login under way goes by what was known when it began.
            self.policy.server_is_at(refusal.peer);
        }
        if matches!(self.phase, LoginPhase::New) {
            self.load(now);
        }
        let fresh_nonce = refusal.nonce.is_some_and(|nonce| self.nonces.keep(self.server.origin(), nonce));
        if error == "use_dpop_nonce" && fresh_nonce && refusal.generation > 0 {
            return Verdict::Again;
        }
        // The refusal of another call has led to another token since.
        let tokens = self.login.as_ref().and_then(|login| login.tokens.as_ref());
        let is_good =
            tokens.is_some_and(|tokens| self.fresh || !tokens.is_over(now.unix)) && !self.lacks_scopes();
        if refusal.generation < self.generation && is_good {
            return Verdict::Again;
        }
        if self.is_busy() {
            return Verdict::Wait;
        }
        let result = if step_up { self.step_up(refusal, now) } else { self.log_in(refusal, now) };
        // What fails at once is in the effects, for all who wait.
        match result {
            Ok(()) => Verdict::Wait,
            Err(failure) => Verdict::Fail(failure),
        }
    }

    fn log_in(&mut self, refusal: &Refusal<'_>, now: Timestamp) -> Result<(), Failure> {
        if let Some((failure, _)) = self.held.as_ref().filter(|(_, until)| now.at < *until) {
            return self.look_or_fail(failure.clone(), now);
        }
        let error = refusal.challenges.error();
        let said = refusal.said();
        let has_token = refusal.generation > 0;
        if has_token && matches!(self.settings.grant, GrantKind::Bearer { token: Source::Text(_) }) {
            return Err(Failure::new(
                LoginStep::Access,
                "token",
                format!("the server refused the token in 'auth.token'{}; put a new one there", named(error)),
            )
            .code(error));
        }
        // No person is asked again for what has just been refused, unless it ended on the way.
        let is_over = self
            .login
            .as_ref()
            .and_then(|login| login.tokens.as_ref())
            .is_some_and(|it| it.may_have_ended(now.unix));
        let most = if self.of_person && !is_over { 1 } else { MOST_UNPROVEN };
        if has_token && self.unproven >= most {
            let (issuer, resource) = self
                .login
                .as_ref()
                .map_or(("", ""), |login| (login.issuer.name.as_str(), login.resource.as_str()));
            let failure = Failure::new(
                LoginStep::Access,
                "token",
                format!(
                    "the server refused the token that '{}' had just issued for '{}'{}; it and its authorization server do \
                     not agree about tokens",
                    shown(issuer),
                    shown(resource),
                    named(error)
                ),
            )
            .code(error);
            self.unproven = 0;
            self.login = None;
            self.held = Some((failure.clone(), now.at + super::HOLD));
            return Err(failure);
        }
        self.look_and_begin(if has_token { LoginReason::Refused } else { LoginReason::First }, said, now);
        Ok(())
    }

    /// 2026-07-28 `basic/authorization`, "Step-Up Authorization Flow": what was asked for before, and what is missing.
    fn step_up(&mut self, refusal: &Refusal<'_>, now: Timestamp) -> Result<(), Failure> {
        // A server that says what a token lacks has accepted it as a token.
        self.unproven = 0;
        let said = refusal.said();
        let asked = self.login.as_ref().map(|login| login.asked.clone()).unwrap_or_default();
        let wanted = said.scopes.clone().unwrap_or_default();
        let insufficient = |what: String| {
            Failure::new(
                LoginStep::Access,
                "scope",
                format!("'{}' needs more scopes{what}", shown(refusal.operation)),
            )
            .values(&wanted.text(), &asked.text())
            .code(Some("insufficient_scope"))
        };
        if matches!(self.settings.grant, GrantKind::Bearer { .. }) {
            return Err(insufficient(format!(" ('{}') than the token that was given has", wanted.text())));
        }
        let count = self.step_ups.get(refusal.operation).copied().unwrap_or(0);
        let again = count > 0 && !wanted.is_empty() && asked.has_all(&wanted);
        if count >= self.settings.step_ups || again {
            let failure = insufficient(format!(
                ": the server wants {}, and token number {count} asked for because of it, for '{}', was not enough",
                if wanted.is_empty() {
                    "more and does not say what".to_owned()
                } else {
                    format!("'{}'", wanted.text())
                },
                asked.text()
            ));
            return self.look_or_fail(failure, now);
        }
        if self.step_ups.len() >= MOST_OPERATIONS && count == 0 {
            return Err(insufficient(format!(", like {MOST_OPERATIONS} others before it")));
        }
        self.step_ups.insert(refusal.operation.to_owned(), count + 1);
        self.look_and_begin(LoginReason::StepUp, said, now);
        Ok(())
    }

    /// What fails with the login that is ours may succeed with one that another process has kept meanwhile.
    fn look_or_fail(&mut self, failure: Failure, now: Timestamp) -> Result<(), Failure> {
        if !self.may_look(now) {
            return Err(failure);
        }
        self.load(now);
        Ok(())
    }

    /// Begins a login.
    pub(super) fn begin(&mut self, why: LoginReason, said: Challenge, now: Timestamp) {
        self.run = Some(LoginRun::new(why, said, now.at + self.settings.limit));
        let result = match &self.settings.grant {
            GrantKind::Bearer { token } => {
                let token = token.clone();
                self.ask(Wanted::Token, &token, why == LoginReason::Refused, now)
            }
            _ if why == LoginReason::Renewal => self.find_own_server(now),
            _ => self.find_resource(now),
        };
        self.settle(result, now);
    }

    /// Gets a credential from where it is.
    pub(super) fn ask(
        &mut self,
        wanted: Wanted,
        source: &Source,
        refused: bool,
        now: Timestamp,
    ) -> Result<(), Failure> {
        let file = match source {
            Source::Text(text) => {
                return self.use_credential(wanted, &Given { text: text.clone(), lasts: None }, now);
            }
            Source::File(path) => Some(path.clone()),
            Source::Application => None,
        };
        let audience = match wanted {
            Wanted::Token => self.resource_name(),
            Wanted::WorkloadAssertion => self.found_server()?.issuer.name,
            Wanted::Subject => match &self.settings.grant {
                GrantKind::Enterprise(enterprise) => enterprise.token_endpoint.clone(),
                _ => String::new(),
            },
        };
        self.allow_patience(now);
        self.phase = LoginPhase::Asking(wanted);
        self.effects.push_back(Effect::Ask(Ask { wanted, file, audience, refused }));
        Ok(())
    }

    /// The application, or the file, gave what was asked for. Returns whether a call waits for it.
    pub fn given(&mut self, given: &Given, now: Timestamp) -> bool {
        let LoginPhase::Asking(wanted) = self.phase else { return false };
        self.phase = LoginPhase::Idle;
        self.allow_limit(now);
        let result = self.use_credential(wanted, given, now);
        self.settle(result, now);
        true
    }

    fn use_credential(&mut self, wanted: Wanted, given: &Given, now: Timestamp) -> Result<(), Failure> {
        // Files end in a line break.
        let text = given.text.expose().trim();
        if !is_token(text) {
            return Err(Failure::new(
                LoginStep::Application,
                "credential",
                "what was given is no token: it is empty, longer than 16 KiB, or has other characters than visible ASCII",
            ));
        }
        let text = Secret::new(text);
        match wanted {
            Wanted::Token => {
                let ends = given.lasts.map(|lasts| now.unix.saturating_add(lasts.as_secs()));
                let login = self.given_login(text, ends, now.unix);
                self.succeed(login);
                Ok(())
            }
            Wanted::WorkloadAssertion => self.send_assertion(&text, now),
            Wanted::Subject => self.exchange(&text, now),
        }
    }

    /// The login that a token of the application's makes.
    pub(super) fn given_login(&self, token: Secret, expires: Option<u64>, now: u64) -> Login {
        Login {
            issuer: Issuer::none(),
            resource: self.resource_name(),
            client: ClientRegistration {
                id: String::new(),
                secret: None,
                expires: None,
                method: AuthMethod::None,
                source: ClientIdSource::Configured,
                redirect_uri: None,
            },
            asked: Scopes::default(),
            tokens: Some(Tokens { access: token, bound: false, refresh: None, obtained: now, expires }),
            key: None,
            inside: false,
            grant: Secret::default(),
            before: Vec::new(),
        }
    }
}

impl Refusal<'_> {
    /// Whether the server wants a token, or another one. Gateways say 403 where no token came, too: what they then challenge with means
    /// what it means beside 401.
    pub fn wants_token(&self) -> bool {
        self.status == 401 || self.status == 403 && self.generation == 0 && self.challenges.takes_tokens()
    }

    fn said(&self) -> Challenge {
        Challenge {
            metadata: self.challenges.resource_metadata().map(str::to_owned),
            scopes: self.challenges.scopes(),
            dpop: self.challenges.has("dpop"),
        }
    }
}

fn named(error: Option<&str>) -> String {
    error.map(|error| format!(" ('{}')", shown(error))).unwrap_or_default()
}
