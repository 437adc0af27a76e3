//! Logout. The login is deleted from the store first, so that it is gone here whatever happens; then its tokens are revoked
//! (RFC 7009).

use super::Authorizer;
use super::login::ExpiredLogin;
use super::login_run::{
    Challenge, Effect, FormPurpose, LoginPhase, LoginReason, LoginRun, NextStep, PendingRevocation,
    StoreCommand, Timestamp,
};
use super::metadata::ServerMetadata;
use super::settings::{GrantKind, Source};
use crate::auth::failure::{Cause, Failure, LoginStep, shown};
use crate::auth::http::Form;
use std::collections::VecDeque;

impl Authorizer {
    /// Forgets the login there is. A login under way is given up, but for tokens that are on their way: they are waited for, since
    /// no other client could revoke them. Ends with [`Effect::Forgotten`].
    pub fn forget(&mut self, now: Timestamp) {
        if matches!(self.phase, LoginPhase::Loading) || self.brings_tokens() {
            self.forget_then = true;
            return;
        }
        if self.run.as_ref().is_some_and(|run| run.why == LoginReason::Logout) {
            // Its end is the end of this.
            return;
        }
        if self.run.is_some() {
            let why = "the application logged out";
            self.fail(Failure::new(LoginStep::Application, "given up", why).because(Cause::GivenUp), now);
        }
        self.run =
            Some(LoginRun::new(LoginReason::Logout, Challenge::default(), now.at + self.settings.limit));
        match &self.settings.grant {
            GrantKind::Bearer { token: Source::Text(_) } => self.fail(
                Failure::new(
                    LoginStep::Settings,
                    "token",
                    "the token stands in the configuration ('auth.token'); only the application can log out there",
                ),
                now,
            ),
            // The application that gave it revokes it.
            GrantKind::Bearer { .. } => self.left(Ok(())),
            _ => self.lock(NextStep::Forget, now),
        }
    }

    /// Whether the authorization server may have given us a token that is not written down yet.
    fn brings_tokens(&self) -> bool {
        match &self.phase {
            LoginPhase::Posting(post) => matches!(
                post.purpose,
                FormPurpose::Code
                    | FormPurpose::DeviceToken
                    | FormPurpose::Refresh
                    | FormPurpose::ClientCredentials
                    | FormPurpose::Assertion
            ),
            // What is being written goes first.
            LoginPhase::Saving(_)
            | LoginPhase::Noting(_)
            | LoginPhase::Locking(NextStep::Save(_) | NextStep::Note(_)) => true,
            _ => false,
        }
    }

    /// Forgets the login, if that waits for what just ended.
    pub(super) fn forget_if_asked(&mut self, now: Timestamp) {
        if std::mem::take(&mut self.forget_then) {
            self.forget(now);
        }
    }

    /// The lock is ours, and what is kept was read.
    pub(super) fn forget_kept(&mut self) -> Result<(), Failure> {
        // Another process may have a newer one than we, and we may have one that is not kept.
        let mut due = VecDeque::new();
        for login in self.record.all().chain(&self.login) {
            for past in login.past().into_iter().chain(login.before.iter().cloned()) {
                if !due.iter().any(|other: &PendingRevocation| other.past.token == past.token) {
                    due.push_back(PendingRevocation {
                        issuer: login.issuer.clone(),
                        inside: login.inside,
                        past,
                    });
                }
            }
        }
        self.run()?.due = due;
        self.record.forget_tokens();
        self.effects.push_back(Effect::Store(StoreCommand::Save(self.record.write())));
        // The lock goes with it.
        self.locked = false;
        self.phase = LoginPhase::Forgetting;
        Ok(())
    }

    /// Goes on with what is still to be revoked, or ends.
    pub(super) fn revoke_next(&mut self, now: Timestamp) -> Result<(), Failure> {
        self.phase = LoginPhase::Idle;
        let run = self.run()?;
        let Some(due) = run.due.front() else {
            let result = run.unrevoked.take().map_or(Ok(()), Err);
            self.left(result);
            return Ok(());
        };
        if let Some(server) = run.server.clone().filter(|server| server.issuer == due.issuer) {
            return self.revoke(&server, now);
        }
        let (issuer, inside) = (due.issuer.clone(), due.inside);
        (run.server, run.first_failure) = (None, None);
        run.issuers.clear();
        self.policy.goes_on(inside);
        self.find_server_of(issuer, now)
    }

    /// The store cannot be written: the login stays what it is.
    pub(super) fn still_kept(&mut self, failure: Failure) -> Result<(), Failure> {
        self.run()?.due.clear();
        Err(failure)
    }

    /// Something went wrong: what can still be revoked is, and what cannot is told in the end.
    pub(super) fn leave_goes_on(&mut self, mut failure: Failure, now: Timestamp) {
        while self.run.as_ref().is_some_and(|run| !run.due.is_empty()) {
            match self.not_revoked(failure, now) {
                Ok(()) => return,
                Err(next) => failure = next,
            }
        }
        self.left(Err(failure));
    }

    /// One could not be revoked. The others may be.
    fn not_revoked(&mut self, failure: Failure, now: Timestamp) -> Result<(), Failure> {
        let in_time = self.run.as_ref().is_some_and(|run| now.at < run.deadline);
        let run = self.run()?;
        // It was there.
        let _not_done = run.due.pop_front();
        run.unrevoked.get_or_insert(failure);
        if !in_time {
            run.due.clear();
        }
        self.revoke_next(now)
    }

    /// The authorization server is known.
    pub(super) fn revoke(&mut self, server: &ServerMetadata, now: Timestamp) -> Result<(), Failure> {
        let run = self.run()?;
        let Some(PendingRevocation { past, .. }) = run.due.front() else { return self.revoke_next(now) };
        let ExpiredLogin { token, refreshes, client } = past.clone();
        let Some(url) = server.revocation.clone() else { return self.revoked(now) };
        // Who writes the document decides where that is, but a token goes to no other place than the one that gave it.
        if url.origin().to_string() != server.issuer.tokens_at {
            let message = format!(
                "the metadata of '{}' names the 'revocation_endpoint' at {}, and the token is from a token endpoint at {}, so \
                 that it is not sent there",
                shown(&server.issuer.name),
                url.origin(),
                shown(&server.issuer.tokens_at)
            );
            return Err(Failure::new(LoginStep::Revocation, "revocation_endpoint", message)
                .values(&server.issuer.tokens_at, &url.origin().to_string()));
        }
        let client = self.client_of(server, client)?;
        let run = self.run()?;
        (run.client, run.proved_otherwise) = (Some(client), 0);
        let hint = if refreshes { "refresh_token" } else { "access_token" };
        let form = Form::default().with("token", token.expose()).with("token_type_hint", hint);
        self.post(FormPurpose::Revoke, url, form, now)
    }

    /// One is.
    pub(super) fn revoked(&mut self, now: Timestamp) -> Result<(), Failure> {
        // It was there.
        let _done = self.run()?.due.pop_front();
        self.revoke_next(now)
    }

    /// Ends it, one way or the other.
    pub(super) fn left(&mut self, result: Result<(), Failure>) {
        self.unlock();
        // Only what stands in the configuration cannot be forgotten.
        let kept = matches!(self.settings.grant, GrantKind::Bearer { token: Source::Text(_) });
        if !kept {
            self.logouts += 1;
            self.login = None;
            self.record.forget_tokens();
        }
        (self.held, self.ended) = (None, None);
        self.unproven = 0;
        self.step_ups.clear();
        self.phase = LoginPhase::Idle;
        self.run = None;
        self.effects.push_back(Effect::Forgotten(if kept { result } else { result.map_err(untold) }));
        self.effects.push_back(Effect::Ready);
    }
}

/// What failed after the login was forgotten here.
fn untold(mut failure: Failure) -> Failure {
    const TOLD: &str =
        "; the login is forgotten here, but its tokens were not revoked at the authorization server";
    if failure.step != LoginStep::Store && !failure.message.ends_with(TOLD) {
        failure.message.push_str(TOLD);
    }
    failure
}
