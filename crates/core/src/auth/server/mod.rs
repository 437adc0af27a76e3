//! Authorization of the requests to a server: which have a valid token, and the challenge that the others get
//! (2026-07-28 `basic/authorization`; RFC 6750, RFC 9728, RFC 9068, RFC 7662, RFC 9449).
//!
//! Headers, documents and the time go in; principals and requests come out.
//!
//! * `bearer`: `Presented`: the token of a request; `Denial`: why a request is refused; `Challenger`: its `WWW-Authenticate`
//! * `metadata`: the metadata of the resource (RFC 9728), and where it is published
//! * `keys`: `KeySet`: keys that check signatures (RFC 7517); `KeyCache`: when they are fetched, and how long they are used
//! * `verification`: `TokenRules`: signed tokens; `Introspection`: tokens that the authorization server is asked about; `Remembered`:
//!   verdicts that are cached
//! * `principal`: `Principal`: who a token speaks for, as its claims or the application say; `FixedToken`: tokens that a
//!   configuration names
//! * `dpop`: `Proofs`: proofs of possession, each of which is accepted once

mod bearer;
mod dpop;
mod keys;
mod metadata;
mod principal;
#[cfg(test)]
pub(crate) mod tests;
mod verification;

pub use bearer::{Challenger, Denial, DpopUse, Presented, presented};
pub use dpop::{ProofOf, Proofs, Proven};
pub use keys::{Algorithm, KeyCache, KeySet, KeyTimes, Keys};
pub use metadata::{ResourceDocument, document_paths, document_url};
pub use principal::{FixedToken, Implied, Principal, decided, known};
pub use verification::{Checked, Introspection, Remembered, TokenHash, TokenRules};
