//! Whole logins against servers played here: each row of the official suite's authorization scenarios, and what servers,
//! stores and people do that the suite leaves out.

mod consent;
mod credentials;
mod discovery;
mod field;
mod hostile;
mod properties;
mod refresh;
pub(crate) mod store;
mod world;
