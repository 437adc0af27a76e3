//! The person's part: the URL that a browser is to open, and the checks of what comes back (2026-07-28
//! `basic/authorization`, "Authorization Response Validation"; RFC 9207).

use super::super::failure::{Cause, Failure, LoginStep, shown};
use super::super::form::{Form, Query, Repeated};
use super::super::jose;
use super::super::metadata::Server;
use super::super::secret::Secret;
use super::super::settings::{GrantKind, Redirect};
use super::Authorizer;
use super::run::{Phase, internal};
use super::types::{Effect, Prompt, Timestamp};
use crate::protocol::page;

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
        let url = Secret::new(format!("{}{sign}{}", page::encoded(&endpoint.to_string()), form.text()));
        let listens = match &self.settings.grant {
            GrantKind::Interactive { redirect: Redirect { uri, listen } } => uri.is_none() || *listen,
            _ => false,
        };
        let deadline = self.allow_patience(now);
        self.phase = Phase::Prompting { state };
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
        let Phase::Prompting { state } = &self.phase else {
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
        self.phase = Phase::Idle;
        self.allow_limit(now);
        self.redeem(&code, now)
    }

    /// The person or the application does not want to go on.
    pub fn give_up(&mut self, why: &str, now: Timestamp) {
        let step = match self.phase {
            Phase::Prompting { .. } | Phase::Listening => LoginStep::Authorization,
            _ if self.asks_for_device() => LoginStep::Authorization,
            Phase::Asking(_) => LoginStep::Application,
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
fn check_issuer(query: &Query, server: &Server) -> Result<(), Failure> {
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
