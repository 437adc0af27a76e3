//! Configuration objects: what both sides of the protocol need to read one. A definition (`settings!`) names each key once, with its
//! type, bounds, default and documentation; reading, error messages and the pages of `docs` come from it.
//!
//! Layer 4: it knows JSON and the error type. Which keys there are is known by the side that defines them.

pub(crate) mod define;
pub(crate) mod fields;
pub(crate) mod kinds;
pub(crate) mod nearest;
pub(crate) mod revisions;
pub(crate) mod strict;
