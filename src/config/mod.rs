//! Configuration objects: what both sides of the protocol need to read one. A definition (`settings!`) names each key once, with its
//! type, bounds, default and documentation; reading, error messages and the pages of `docs` come from it.
//!
//! Layer 4: it knows JSON and the error type. Which keys there are is known by the side that defines them.
//!
//! The files:
//!
//! * `define`: `settings!` and the traits `Definition` and `Kind`
//! * `kinds`: the kinds of values: numbers with bounds, times, words, lists, objects, revisions. A new kind of value is a type here
//! * `fields`: `Fields`: typed access to the members of one object; unknown, duplicate and misspelled keys
//! * `documented`: for tests: docs/reference/configuration.json from definitions

pub(crate) mod define;
#[cfg(test)]
#[cfg_attr(
    not(feature = "auth"),
    allow(dead_code, reason = "the pages are compared in builds with every key")
)]
pub(crate) mod documented;
pub(crate) mod fields;
pub(crate) mod kinds;
