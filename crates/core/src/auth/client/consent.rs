//! The user's part of a login: the URL for the browser, with the challenge of PKCE and the state, and the checks of the authorization
//! response (2026-07-28 `basic/authorization`, "Authorization Response Validation"; RFC 9207), or the code for a browser on another device
//! (RFC 8628).

use super::Authorizer;
use super::credentials::ClientIdSource;
use super::login::{is_token, seconds};
use super::login_run::{Device, DeviceCode, Effect, FormPurpose, LoginPhase, Prompt, Timestamp, internal};
use super::metadata::DEVICE_CODE;
use super::metadata::ServerMetadata;
use super::settings::{Flow, GrantKind, Redirect};
use crate::auth::failure::{Cause, Failure, LoginStep, shown};
use crate::auth::http::{Answer, Form, Query, Repeated};
use crate::auth::jose;
use crate::auth::token::Secret;
use crate::protocol::address;
use crate::protocol::address::Address;
use crate::protocol::visible::is_hidden;
use serde_json::Value;
use std::ops::RangeInclusive;
use std::time::{Duration, Instant};

/// The longest answer of a browser that is read.
const ANSWER_BYTES: usize = 64 * 1024;

impl Authorizer {
    /// Has a person asked.
    pub(super) fn prompt(&mut self, now: Timestamp) -> Result<(), Failure> {
        let server = self.found_server()?;
        let resource = self.resource();
        let endpoint = server.need(server.authorization.as_ref(), "authorization_endpoint")?;
        let (state, verifier) =
            (jose::random(LoginStep::Authorization)?, jose::random(LoginStep::Authorization)?);
        let run = self.run()?;
        let client = run.client.as_ref().ok_or_else(|| internal("no client was chosen"))?;
        let redirect_uri = run.redirect_uri.clone().unwrap_or_default();
        let scopes = Some(run.scopes.text()).filter(|scopes| !scopes.is_empty());
        // OpenID Connect Core, section 11: without it some give no refresh token.
        let consent = run.scopes.has("offline_access").then_some("consent");
        let form = Form::default()
            .with("response_type", "code")
            .with("client_id", &client.id)
            .with("redirect_uri", &redirect_uri)
            .with("state", state.expose())
            .with("code_challenge", jose::sha256(verifier.expose()))
            .with("code_challenge_method", "S256")
            .with("resource", resource)
            .with_some("scope", scopes.clone())
            .with_some("prompt", consent);
        run.verifier = Some(verifier);
        let sign = if endpoint.target().contains('?') { '&' } else { '?' };
        let url = Secret::new(format!("{}{sign}{}", address::encoded(&endpoint.to_string()), form.text()));
        let listens = match &self.settings.grant {
            GrantKind::Interactive { redirect: Redirect { uri, listen } } => uri.is_none() || *listen,
            _ => false,
        };
        let deadline = self.allow_patience(now);
        self.phase = LoginPhase::Prompting { state };
        self.effects.push_back(Effect::Prompt(Prompt {
            url,
            device: None,
            redirect_uri,
            listens,
            issuer: server.issuer.name,
            scopes: scopes.unwrap_or_default(),
            deadline,
        }));
        Ok(())
    }

    /// The browser came back: all of the URL, or its query.
    ///
    /// # Errors
    /// Why it is not taken. If it is not for the login under way, that goes on waiting; any other check that fails ends
    /// it, and the code goes nowhere.
    pub fn complete(&mut self, callback: &str, now: Timestamp) -> Result<(), Failure> {
        let LoginPhase::Prompting { state } = &self.phase else {
            return Err(Failure::new(LoginStep::Authorization, "state", "no login waits for an answer"));
        };
        let query = query_of(callback);
        let mine =
            query.one("state").ok().flatten().is_some_and(|own| jose::same(own.expose(), state.expose()));
        // Every page in the browser can send such answers, however many: they end nothing, and no `state` is guessed.
        if !mine {
            return Err(Failure::new(
                LoginStep::Authorization,
                "state",
                "the answer is not for this login: its 'state' is missing or another one",
            ));
        }
        // One use: whatever is wrong with it from here on, it is not looked at again.
        let result = self.judge(&query, now);
        if let Err(failure) = &result {
            self.fail(failure.clone(), now);
        }
        result
    }

    fn judge(&mut self, query: &Query, now: Timestamp) -> Result<(), Failure> {
        let server = self.found_server()?;
        check_issuer(query, &server)?;
        let one = |name: &'static str| {
            query.one(name).map_err(|Repeated| {
                Failure::new(
                    LoginStep::Authorization,
                    "parameters",
                    format!("the answer has '{name}' more than once"),
                )
            })
        };
        if let Some(error) = one("error")? {
            let error = shown(error.expose());
            let said = one("error_description")?.map(|text| format!(": {}", shown(text.expose())));
            let message =
                format!("'{}' answered '{error}'{}", shown(&server.issuer.name), said.unwrap_or_default());
            let cause = match error.as_str() {
                "access_denied" | "login_required" | "consent_required" | "interaction_required" => {
                    Cause::GivenUp
                }
                "server_error" | "temporarily_unavailable" => Cause::Unreachable,
                _ => Cause::Refused,
            };
            return Err(Failure::new(LoginStep::Authorization, "answer", message)
                .because(cause)
                .code(Some(&error)));
        }
        let code = one("code")?.cloned().ok_or_else(|| {
            Failure::new(LoginStep::Authorization, "code", "the answer has neither a 'code' nor an 'error'")
        })?;
        self.phase = LoginPhase::Idle;
        self.allow_limit(now);
        self.redeem(&code, now)
    }

    /// The person or the application does not want to go on.
    pub fn give_up(&mut self, why: &str, now: Timestamp) {
        let step = match self.phase {
            LoginPhase::Prompting { .. } | LoginPhase::Listening => LoginStep::Authorization,
            _ if self.asks_for_device() => LoginStep::Authorization,
            LoginPhase::Asking(_) => LoginStep::Application,
            _ => return,
        };
        let message = if why.is_empty() {
            "the login was given up".to_owned()
        } else {
            format!("the login was given up: {}", shown(why))
        };
        self.fail(Failure::new(step, "given up", message).because(Cause::GivenUp), now);
    }
}

/// Mix-up attacks: an answer of another server's must not reach this one's token endpoint. Compared as it is written.
fn check_issuer(query: &Query, server: &ServerMetadata) -> Result<(), Failure> {
    let failed = |message: String, found: &str| {
        Err(Failure::new(LoginStep::Authorization, "iss", message).values(&server.issuer.name, found))
    };
    match query.one("iss") {
        Err(Repeated) => failed("the answer has 'iss' more than once".to_owned(), ""),
        Ok(Some(said)) if !server.issuer.answers_as(said.expose()) => failed(
            format!(
                "the answer says that it is from '{}', and '{}' was asked; its code is not used",
                shown(said.expose()),
                shown(&server.issuer.name)
            ),
            said.expose(),
        ),
        Ok(None) if server.says_issuer => failed(
            format!(
                "the answer does not say who it is from, though '{}' announces that its answers do ('iss'); its code is \
                 not used",
                shown(&server.issuer.name)
            ),
            "",
        ),
        Ok(_) => Ok(()),
    }
}

fn query_of(callback: &str) -> Query {
    let callback = if callback.len() > ANSWER_BYTES { "" } else { callback };
    let whole = callback.split('#').next().unwrap_or_default();
    Query::parse(whole.split_once('?').map_or(whole, |(_, query)| query))
}

/// The time between two requests where the server says none (section 3.2), and by how much `slow_down` makes it longer (section 3.5).
const INTERVAL_SECONDS: u64 = 5;
/// The time between two requests that a server may ask for, in seconds.
const INTERVALS: RangeInclusive<u64> = 1..=60;
/// How long a code is good at most, and where the server does not say how long, in seconds.
const LONGEST_LIFE: u64 = 60 * 60;
/// The longest code that a person has to enter.
const USER_CODE_CHARS: usize = 64;

impl Authorizer {
    /// Asks for the codes (section 3.1).
    pub(super) fn request_codes(&mut self, url: Address, now: Timestamp) -> Result<(), Failure> {
        let scopes = Some(self.run()?.scopes.text()).filter(|scopes| !scopes.is_empty());
        let form = Form::default().with_some("scope", scopes).with("resource", self.resource());
        self.post(FormPurpose::DeviceCodes, url, form, now)
    }

    /// There are none. A registration that the server forgot, or that was not made for devices, is made again.
    pub(super) fn codes_refused(&mut self, failure: Failure, now: Timestamp) -> Result<(), Failure> {
        let auto = self.settings.flow == Flow::Auto;
        let run = self.run()?;
        let kept = run.client.as_ref().is_some_and(|client| client.source == ClientIdSource::Registered)
            && run.registrations == 0;
        let is_about_client =
            matches!(failure.code.as_deref(), Some("invalid_client" | "unauthorized_client"));
        if kept && is_about_client {
            self.forget_client()?;
            let server = self.found_server()?;
            return self.register(&server, false);
        }
        if auto && failure.is_lasting() {
            run.refuses_device = true;
            self.effects.push_back(Effect::Warning(failure));
            let server = self.found_server()?;
            return self.identify(&server, now);
        }
        Err(failure)
    }

    /// There are codes (section 3.2): the person is asked.
    pub(super) fn got_codes(
        &mut self,
        url: &Address,
        answer: &Answer,
        now: Timestamp,
    ) -> Result<(), Failure> {
        let failed = |check: &'static str, what: &str| {
            let message = format!("{url} answered {} {what}", answer.status);
            Failure::new(LoginStep::Authorization, check, message)
        };
        let Some(object) = answer.fields() else {
            return Err(failed("answer", &format!("with no JSON object but {}", answer.kind())));
        };
        let text = |name: &str| object.get(name).and_then(Value::as_str).filter(|text| !text.is_empty());
        let code = text("device_code").filter(|code| is_token(code));
        let code = code.ok_or_else(|| failed("device_code", "without a usable 'device_code'"))?;
        let user_code = text("user_code").filter(|code| is_user_code(code));
        let user_code =
            user_code.ok_or_else(|| failed("user_code", "without a 'user_code' that can be shown"))?;
        // Some have the name of the drafts.
        let page = text("verification_uri").or_else(|| text("verification_url")).unwrap_or_default();
        if let Some(why) = address::unsafe_page(page) {
            let what =
                format!("with the 'verification_uri' '{}', which no person is sent to: {why}", shown(page));
            return Err(failed("verification_uri", &what).values("an https URL", page));
        }
        // It is only a convenience: one that leads elsewhere is left out.
        let whole = text("verification_uri_complete").filter(|whole| is_at_same_origin(whole, page));
        let number = |name: &str| object.get(name).and_then(seconds);
        let interval = number("interval").map_or(INTERVAL_SECONDS, clamped);
        let life = number("expires_in").filter(|life| *life > 0).unwrap_or(LONGEST_LIFE).min(LONGEST_LIFE);
        let issuer = self.found_server()?.issuer.name;
        let life = Duration::from_secs(life).min(self.settings.patience);
        let until = now.at + life;
        let run = self.run()?;
        run.deadline = until;
        let scopes = run.scopes.text();
        let interval = Duration::from_secs(interval);
        run.device = Some(Device { code: Secret::new(code), interval, next: now.at + interval, until, life });
        self.phase = LoginPhase::Polling;
        self.effects.push_back(Effect::Prompt(Prompt {
            url: Secret::new(address::encoded(whole.unwrap_or(page))),
            device: Some(DeviceCode {
                user_code: Secret::new(user_code),
                verification_uri: address::encoded(page),
            }),
            redirect_uri: String::new(),
            listens: true,
            issuer,
            scopes,
            deadline: until,
        }));
        Ok(())
    }

    /// Whether the token endpoint is asked now and then.
    pub(super) fn asks_for_device(&self) -> bool {
        match &self.phase {
            LoginPhase::Polling => true,
            LoginPhase::Posting(post) => post.purpose == FormPurpose::DeviceToken,
            _ => false,
        }
    }

    pub(super) fn next_poll(&self) -> Option<Instant> {
        let device = self.run.as_ref().and_then(|run| run.device.as_ref());
        device.filter(|_| matches!(self.phase, LoginPhase::Polling)).map(|device| device.next)
    }

    pub(super) fn life_of_code(&self) -> Option<Duration> {
        self.run.as_ref().and_then(|run| run.device.as_ref()).map(|device| device.life)
    }

    /// Asks whether the person has said yes (section 3.4).
    pub(super) fn poll(&mut self, now: Timestamp) -> Result<(), Failure> {
        let resource = self.resource();
        let run = self.run()?;
        let device = run.device.as_ref().ok_or_else(|| internal("there is no code of a device"))?;
        let form = Form::default()
            .with("grant_type", DEVICE_CODE)
            .with("device_code", device.code.expose())
            .with("resource", resource);
        // How often it is asked is bounded by the life of the code and the time between.
        (run.requests, run.nonces) = (0, 0);
        self.ask_for_token(FormPurpose::DeviceToken, form, now)
    }

    /// There is no token yet, or none will come (section 3.5). Without an answer something on the way was broken.
    pub(super) fn not_polled(
        &mut self,
        failure: Failure,
        answer: Option<&Answer>,
        now: Timestamp,
    ) -> Result<(), Failure> {
        let run = self.run()?;
        let device = run.device.as_mut().ok_or_else(|| internal("there is no code of a device"))?;
        match failure.code.as_deref() {
            Some("authorization_pending") => {}
            Some("slow_down") => {
                // Some say how long it is to be.
                let asked = answer.and_then(Answer::fields).unwrap_or_default();
                let asked = asked.get("interval").and_then(seconds).map_or(0, clamped);
                device.interval += Duration::from_secs(INTERVAL_SECONDS);
                device.interval = device.interval.max(Duration::from_secs(asked));
            }
            Some("expired_token") => {
                let message =
                    format!("{}; the person did not enter the code in time. Begin again", failure.message);
                return Err(
                    Failure { step: LoginStep::Authorization, message, ..failure }.because(Cause::TimedOut)
                );
            }
            Some("access_denied") => {
                return Err(Failure { step: LoginStep::Authorization, ..failure }.because(Cause::GivenUp));
            }
            None | Some("server_error" | "temporarily_unavailable") if failure.retryable() => {
                let longest = Duration::from_secs(*INTERVALS.end()).max(device.interval);
                device.interval = (device.interval * 2).min(longest);
            }
            _ => return self.code_refused(failure, now),
        }
        device.next = now.at + device.interval;
        run.deadline = device.until;
        self.phase = LoginPhase::Polling;
        Ok(())
    }
}

fn clamped(seconds: u64) -> u64 {
    seconds.clamp(*INTERVALS.start(), *INTERVALS.end())
}

/// Whether a code can be read from a screen, and changes nothing of the screen.
fn is_user_code(code: &str) -> bool {
    code.chars().count() <= USER_CODE_CHARS && !code.chars().any(is_hidden)
}

fn is_at_same_origin(url: &str, page: &str) -> bool {
    let origin = |url: &str| Address::parse(url).ok().map(|place| place.origin().clone());
    address::unsafe_page(url).is_none() && origin(url) == origin(page)
}
