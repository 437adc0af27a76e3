//! Authorization as a client uses it: `authenticator` does what the state machine of `auth` wants and lets requests through, `token_store`
//! keeps logins where the configuration says (`store`), `person` has credentials and answers brought, `answers` asks the
//! application for what it answers to one message (`asked`).

mod answers;
mod asked;
#[expect(clippy::module_inception, reason = "the type that the others are about")]
mod authenticator;
mod person;
mod store;
mod token_store;

pub(super) use authenticator::Pass;
pub(crate) use authenticator::{AuthConfig, Authenticator};
pub use store::Store;
