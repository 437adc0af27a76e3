//! What tests play with: a source of all that is random, reports from the field, authorization servers in memory, signed tokens.
//! Other packages get it by the feature `testing`.
//!
//! * `dice`: everything random in a schedule, from its seed
//! * `field`: the tables of `tests/field`
//! * `signer`: `Signer`: tokens and proofs as others make them
//! * `site`: an MCP server, and authorization servers that check what they are sent

pub mod dice;
pub mod field;
#[cfg(all(feature = "auth", feature = "server"))]
pub mod signer;
#[cfg(feature = "auth")]
pub mod site;
