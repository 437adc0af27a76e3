//! Authorization as the server of a resource sees it: which requests come with a token that is good here, and what is said to
//! those that do not (2026-07-28 `basic/authorization`; RFC 6750, RFC 9728, RFC 9068, RFC 7662, RFC 9449).
//!
//! Without I/O and without a clock, as the rest of `auth`: headers, documents and the time go in, verdicts and requests come out.
//!
//! * `bearer`: `Presented`: the token of a request
//! * `denial`: `Denial`: why a request is not served
//! * `challenge`: `Challenger`: what `WWW-Authenticate` says then
//! * `document`: the metadata of the resource, and where it is found
//! * `jwk`: `KeySet`: keys that check signatures
//! * `token`: `TokenRules`: signed tokens
//! * `principal`: `Principal`: who a token speaks for; `FixedToken`: tokens that a configuration names
//! * `key_cache`: `KeyCache`: when keys are fetched, and how long they are used
//! * `introspection`: `Introspection`: asks the authorization server about a token
//! * `decision`: what the application says of a token
//! * `remembered`: `Remembered`: verdicts that are kept for a time
//! * `proof`: `Proofs`: proofs of possession, each of which is good once

mod bearer;
mod challenge;
mod decision;
mod denial;
mod document;
mod introspection;
mod jwk;
mod key_cache;
mod principal;
mod proof;
mod remembered;
#[cfg(test)]
pub(crate) mod tests;
mod token;

pub use bearer::{Presented, presented};
pub use challenge::{Challenger, DpopUse};
pub use decision::decided;
pub use denial::Denial;
pub use document::{ResourceDocument, document_paths, document_url};
pub use introspection::Introspection;
pub use jwk::{Algorithm, KeySet};
pub use key_cache::{KeyCache, KeyTimes, Keys};
pub use principal::{FixedToken, Implied, Principal, known};
pub use proof::{ProofOf, Proofs};
pub use remembered::{Remembered, TokenHash};
pub use token::{Checked, TokenRules};
