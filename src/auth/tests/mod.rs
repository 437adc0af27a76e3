//! Whole logins against servers played here: each row of the official suite's authorization scenarios, and what servers,
//! stores and people do that the suite leaves out.

mod consent;
mod credentials;
mod device;
mod discovery;
mod dpop;
mod field;
mod hostile;
mod inside;
mod leaving;
mod plaintext;
mod properties;
mod refresh;
mod scopes;
pub(crate) mod site;
mod store;
mod waiting;
mod world;
