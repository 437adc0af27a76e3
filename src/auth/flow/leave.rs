//! Forgetting a login: what is kept of it goes first, so that it is gone here whatever happens; then the authorization server is
//! told (RFC 7009).

use super::super::client::Source as ClientSource;
use super::super::failure::{Cause, Failure, Step};
use super::super::form::Form;
use super::super::metadata::Server;
use super::super::settings::{Source, Way};
use super::Authorizer;
use super::run::{Phase, Purpose, Run, Said, Then, Why};
use super::types::{Effect, Moment, StoreCommand};
use crate::auth::login::Login;

impl Authorizer {
    /// Forgets the login there is. A login under way is given up. Ends with [`Effect::Forgotten`].
    pub fn forget(&mut self, now: Moment) {
        if matches!(self.phase, Phase::Loading) {
            self.forget_then = true;
            return;
        }
        if self.run.is_some() {
            let why = "the application logged out";
            self.fail(Failure::new(Step::Application, "given up", why).because(Cause::GivenUp), now);
        }
        self.run = Some(Run::new(Why::Logout, Said::default(), now.at + self.settings.limit));
        match &self.settings.way {
            Way::Bearer { token: Source::Text(_) } => self.fail(
                Failure::new(
                    Step::Settings,
                    "token",
                    "the token stands in the configuration ('auth.token'); nobody can log out there but the application",
                ),
                now,
            ),
            // Whoever gave it revokes it.
            Way::Bearer { .. } => self.left(Ok(())),
            _ => self.lock(Then::Forget),
        }
    }

    /// The lock is ours, and what is kept was read.
    pub(super) fn forget_kept(&mut self) {
        // Another process may have a newer one.
        self.login = self.record.newest().cloned().or(self.login.take());
        self.record.forget_tokens();
        self.effects.push_back(Effect::Store(StoreCommand::Save(self.record.write())));
        // The lock goes with it.
        self.locked = false;
        self.phase = Phase::Forgetting;
    }

    pub(super) fn revoke_what_was_kept(&mut self, now: Moment) -> Result<(), Failure> {
        if self.login.as_ref().is_none_or(|login| login.tokens.is_none()) {
            self.left(Ok(()));
            return Ok(());
        }
        self.find_own_server(now).map_err(untold)
    }

    /// The authorization server is known. A refresh token takes the tokens that came of it along (RFC 7009, section 2.1).
    pub(super) fn revoke(&mut self, server: &Server, now: Moment) -> Result<(), Failure> {
        let (Some(url), Some(login)) = (server.revocation.clone(), self.login.clone()) else {
            self.left(Ok(()));
            return Ok(());
        };
        let Login { client, tokens: Some(tokens), .. } = login else {
            self.left(Ok(()));
            return Ok(());
        };
        let client = match client.source {
            ClientSource::Configured => self.configured_client(server)?.unwrap_or(client),
            ClientSource::Document | ClientSource::Registered => client,
        };
        self.run()?.client = Some(client);
        let (token, hint) = match &tokens.refresh {
            Some(refresh) => (refresh, "refresh_token"),
            None => (&tokens.access, "access_token"),
        };
        let form = Form::default().with("token", token.expose()).with("token_type_hint", hint);
        self.post(Purpose::Revoke, url, form, now)
    }

    /// Ends it, one way or the other.
    pub(super) fn left(&mut self, result: Result<(), Failure>) {
        self.unlock();
        let kept = matches!(&result, Err(failure) if failure.step == Step::Settings);
        if !kept {
            self.login = None;
            self.record.forget_tokens();
        }
        self.held = None;
        self.unproven = 0;
        self.step_ups.clear();
        self.phase = Phase::Idle;
        self.run = None;
        self.effects.push_back(Effect::Forgotten(result.map_err(untold)));
        self.effects.push_back(Effect::Ready { generation: self.generation });
    }
}

/// What failed after the login was forgotten here.
fn untold(mut failure: Failure) -> Failure {
    const TOLD: &str =
        "; the login is forgotten here, but its tokens were not revoked at the authorization server";
    if !matches!(failure.step, Step::Settings | Step::Store) && !failure.message.ends_with(TOLD) {
        failure.message.push_str(TOLD);
    }
    failure
}
