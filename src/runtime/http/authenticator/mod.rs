//! Authorization as a client uses it.
//!
//! The files:
//!
//! * `authenticator`: `Authenticator`: does what the state machine of `src/auth` wants, and lets requests through
//! * `login_state`: `LoginState`: how a login stands, for the requests that wait for it
//! * `person`: credentials and answers of a person
//! * `store`: `TokenStoreBackend`: memory, files or the application, as configured
//! * `token_store`: keeps logins there
//! * `asked`: `Answers`: what the application was asked in a message and has not answered
//! * `answers`: asks it, and takes the answers

mod answers;
mod asked;
#[expect(clippy::module_inception, reason = "the type that the others are about")]
mod authenticator;
mod login_state;
mod person;
mod store;
mod token_store;

pub(super) use authenticator::Pass;
pub(crate) use authenticator::{AuthConfig, Authenticator};
pub use store::Store;
