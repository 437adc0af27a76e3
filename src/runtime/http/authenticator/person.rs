//! What a person or the application brings to a login: the answer of a browser, or a credential.

use super::authenticator::{Authenticator, no_thread, now};
use crate::auth::{Ask, Failure, Given, Listen, Prompt, Secret, Wanted};
use crate::runtime::http::credential;
use crate::runtime::{clock, lock};
use crate::transport::loopback::{Loopback, Page};
use crate::transport::poller::Wake;
use rustix::fd::AsFd;
use serde_json::json;
use std::sync::Arc;
use std::time::{Duration, Instant};

impl Authenticator {
    /// Listens for the browser, on a thread of its own: the person takes their time.
    pub(super) fn listen(&self, listen: Listen) {
        let Some(authenticator) = self.this.upgrade() else { return };
        let stop = match Wake::new() {
            Ok(stop) => Arc::new(stop),
            Err(errno) => {
                let why = format!("no descriptor is left ({errno})");
                return self.later(move |authorizer| authorizer.listening(Err(why), now()));
            }
        };
        if let Some(before) = lock(&self.stop).replace(Arc::clone(&stop)) {
            before.set();
        }
        let patience = Duration::from_secs(24 * 60 * 60);
        let Some(runtime) = self.runtime.upgrade() else { return };
        let Ok(permit) = Arc::clone(&runtime.listeners).try_acquire_owned() else {
            let why = "too many logins wait for their browsers already".to_owned();
            return self.later(move |authorizer| authorizer.listening(Err(why), now()));
        };
        let begun = runtime.help(move || {
            let _until_the_end = permit;
            let bound = Loopback::bind(&listen);
            let port = bound.as_ref().map(Loopback::port).map_err(ToString::to_string);
            authenticator.ask(|authorizer| authorizer.listening(port, now()));
            let Ok(bound) = bound else { return };
            // The state machine ends the wait, by withdrawing.
            let until = Instant::now() + patience;
            let weak = Arc::downgrade(&authenticator);
            drop(authenticator);
            let served = bound.serve(until, stop.fd().as_fd(), |target| {
                let Some(authenticator) = weak.upgrade() else { return Page::Failed };
                match authenticator.complete(target) {
                    Ok(()) => Page::Taken,
                    Err(_) if authenticator.is_logging_in() => Page::Stray,
                    Err(_) => Page::Failed,
                }
            });
            if let (Err(error), Some(authenticator)) = (served, weak.upgrade()) {
                authenticator.give_up(&format!("the library cannot listen for the browser: {error}"));
            }
        });
        if let Err(error) = begun {
            let why = no_thread(&error);
            self.later(move |authorizer| authorizer.listening(Err(why), now()));
        }
    }

    /// Whether a login is under way.
    pub(crate) fn is_logging_in(&self) -> bool {
        lock(&self.authorizer).deadline().is_some()
    }

    pub(crate) fn stop_listening(&self) {
        if let Some(stop) = lock(&self.stop).take() {
            stop.set();
        }
    }

    pub(super) fn prompt(&self, prompt: &Prompt) {
        let mut message = json!({
            "kind": "authorize",
            "url": prompt.url.expose(),
            "listens": prompt.listens,
            "issuer": prompt.issuer,
            "scopes": prompt.scopes,
            "expires_in_ms": millis_until(prompt.deadline),
        });
        match &prompt.device {
            None => message["redirect_uri"] = prompt.redirect_uri.as_str().into(),
            Some(device) => {
                message["user_code"] = device.user_code.expose().into();
                message["verification_uri"] = device.verification_uri.as_str().into();
            }
        }
        self.emit(&message);
    }

    /// A credential is wanted, from a file or from the application.
    pub(super) fn want(&self, ask: &Ask) {
        let Some(path) = ask.file.clone() else {
            let kind = match ask.wanted {
                Wanted::Token => "token",
                Wanted::WorkloadAssertion => "assertion",
                Wanted::Subject => "subject",
            };
            return self.emit(&json!({"kind": kind, "audience": ask.audience, "refused": ask.refused}));
        };
        let name = path.clone();
        self.wait_elsewhere(
            move |authenticator| match credential::read(&path) {
                Ok(text) => {
                    authenticator.ask(|authorizer| authorizer.given(&Given { text, lasts: None }, now()));
                }
                Err(why) => authenticator.give_up(&format!("the file '{path}' cannot be used: {why}")),
            },
            move |authenticator, why| {
                authenticator.give_up(&format!("the file '{name}' cannot be read: {why}"));
            },
        );
    }

    /// The browser came back.
    pub(crate) fn complete(&self, callback: &str) -> Result<(), Failure> {
        self.ask(|authorizer| authorizer.complete(callback, now()))
    }

    /// The application gives the credential that it was asked for. Says whether anybody waits for one.
    pub(crate) fn give(&self, text: &str, lasts: Option<Duration>) -> bool {
        self.ask(|authorizer| authorizer.given(&Given { text: Secret::new(text), lasts }, now()))
    }

    /// The application, or the person, will not go on.
    pub(crate) fn give_up(&self, why: &str) {
        self.ask(|authorizer| authorizer.give_up(why, now()));
    }
}

fn millis_until(deadline: Instant) -> u64 {
    u64::try_from(deadline.saturating_duration_since(clock::now()).as_millis()).unwrap_or(u64::MAX)
}
