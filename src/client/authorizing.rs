//! What an application does for the authorization of its client: answers to AUTH messages.

use super::Client;
use crate::engine::{Error, Status};
use std::time::Duration;

impl Client {
    /// The browser came back to the redirect URI that an AUTH message named: all of the URL, or its query.
    ///
    /// # Errors
    /// `AUTH` when the answer is not for a login under way, or a check failed; `UNSUPPORTED` without authorization.
    pub fn complete_login(&self, callback: &str) -> Result<(), Error> {
        #[cfg(feature = "auth")]
        if let Some(gate) = self.gate() {
            return gate
                .complete(callback)
                .map_err(|failure| super::http::login_error(&failure, "auth_complete"));
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
        if let Some(gate) = self.gate() {
            if gate.give(text, lasts) {
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

    /// The login that is under way will not be finished: what waits for it ends with `AUTH`.
    ///
    /// # Errors
    /// `UNSUPPORTED` without authorization.
    pub fn give_up_login(&self, why: &str) -> Result<(), Error> {
        #[cfg(feature = "auth")]
        if let Some(gate) = self.gate() {
            gate.give_up(why);
            return Ok(());
        }
        let _ = why;
        Err(without_auth("auth_give_up"))
    }

    #[cfg(feature = "auth")]
    fn gate(&self) -> Option<&super::http::Gate> {
        self.connection.http()?.gate.as_deref()
    }
}

fn without_auth(operation: &str) -> Error {
    let what = "this client has no authorization to manage: give 'auth' together with 'url' in its config";
    Error::new(Status::Unsupported, operation, what)
}
