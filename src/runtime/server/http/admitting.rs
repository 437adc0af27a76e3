//! Whether the sender of a message may send it.

use super::caller::Caller;
use super::endpoint::Endpoint;
use crate::transport::http_server::refusal::Refusal;

impl Endpoint {
    /// Whether the sender of a message may send it.
    ///
    /// # Errors
    /// The challenge that names all scopes that it needs.
    pub(super) fn may_ask(&self, caller: &Caller, name: &str, params: Option<&str>) -> Result<(), Refusal> {
        self.may_ask_all(caller, std::iter::once((name, params)))
    }

    /// The same for several messages, which are refused together: a client is asked once for what they need.
    pub(super) fn may_ask_all<'a>(
        &self,
        caller: &Caller,
        messages: impl Iterator<Item = (&'a str, Option<&'a str>)>,
    ) -> Result<(), Refusal> {
        let (Some(authorization), Some(principal)) = (&self.settings.authorization, &caller.principal) else {
            return Ok(());
        };
        let serving = self.serving()?;
        let mut needed = Vec::new();
        for (name, params) in messages {
            needed.extend(serving.needed_scopes(name, params));
        }
        let has_all = needed.iter().all(|scope| principal.scopes.iter().any(|own| **own == **scope));
        if has_all { Ok(()) } else { Err(authorization.lacks(&needed)) }
    }
}
