//! What an application does for the authorization of its client: answers to AUTH messages.

use super::Client;
use crate::engine::{Error, Status};
#[cfg(feature = "auth")]
use std::sync::mpsc::RecvTimeoutError;
use std::time::Duration;

impl Client {
    /// The browser came back to the redirect URI that an AUTH message named: all of the URL, or its query.
    ///
    /// # Errors
    /// `AUTH` when the answer is not for a login under way, or a check failed; `UNSUPPORTED` without authorization.
    pub fn complete_login(&self, callback: &str) -> Result<(), Error> {
        #[cfg(feature = "auth")]
        if let Some(authenticator) = self.authenticator() {
            return authenticator
                .complete(callback)
                .map_err(|failure| crate::runtime::http::login_error(&failure, "auth_complete"));
        }
        let _ = callback;
        Err(without_auth("auth_complete"))
    }

    /// Gives the credential that an AUTH message asked for. `lasts` is how long it is good, if that is known.
    ///
    /// # Errors
    /// `AUTH` when nothing was asked for, `UNSUPPORTED` without authorization.
    pub fn give_credential(&self, text: &str, lasts: Option<Duration>) -> Result<(), Error> {
        #[cfg(feature = "auth")]
        if let Some(authenticator) = self.authenticator() {
            if authenticator.give(text, lasts) {
                return Ok(());
            }
            return Err(Error::new(
                Status::Auth,
                "auth_give",
                "no login waits for a credential of the application",
            ));
        }
        let _ = (text, lasts);
        Err(without_auth("auth_give"))
    }

    /// Answers a message of kind AUTH that wants something for itself: what a store of the application's keeps, that it was
    /// written, or a signature. `Err` says why not.
    ///
    /// # Errors
    /// `INVALID_ARGUMENT` if the message wants no such answer, `AUTH` when it is no longer waited for.
    pub fn answer_auth(
        &self,
        message: &super::Message,
        answer: Result<Option<&str>, &str>,
    ) -> Result<(), Error> {
        let invalid = |what: &str| Error::new(Status::InvalidArgument, "auth_answer", what);
        if message.client() != self.number() {
            return Err(invalid("the message belongs to another client"));
        }
        #[cfg(feature = "auth")]
        if let Some(authenticator) = self.authenticator() {
            let key = message.auth_key().ok_or_else(|| {
                invalid(
                    "only an AUTH message of the kind \"load\", \"save\" or \"sign\" is answered in this way",
                )
            })?;
            if authenticator.answer(key, answer.map_err(str::to_owned)) {
                return Ok(());
            }
            let what = "this answer is no longer waited for: it was given, or its time is over";
            return Err(Error::new(Status::Auth, "auth_answer", what));
        }
        let _ = answer;
        Err(without_auth("auth_answer"))
    }

    /// Forgets the login: what is kept of it, and its tokens at the authorization server.
    ///
    /// # Errors
    /// `AUTH` when it is not forgotten everywhere, `TIMEOUT` when that takes longer than `timeout` and goes on, `CLOSED` when the
    /// client is closed before the end, `UNSUPPORTED` without authorization.
    pub fn forget_login(&self, timeout: Option<Duration>) -> Result<(), Error> {
        #[cfg(feature = "auth")]
        if let Some(authenticator) = self.authenticator() {
            authenticator.belongs_to(std::sync::Arc::downgrade(&self.connection) as _);
            let told = authenticator.forget();
            // Also what is "public", and what is on its way: after a logout nothing of before is served.
            self.clear_cache();
            let told = match timeout {
                Some(timeout) => told.recv_timeout(timeout),
                None => told.recv().map_err(|_| RecvTimeoutError::Disconnected),
            };
            return match told {
                Ok(result) => {
                    result.map_err(|failure| crate::runtime::http::login_error(&failure, "auth_forget"))
                }
                Err(RecvTimeoutError::Disconnected) => Err(Error::new(
                    Status::Closed,
                    "auth_forget",
                    "the client was closed before the login was forgotten everywhere; log out before it is closed",
                )),
                Err(RecvTimeoutError::Timeout) => Err(Error::new(
                    Status::Timeout,
                    "auth_forget",
                    "the login is not forgotten everywhere yet; that goes on",
                )),
            };
        }
        let _ = timeout;
        Err(without_auth("auth_forget"))
    }

    /// The login that is under way will not be finished: what waits for it ends with `AUTH`.
    ///
    /// # Errors
    /// `UNSUPPORTED` without authorization.
    pub fn give_up_login(&self, why: &str) -> Result<(), Error> {
        #[cfg(feature = "auth")]
        if let Some(authenticator) = self.authenticator() {
            authenticator.give_up(why);
            return Ok(());
        }
        let _ = why;
        Err(without_auth("auth_give_up"))
    }

    #[cfg(feature = "auth")]
    fn authenticator(&self) -> Option<&crate::runtime::http::Authenticator> {
        self.connection.link.http()?.authenticator().map(|authenticator| &**authenticator)
    }
}

fn without_auth(operation: &str) -> Error {
    let what = "this client has no authorization to manage: give 'auth' together with 'url' in its config";
    Error::new(Status::Unsupported, operation, what)
}
