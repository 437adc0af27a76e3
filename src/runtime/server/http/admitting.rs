//! What a sender is told whose token does not have the scopes that its message needs. Whether it has them is asked by the engine, where
//! that has found what the message is about.

use super::endpoint::HttpEndpoint;
use crate::engine::server::Lacks;
use crate::transport::http_server::refusal::Refusal;

impl HttpEndpoint {
    /// The challenge that names all scopes that a message needs.
    pub(super) fn lacking(&self, needed: &Lacks) -> Refusal {
        match &self.settings.authorization {
            Some(authorization) => authorization.lacks(needed.scopes()),
            // Who needs no token is asked for no scope.
            None => Refusal::bad("the request needs scopes, and this URL takes no tokens"),
        }
    }
}
