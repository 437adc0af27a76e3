//! Build tools from Python's package index, in an environment of their own: what the packaging tests build with.

use std::path::PathBuf;

use super::python;
use crate::checkout::Checkout;

/// The environment with Meson and what else `tests/packaging/requirements.txt` names.
pub fn packaging_tools(checkout: &Checkout) -> Result<PathBuf, String> {
    python::environment(checkout, "packaging", &checkout.root.join("tests/packaging/requirements.txt"))
}
