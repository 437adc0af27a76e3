//! Tokens and proofs as others make them, and those that must be refused.
//!
//! * `signers`: signs tokens with keys of every kind
//! * `tokens`: signed tokens
//! * `proofs`: proofs of possession

mod proofs;
pub(crate) mod signers;
mod tokens;
