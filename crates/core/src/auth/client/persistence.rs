//! What is kept between logins, and who may change it: of all processes that share a refresh token, one uses it at a time.

use super::Authorizer;
use super::login::{Login, LoginRecord};
use super::login_run::{
    Challenge, Effect, LoginPhase, LoginReason, NextStep, RegistrationNote, StoreCommand, Timestamp, internal,
};
use super::metadata::Issuer;
use super::settings::GrantKind;
use super::store::StoreFault;
use crate::auth::failure::{Cause, Failure, LoginStep, shown};
use crate::auth::token::Secret;
use std::time::Duration;

/// The least time between two looks for what another process has kept, where the first found nothing.
const LOOK_AGAIN: Duration = Duration::from_secs(1);

fn failed(check: &'static str, fault: &StoreFault) -> Failure {
    let what = match check {
        "load" => "the logins that were kept cannot be read",
        "lock" => {
            "the kept logins cannot be changed now, so that the refresh token is not used: the one that comes for it \
                   would be lost, or another process use the same"
        }
        "register" => {
            "the client that was registered works but cannot be kept, so that the next login may register another one"
        }
        "forget" => "the login is still kept, because it cannot be taken out of the store",
        _ => "the login works but cannot be kept, so that it is lost when this client ends",
    };
    Failure::new(LoginStep::Store, check, format!("{what}: {}", shown(&fault.to_string())))
        .because(Cause::Unreachable)
}

impl Authorizer {
    pub(super) fn load(&mut self, now: Timestamp) {
        self.phase = LoginPhase::Loading;
        self.load_by = Some(now.at + self.store_time());
        self.looked = Some(now.at);
        self.effects.push_back(Effect::Store(StoreCommand::Load));
    }

    /// Whether another process may have kept a login since the store was read. An application that has a store of its own is not asked
    /// again: that may need a person.
    pub(super) fn may_look(&self, now: Timestamp) -> bool {
        let is_due = self.looked.is_none_or(|looked| now.at >= looked + LOOK_AGAIN);
        is_due
            && !self.settings.asks_for_store
            && matches!(self.settings.grant, GrantKind::Interactive { .. })
    }

    /// Begins a login for which a person is asked, unless another process has kept one that is newer than ours.
    pub(super) fn look_and_begin(&mut self, why: LoginReason, said: Challenge, now: Timestamp) {
        if self.may_look(now) {
            self.then = Some((why, said));
            self.load(now);
        } else {
            self.begin(why, said, now);
        }
    }

    /// How long the store may take for one answer. An application may have to ask a person before it can read or write.
    pub(super) fn store_time(&self) -> Duration {
        if self.settings.asks_for_store { self.settings.patience } else { self.settings.limit }
    }

    /// The application's store is next, in the application's time.
    fn allow_store(&mut self, now: Timestamp) {
        if self.settings.asks_for_store {
            self.allow_patience(now);
        }
    }

    /// The application's store has answered: the servers are next.
    fn end_store_time(&mut self, now: Timestamp) {
        if self.settings.asks_for_store {
            self.allow_limit(now);
        }
    }

    pub(super) fn lock(&mut self, then: NextStep, now: Timestamp) {
        self.allow_store(now);
        self.phase = LoginPhase::Locking(then);
        self.effects.push_back(Effect::Store(StoreCommand::Lock));
    }

    pub(super) fn unlock(&mut self) {
        if std::mem::take(&mut self.locked) {
            self.effects.push_back(Effect::Store(StoreCommand::Unlock));
        }
    }

    /// Keeps a login, and then uses it: what is not written down may be the only refresh token there is.
    pub(super) fn keep(&mut self, login: Login, now: Timestamp) {
        self.allow_limit(now);
        if self.locked {
            self.save(login, now);
        } else {
            self.lock(NextStep::Save(Box::new(login)), now);
        }
    }

    fn save(&mut self, login: Login, now: Timestamp) {
        self.allow_store(now);
        self.record.put_new(login.clone());
        self.effects.push_back(Effect::Store(StoreCommand::Save(self.record.write())));
        // The lock goes with it: to release it once more could end another login's.
        self.locked = false;
        self.phase = LoginPhase::Saving(Box::new(login));
    }

    /// Writes down what became of the registration that this login uses, and goes on.
    pub(super) fn note(&mut self, noted: RegistrationNote, now: Timestamp) {
        self.lock(NextStep::Note(noted), now);
    }

    /// What was known of registrations when the store was read.
    fn renote(&mut self, noted: &RegistrationNote) -> Result<(), Failure> {
        let issuer = self.found_server()?.issuer;
        match noted {
            RegistrationNote::Begins => {
                let client = self.run()?.client.clone().ok_or_else(|| internal("no client was chosen"))?;
                self.record.begins(&issuer, &client);
            }
            RegistrationNote::Forgotten(_) => self.record.forget_client(&issuer),
        }
        Ok(())
    }

    fn noted(&mut self, noted: RegistrationNote, now: Timestamp) -> Result<(), Failure> {
        match noted {
            RegistrationNote::Begins => self.ask_person(now),
            RegistrationNote::Forgotten(failure) => Err(failure),
        }
    }

    /// The store was read: by [`StoreCommand::Lock`] if `with_lock`, else by [`StoreCommand::Load`]. Gives whether that was
    /// waited for; a lock that is not awaited any more is to be released. An answer to the one is never taken for an answer
    /// to the other, however late it comes.
    pub fn stored(
        &mut self,
        with_lock: bool,
        content: Result<Option<Secret>, StoreFault>,
        now: Timestamp,
    ) -> bool {
        match std::mem::replace(&mut self.phase, LoginPhase::Idle) {
            LoginPhase::Loading if !with_lock => {
                self.loaded(content, now);
                self.forget_if_asked(now);
                true
            }
            LoginPhase::Locking(then) if with_lock => {
                self.end_store_time(now);
                let result = self.got_lock(then, content, now);
                self.settle(result, now);
                self.forget_if_asked(now);
                true
            }
            other => {
                self.phase = other;
                false
            }
        }
    }

    fn loaded(&mut self, content: Result<Option<Secret>, StoreFault>, now: Timestamp) {
        match content {
            Ok(text) => {
                let then = self.then.take();
                self.read(text.as_ref());
                let kept = self.record.all().find(|login| self.may_use(login)).cloned();
                if self.is_newer(kept.as_ref()) {
                    self.login = kept;
                    if self.login.as_ref().is_some_and(|login| login.tokens.is_some()) {
                        self.generation += 1;
                    }
                    // What failed, failed with another login.
                    (self.held, self.ended) = (None, None);
                    self.step_ups.clear();
                } else {
                    // Without tokens it may still be known to the authorization server.
                    self.login = self.login.take().or(kept);
                    if let Some((why, said)) = then {
                        return self.begin(why, said, now);
                    }
                }
                self.effects.push_back(Effect::Ready);
            }
            Err(fault) if self.login.is_some() => {
                self.effects.push_back(Effect::Warning(failed("load", &fault)));
                match self.then.take() {
                    Some((why, said)) => self.begin(why, said, now),
                    None => self.effects.push_back(Effect::Ready),
                }
            }
            Err(fault) => {
                self.then = None;
                self.fail(failed("load", &fault), now);
                // It may be there the next time.
                self.phase = LoginPhase::New;
            }
        }
    }

    /// Whether a login that is kept is another one than ours, and was not made before it.
    fn is_newer(&self, kept: Option<&Login>) -> bool {
        let ours = self.login.as_ref().and_then(|login| login.tokens.as_ref());
        match (ours, kept.and_then(|kept| kept.tokens.as_ref())) {
            (Some(ours), Some(theirs)) => ours.access != theirs.access && ours.obtained <= theirs.obtained,
            // Not the one that is just found to be worth nothing.
            (None, theirs) => theirs.is_some_and(|theirs| self.spent.as_ref() != Some(&theirs.access)),
            (Some(_), None) => false,
        }
    }

    /// Whether a login that is kept fits the configuration by now: one at another authorization server than the configured one does
    /// not, nor one of the fallback where that is off.
    fn may_use(&self, login: &Login) -> bool {
        let Issuer { name, fallback, .. } = &login.issuer;
        let wanted = self.settings.identity.issuer.as_ref();
        wanted.is_none_or(|wanted| wanted == name)
            && (self.settings.legacy || !fallback)
            && self.check_credentials(name, *fallback).is_ok()
    }

    fn read(&mut self, text: Option<&Secret>) {
        let Some(text) = text else { return };
        match LoginRecord::read(text.expose()) {
            Some(mut record) => {
                record.keep_usable(self.settings.dpop_key.as_ref());
                self.record = record;
            }
            None => self.effects.push_back(Effect::Warning(Failure::new(
                LoginStep::Store,
                "form",
                "what is kept for this server is in no known form, and will be replaced by the next login",
            ))),
        }
    }

    fn got_lock(
        &mut self,
        then: NextStep,
        content: Result<Option<Secret>, StoreFault>,
        now: Timestamp,
    ) -> Result<(), Failure> {
        match (then, content) {
            (NextStep::Refresh, Err(fault)) => Err(failed("lock", &fault)),
            (NextStep::Forget, Err(fault)) => Err(failed("forget", &fault)),
            (NextStep::Note(noted), Err(fault)) => {
                self.effects.push_back(Effect::Warning(failed("register", &fault)));
                self.renote(&noted)?;
                self.noted(noted, now)
            }
            (NextStep::Note(noted), Ok(text)) => {
                self.locked = true;
                self.read(text.as_ref());
                self.renote(&noted)?;
                self.allow_store(now);
                self.effects.push_back(Effect::Store(StoreCommand::Save(self.record.write())));
                // The lock goes with it.
                self.locked = false;
                self.phase = LoginPhase::Noting(noted);
                Ok(())
            }
            (NextStep::Forget, Ok(text)) => {
                self.locked = true;
                self.read(text.as_ref());
                self.allow_store(now);
                self.forget_kept()
            }
            (NextStep::Save(login), Err(fault)) => {
                self.effects.push_back(Effect::Warning(failed("save", &fault)));
                self.record.put_new((*login).clone());
                self.succeed(*login);
                Ok(())
            }
            (NextStep::Save(login), Ok(text)) => {
                self.locked = true;
                self.read(text.as_ref());
                self.save(*login, now);
                Ok(())
            }
            (NextStep::Refresh, Ok(text)) => {
                self.locked = true;
                self.read(text.as_ref());
                self.refresh_or_adopt(now)
            }
        }
    }

    /// Another process may have been first: then there is a newer token, or a newer refresh token.
    fn refresh_or_adopt(&mut self, now: Timestamp) -> Result<(), Failure> {
        if let Some(own) = &self.login
            && let Some(kept) = self.record.find(&own.issuer, &own.resource)
            && let Some(theirs) = &kept.tokens
        {
            let ours = own.tokens.as_ref();
            let other = ours.is_none_or(|ours| ours.access != theirs.access);
            let newer = ours.is_none_or(|ours| ours.obtained <= theirs.obtained);
            let kept = kept.clone();
            if other && newer && !theirs.is_over(now.unix) {
                self.succeed(kept);
                return Ok(());
            }
            if other && newer && theirs.refresh.is_some() {
                self.login = Some(kept);
            }
        }
        let has_refresh = self
            .login
            .as_ref()
            .and_then(|login| login.tokens.as_ref())
            .is_some_and(|it| it.refresh.is_some());
        if has_refresh {
            return self.refresh(now);
        }
        self.end();
        Ok(())
    }

    /// The login was written down, which also released the lock; or not.
    pub fn saved(&mut self, result: Result<(), StoreFault>, now: Timestamp) {
        match std::mem::replace(&mut self.phase, LoginPhase::Idle) {
            LoginPhase::Saving(login) => {
                if let Err(fault) = result {
                    self.effects.push_back(Effect::Warning(failed("save", &fault)));
                }
                self.succeed(*login);
            }
            LoginPhase::Noting(noted) => {
                self.end_store_time(now);
                if let Err(fault) = result {
                    self.effects.push_back(Effect::Warning(failed("register", &fault)));
                }
                let result = self.noted(noted, now);
                self.settle(result, now);
            }
            LoginPhase::Forgetting => {
                self.end_store_time(now);
                let result = match result {
                    Ok(()) => self.revoke_next(now),
                    Err(fault) => self.still_kept(failed("forget", &fault)),
                };
                self.settle(result, now);
            }
            other => self.phase = other,
        }
        self.forget_if_asked(now);
    }
}
