//! Requests for tokens with a code, a refresh token, the application's own credentials or an assertion, and the time limit of every
//! request of a login.

use super::assertion::Unsigned;
use super::credentials::{ClientIdSource, ClientRegistration, Proven};
use super::dpop::ProofKey;
use super::login::{Login, Tokens, is_token};
use super::login_run::{
    Effect, FormPurpose, LoginPhase, LoginReason, LoginRun, Post, RegistrationNote, Timestamp, internal,
};
use super::metadata::ServerMetadata;
use super::settings::{AuthMethod, Dpop, GrantKind};
use super::{Authorizer, Header};
use crate::auth::failure::{Failure, LoginStep, shown};
use crate::auth::http::{ANSWER_BYTES, Answer, Fault, Form, Method, Request, refusal};
use crate::auth::jose;
use crate::auth::token::Secret;
use crate::protocol::address::Address;
use serde_json::Value;
use std::time::{Duration, Instant};

/// How often one login may be asked for a nonce by the authorization server.
const MOST_NONCES: u32 = 2;
/// How many refreshes in a row may end with the status 500 before a person is asked.
pub(super) const MOST_BROKEN: u32 = 2;
/// An assertion's grant (RFC 7523).
const JWT_BEARER: &str = "urn:ietf:params:oauth:grant-type:jwt-bearer";
const TOKEN_EXCHANGE: &str = "urn:ietf:params:oauth:grant-type:token-exchange";
const ID_JAG: &str = "urn:ietf:params:oauth:token-type:id-jag";

impl Authorizer {
    /// Exchanges the code for tokens (RFC 6749, section 4.1.3; RFC 7636).
    pub(super) fn redeem(&mut self, code: &Secret, now: Timestamp) -> Result<(), Failure> {
        let resource = self.resource();
        let run = self.run()?;
        let verifier = run.verifier.take().ok_or_else(|| internal("there is no verifier"))?;
        let form = Form::default()
            .with("grant_type", "authorization_code")
            .with("code", code.expose())
            .with("redirect_uri", run.redirect_uri.clone().unwrap_or_default())
            .with("code_verifier", verifier.expose())
            .with("resource", resource);
        self.ask_for_token(FormPurpose::Code, form, now)
    }

    /// RFC 6749, section 6. The lock is ours.
    pub(super) fn refresh(&mut self, now: Timestamp) -> Result<(), Failure> {
        let server = self.found_server()?;
        let login = self.login.as_ref().ok_or_else(|| internal("there is no login to refresh"))?;
        if login.issuer != server.issuer {
            return Err(internal("the login to refresh is of another authorization server"));
        }
        let refresh = login.tokens.as_ref().and_then(|tokens| tokens.refresh.clone());
        let refresh = refresh.ok_or_else(|| internal("there is no refresh token"))?;
        let resource = login.resource.clone();
        let (kept, scopes, key) = (login.client.clone(), login.asked.clone(), login.key.clone());
        let client = self.client_of(&server, kept)?;
        let run = self.run()?;
        run.client = Some(client);
        run.scopes = scopes;
        // The tokens of a login stay with its key.
        run.key = key;
        run.refreshed = true;
        let form = Form::default()
            .with("grant_type", "refresh_token")
            .with("refresh_token", refresh.expose())
            .with("resource", resource);
        self.ask_for_token(FormPurpose::Refresh, form, now)
    }

    /// RFC 6749, section 4.4.
    pub(super) fn request_with_credentials(&mut self, now: Timestamp) -> Result<(), Failure> {
        let form = Form::default().with("grant_type", "client_credentials").with("resource", self.resource());
        let form = form.with_some("scope", self.scope()?);
        self.ask_for_token(FormPurpose::ClientCredentials, form, now)
    }

    fn scope(&mut self) -> Result<Option<String>, Failure> {
        Ok(Some(self.run()?.scopes.text()).filter(|text| !text.is_empty()))
    }

    /// An assertion, of the workload or of the identity provider, for a token (RFC 7523, section 2.1).
    pub(super) fn send_assertion(&mut self, assertion: &Secret, now: Timestamp) -> Result<(), Failure> {
        let ends =
            jose::claims(assertion.expose()).and_then(|claims| claims.get("exp").and_then(Value::as_u64));
        if let Some(ends) = ends.filter(|ends| *ends <= now.unix) {
            return Err(Failure::new(
                LoginStep::Application,
                "exp",
                format!("the assertion ended {} s ago; a new one is needed", now.unix - ends),
            )
            .values(&format!("later than {}", now.unix), &ends.to_string()));
        }
        let form = Form::default()
            .with("grant_type", JWT_BEARER)
            .with("assertion", assertion.expose())
            .with("resource", self.resource());
        let form = form.with_some("scope", self.scope()?);
        self.ask_for_token(FormPurpose::Assertion, form, now)
    }

    /// The person's login at the identity provider for an assertion that the MCP server's authorization server takes
    /// (RFC 8693; Identity Assertion Authorization Grant).
    pub(super) fn exchange(&mut self, subject: &Secret, now: Timestamp) -> Result<(), Failure> {
        let GrantKind::Enterprise(enterprise) = self.settings.grant.clone() else {
            return Err(internal("there is no identity provider"));
        };
        let issuer = self.found_server()?.issuer.name;
        let form = Form::default()
            .with("grant_type", TOKEN_EXCHANGE)
            .with("requested_token_type", ID_JAG)
            .with("audience", issuer)
            .with("resource", self.resource());
        let form = form
            .with_some("scope", self.scope()?)
            .with("subject_token", subject.expose())
            .with("subject_token_type", enterprise.subject_type.urn());
        // The application says where its identity provider is, so that it may be anywhere; but not unprotected.
        let url = self.policy.configured(
            LoginStep::Exchange,
            "auth.enterprise.token_endpoint",
            &enterprise.token_endpoint,
        )?;
        self.post(FormPurpose::Exchange, url, form, now)
    }

    pub(super) fn ask_for_token(
        &mut self,
        purpose: FormPurpose,
        form: Form,
        now: Timestamp,
    ) -> Result<(), Failure> {
        let server = self.found_server()?;
        let url = server.need(server.token.as_ref(), "token_endpoint")?.clone();
        self.post(purpose, url, form, now)
    }

    /// Sends a form, with who we are and, for a bound token, a proof.
    pub(super) fn post(
        &mut self,
        purpose: FormPurpose,
        url: Address,
        form: Form,
        now: Timestamp,
    ) -> Result<(), Failure> {
        let issuer = self.found_server()?.issuer;
        let identity_key = self.settings.identity.key.clone();
        let proven = match (&self.settings.grant, purpose) {
            (GrantKind::Enterprise(enterprise), FormPurpose::Exchange) => {
                let client = ClientRegistration {
                    id: enterprise.client_id.clone(),
                    secret: enterprise.client_secret.clone(),
                    expires: None,
                    method: enterprise.method,
                    source: ClientIdSource::Configured,
                    redirect_uri: None,
                };
                client.prove(form.clone(), &enterprise.token_endpoint, identity_key.as_ref(), now.unix)?
            }
            // The assertion says who we are.
            (GrantKind::Workload { .. }, _) => {
                self.check_credentials(&issuer.name, issuer.fallback)?;
                Proven { form: form.clone(), header: None, unsigned: None }
            }
            _ => {
                let client = self.run()?.client.clone().ok_or_else(|| internal("no client was chosen"))?;
                // A registration brings a secret of its own, but no key: what signs is the configured one.
                let configured = match client.method {
                    AuthMethod::None => false,
                    AuthMethod::PrivateKeyJwt => true,
                    _ => client.source != ClientIdSource::Registered,
                };
                if configured {
                    self.check_credentials(&issuer.name, issuer.fallback)?;
                }
                client.prove(form.clone(), &issuer.name, identity_key.as_ref(), now.unix)?
            }
        };
        let mut headers = vec![
            ("content-type", Secret::new("application/x-www-form-urlencoded")),
            ("accept", Secret::new("application/json")),
        ];
        let Proven { form: proven, header, unsigned } = proven;
        headers.extend(header.map(|header| ("authorization", header)));
        let key = self.run()?.key.clone().filter(|_| {
            !matches!(purpose, FormPurpose::Exchange | FormPurpose::Revoke | FormPurpose::DeviceCodes)
        });
        let signs = unsigned.is_some() || key.as_ref().is_some_and(ProofKey::is_elsewhere);
        if let Some(key) = key {
            let nonce = self.nonces.of(url.origin());
            headers.push(("dpop", key.proof(Method::Post.as_str(), &url, now.unix, None, nonce)?));
        }
        let body = Some(Secret::new(proven.text()));
        let id = self.send(purpose.step(), Method::Post, &url, headers, body, unsigned)?;
        if signs {
            self.allow_signature(now);
        }
        self.phase = LoginPhase::Posting(Post { id, url, purpose, form, secrets: proven, signs });
        Ok(())
    }

    /// A form was answered.
    pub(super) fn posted(
        &mut self,
        post: Post,
        answer: Result<Answer, Fault>,
        now: Timestamp,
    ) -> Result<(), Failure> {
        let step = post.purpose.step();
        if post.signs {
            self.allow_limit(now);
        }
        let answer = match answer {
            Ok(answer) => answer,
            Err(fault) if post.purpose == FormPurpose::Refresh => {
                return self.refresh_failed(fault.at(step, &post.url), None, now);
            }
            Err(fault) if post.purpose == FormPurpose::DeviceToken => {
                return self.not_polled(fault.at(step, &post.url), None, now);
            }
            Err(fault) => return Err(fault.at(step, &post.url)),
        };
        if let FormPurpose::Register { least } = post.purpose {
            return self.registered(&post, &answer, least, now);
        }
        let nonce = answer.header("dpop-nonce");
        let fresh_nonce = nonce.is_some_and(|nonce| self.nonces.keep(post.url.origin(), nonce));
        // Some say with 200 what was wrong.
        let is_error =
            answer.fields().is_some_and(|it| it.contains_key("error") && !it.contains_key("access_token"));
        if !answer.is_success() || is_error {
            let failure = refusal(step, &post.url, &answer, &post.secrets);
            let run = self.run()?;
            if failure.code.as_deref() == Some("use_dpop_nonce")
                && fresh_nonce
                && run.key.is_some()
                && run.nonces < MOST_NONCES
            {
                run.nonces += 1;
                return self.post(post.purpose, post.url, post.form, now);
            }
            if is_unproven(&failure, &answer, &post.url)
                && self.proves_otherwise(post.purpose, &failure, &post.url)?
            {
                return self.post(post.purpose, post.url, post.form, now);
            }
            return match post.purpose {
                // What is good no more need not be revoked (RFC 7009, section 2.2), though some call it an error.
                FormPurpose::Revoke
                    if matches!(failure.code.as_deref(), Some("invalid_token" | "invalid_grant")) =>
                {
                    self.revoked(now)
                }
                FormPurpose::Refresh => self.refresh_failed(failure, Some(&answer), now),
                FormPurpose::Code => self.code_refused(failure, now),
                FormPurpose::DeviceCodes => self.codes_refused(failure, now),
                FormPurpose::DeviceToken => self.not_polled(failure, Some(&answer), now),
                _ => Err(failure),
            };
        }
        if post.purpose == FormPurpose::Revoke {
            return self.revoked(now);
        }
        if post.purpose == FormPurpose::Exchange {
            return self.exchanged(&post, &answer, now);
        }
        if post.purpose == FormPurpose::DeviceCodes {
            return self.got_codes(&post.url, &answer, now);
        }
        let bind = self.run()?.key.is_some();
        let tokens = Tokens::read(step, &post.url, &answer, bind, now.unix);
        match tokens {
            Ok(tokens) => self.obtained(tokens, post.purpose, now),
            Err(failure) if post.purpose == FormPurpose::Refresh => {
                self.refresh_failed(failure, Some(&answer), now)
            }
            Err(failure) => Err(failure),
        }
    }

    /// Whether the client's secret is sent once more, in another place: what a server takes and what it says differ at some. Not where
    /// the configuration says which place it is.
    fn proves_otherwise(
        &mut self,
        purpose: FormPurpose,
        failure: &Failure,
        url: &Address,
    ) -> Result<bool, Failure> {
        let is_said = self.settings.identity.method.is_some();
        let run = self.run()?;
        let Some(client) = run.client.as_mut() else { return Ok(false) };
        if purpose == FormPurpose::Exchange || is_said && client.source == ClientIdSource::Configured {
            return Ok(false);
        }
        let misses_secret =
            failure.code.as_deref() == Some("invalid_request") && says(failure, url, "client_secret");
        let proves = client.prove_otherwise(run.proved_otherwise, misses_secret);
        run.proved_otherwise += 1;
        Ok(proves)
    }

    /// The identity provider answered.
    fn exchanged(&mut self, post: &Post, answer: &Answer, now: Timestamp) -> Result<(), Failure> {
        let object = answer.fields().unwrap_or_default();
        let text = |name: &str| object.get(name).and_then(Value::as_str).unwrap_or_default();
        let kind = text("issued_token_type");
        if kind != ID_JAG {
            let message =
                format!("{} issued a token of the type '{}', not '{ID_JAG}'", post.url, shown(kind));
            return Err(Failure::new(LoginStep::Exchange, "issued_token_type", message).values(ID_JAG, kind));
        }
        let assertion = text("access_token");
        if !is_token(assertion) {
            let message = format!("{} answered without a usable assertion", post.url);
            return Err(Failure::new(LoginStep::Exchange, "access_token", message));
        }
        self.send_assertion(&Secret::new(assertion), now)
    }

    /// There are tokens.
    fn obtained(&mut self, mut tokens: Tokens, purpose: FormPurpose, now: Timestamp) -> Result<(), Failure> {
        let server = self.found_server()?;
        let resource = self.resource();
        if self.settings.dpop == Dpop::Always && !tokens.bound {
            let message = format!(
                "'{}' issued a token that is not bound to our key, and 'auth.dpop' demands it",
                shown(&server.issuer.name)
            );
            return Err(Failure::new(LoginStep::Token, "token_type", message).values("DPoP", "Bearer"));
        }
        let own = self.login.as_ref().filter(|_| purpose == FormPurpose::Refresh);
        let mut grant = own.map(|login| login.grant.clone()).unwrap_or_default();
        if let Some(own) = own.and_then(|login| login.tokens.as_ref()) {
            // One that is not replaced goes on.
            tokens.refresh = tokens.refresh.take().or_else(|| own.refresh.clone());
        }
        self.broken_refreshes = 0;
        self.of_person = matches!(purpose, FormPurpose::Code | FormPurpose::DeviceToken);
        if self.of_person {
            grant = jose::random(LoginStep::Token)?;
        }
        // Without a person a new token costs no more than a refresh.
        if !matches!(self.settings.grant, GrantKind::Interactive { .. }) {
            tokens.refresh = None;
        }
        let inside = self.policy.is_found_private();
        let run = self.run()?;
        let login = Login {
            issuer: server.issuer,
            resource,
            client: run.client.clone().unwrap_or_else(no_client),
            asked: run.scopes.clone(),
            tokens: Some(tokens),
            key: run.key.clone(),
            inside,
            grant,
            before: Vec::new(),
        };
        self.keep(login, now);
        Ok(())
    }

    /// The code was refused. If that is because the client is not known any more, the next login registers another one: the browser is
    /// not opened twice for one login.
    pub(super) fn code_refused(&mut self, failure: Failure, now: Timestamp) -> Result<(), Failure> {
        let run = self.run()?;
        let registered =
            run.client.as_ref().is_some_and(|client| client.source == ClientIdSource::Registered);
        let is_about_client =
            matches!(failure.code.as_deref(), Some("invalid_client" | "unauthorized_client"));
        if is_about_client && registered {
            self.forget_client()?;
            self.note(RegistrationNote::Forgotten(failure), now);
            return Ok(());
        }
        Err(failure)
    }

    /// The registration is not known at the server any more.
    pub(super) fn forget_client(&mut self) -> Result<(), Failure> {
        let issuer = self.found_server()?.issuer;
        self.run()?.client = None;
        self.record.forget_client(&issuer);
        if let Some(login) = self.login.as_mut().filter(|login| login.issuer == issuer) {
            login.client.expires = Some(0);
        }
        Ok(())
    }

    /// Nothing says that the refresh token is worth nothing: it is kept. But a server with a fault of its own may have it for ever, as
    /// those do that answer so whatever the one behind them refuses. Where no token does any more, the person is asked, though not for what
    /// was seen once.
    fn refresh_broken(&mut self, mut failure: Failure, now: Timestamp) -> Result<(), Failure> {
        let tokens = self.login.as_ref().and_then(|login| login.tokens.as_ref());
        let does = tokens.is_some_and(|tokens| !tokens.is_over(now.unix));
        let is_renewal = self.run()?.why == LoginReason::Renewal;
        if does && is_renewal {
            return Err(failure);
        }
        self.broken_refreshes = self.broken_refreshes.saturating_add(1);
        if let Some(why) = &self.settings.no_login {
            failure.message = format!("{}; if it stays so, {why}", failure.message);
            return Err(failure);
        }
        if self.broken_refreshes < MOST_BROKEN {
            // A program that makes one call and ends sees it once only.
            return self.refresh(now);
        }
        self.effects.push_back(Effect::Warning(failure));
        if is_renewal {
            // The next request goes without a token and is refused, and that says what to log in for.
            self.end();
            return Ok(());
        }
        self.unlock();
        let server = self.found_server()?;
        self.identify(&server, now)
    }

    pub(super) fn refresh_failed(
        &mut self,
        failure: Failure,
        answer: Option<&Answer>,
        now: Timestamp,
    ) -> Result<(), Failure> {
        self.renew_again = Some(now.at + super::RENEW_AGAIN);
        if answer.is_some_and(|answer| answer.status == 500) {
            return self.refresh_broken(failure, now);
        }
        self.broken_refreshes = 0;
        if !failure.is_lasting() {
            return Err(failure);
        }
        if matches!(failure.code.as_deref(), Some("invalid_client" | "unauthorized_client")) {
            self.forget_client()?;
        }
        let renewal = self.run()?.why == LoginReason::Renewal;
        let Some(login) = &mut self.login else { return Err(failure) };
        let over = login.tokens.as_ref().is_none_or(|tokens| tokens.is_over(now.unix));
        match &mut login.tokens {
            Some(tokens) if !over => tokens.refresh = None,
            tokens => self.spent = tokens.take().map(|tokens| tokens.access),
        }
        let login = login.clone();
        self.record.put(login);
        self.ended = Some(failure.message.clone());
        self.effects.push_back(Effect::Warning(failure));
        if renewal {
            // Without a token the next request is refused, and that says what to log in for.
            self.end();
            return Ok(());
        }
        self.unlock();
        let server = self.found_server()?;
        self.identify(&server, now)
    }
}

/// The errors that are about what a client asks for, whatever status they come with.
const ABOUT_GRANT: [&str; 9] = [
    "invalid_grant",
    "invalid_scope",
    "invalid_target",
    "unsupported_grant_type",
    "authorization_pending",
    "slow_down",
    "expired_token",
    "access_denied",
    "use_dpop_nonce",
];

/// Whether a server refused the client, and not what it asked for. 401 says so (RFC 6749, section 5.2), though some have another code
/// there, such as `unauthorized_client`. One that looks for the client in the form alone says of Basic that the request is incomplete.
fn is_unproven(failure: &Failure, answer: &Answer, url: &Address) -> bool {
    match failure.code.as_deref().unwrap_or_default() {
        "invalid_client" => true,
        "invalid_request" => answer.status == 401 || says(failure, url, "client"),
        code => answer.status == 401 && !ABOUT_GRANT.contains(&code),
    }
}

/// Whether an answer says a word; the URL in the text about it is not the answer's.
fn says(failure: &Failure, url: &Address, word: &str) -> bool {
    let url = url.to_string();
    failure.message.strip_prefix(&url).unwrap_or(&failure.message).contains(word)
}

/// A workload has no client id.
fn no_client() -> ClientRegistration {
    ClientRegistration {
        id: String::new(),
        secret: None,
        expires: None,
        method: AuthMethod::None,
        source: ClientIdSource::Document,
        redirect_uri: None,
    }
}

/// The most requests of one login. The longest honest way takes a dozen.
const MOST_REQUESTS: u32 = 32;
/// How long one request may take.
const REQUEST_TIME: Duration = Duration::from_secs(15);

impl Authorizer {
    /// The login that runs. There is one in every phase but the idle ones.
    pub(super) fn run(&mut self) -> Result<&mut LoginRun, Failure> {
        self.run.as_mut().ok_or_else(|| internal("no login is under way"))
    }

    /// The authorization server that was found.
    pub(super) fn found_server(&mut self) -> Result<ServerMetadata, Failure> {
        self.run()?.server.clone().ok_or_else(|| internal("no authorization server was found"))
    }

    /// The name that tokens are asked for (RFC 8707): as published, else our own.
    pub(super) fn resource(&mut self) -> String {
        let published =
            self.run.as_ref().and_then(|run| run.resource.as_ref()).map(|resource| resource.name.clone());
        let known = self
            .run
            .as_ref()
            .filter(|run| matches!(run.why, LoginReason::Renewal | LoginReason::Logout))
            .and(self.login.as_ref());
        published
            .or_else(|| known.map(|login| login.resource.clone()))
            .unwrap_or_else(|| self.resource_name())
    }

    /// The servers, not the person, are next: they have their own time.
    pub(super) fn allow_limit(&mut self, now: Timestamp) {
        let deadline = now.at + self.settings.limit;
        if let Some(run) = &mut self.run {
            run.deadline = deadline;
        }
    }

    /// The person or the application is next.
    pub(super) fn allow_patience(&mut self, now: Timestamp) -> Instant {
        let deadline = now.at + self.settings.patience;
        if let Some(run) = &mut self.run {
            run.deadline = deadline;
        }
        deadline
    }

    /// The application signs something first, in its own time, and then the servers are next.
    pub(super) fn allow_signature(&mut self, now: Timestamp) {
        let deadline = now.at + self.settings.patience + REQUEST_TIME.min(self.settings.limit);
        if let Some(run) = &mut self.run {
            run.deadline = deadline;
        }
    }

    /// Sends a request; gives its number.
    pub(super) fn send(
        &mut self,
        step: LoginStep,
        method: Method,
        url: &Address,
        headers: Vec<Header>,
        body: Option<Secret>,
        unsigned: Option<Unsigned>,
    ) -> Result<u64, Failure> {
        let run = self.run()?;
        run.requests += 1;
        let most = if run.why == LoginReason::Logout { 2 * MOST_REQUESTS } else { MOST_REQUESTS };
        if run.requests > most {
            return Err(Failure::new(
                step,
                "number of requests",
                format!("one login took more than {most} requests; the servers lead us in a circle"),
            ));
        }
        let id = self.next_request;
        self.next_request += 1;
        self.effects.push_back(Effect::Http(Request {
            id,
            step,
            method,
            url: url.clone(),
            headers,
            body,
            unsigned,
            // The identity provider is where the application says it is.
            refuse_private: step != LoginStep::Exchange && self.policy.refuses_private(url),
            most_bytes: ANSWER_BYTES,
            timeout: REQUEST_TIME.min(self.settings.limit),
        }));
        Ok(id)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_url_of_an_endpoint_is_not_what_its_server_says() {
        let url = Address::parse("https://as.example/client_secret/token").expect("a URL");
        for (said, is_said) in
            [("", false), (": scope is missing", false), (": client_secret: Field required", true)]
        {
            let message = format!("{url} answered 400, 'invalid_request'{said}");
            let failure = Failure::new(LoginStep::Token, "answer", message);
            assert_eq!(says(&failure, &url, "client_secret"), is_said, "{said}");
        }
    }
}
