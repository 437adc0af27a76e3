//! Configuration objects: what both sides of the protocol need to read one. A definition (`settings!`) names each key once, with its
//! type, bounds, default and documentation; reading, error messages and the pages of `docs` come from it.
//!
//! Layer 4: it knows JSON and the error type. Which keys there are is known by the side that defines them.
//!
//! The files:
//!
//! * `define`: `settings!` and the traits `Definition` and `Kind`
//! * `kinds`: the kinds of values: numbers with bounds, times, words, lists, objects. A new kind of value is a type here
//! * `fields`: `Fields`: typed access to the members of one object; says which keys are unknown and which key was meant
//! * `nearest`: the known name that a mistyped one most likely means
//! * `revisions`: which revisions a configuration permits
//! * `documented`: for tests: pages and docs/configuration.json from definitions
//! * `strict`: members that stand twice, and halves of surrogate pairs

pub(crate) mod define;
#[cfg(test)]
#[cfg_attr(not(feature = "auth"), allow(dead_code))]
pub(crate) mod documented;
pub(crate) mod fields;
pub(crate) mod kinds;
pub(crate) mod nearest;
pub(crate) mod revisions;
pub(crate) mod strict;
