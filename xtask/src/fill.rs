//! Filling in templates, in which the text that is made stands as it is.

use minijinja::{AutoEscape, Environment, UndefinedBehavior};

/// Where templates are filled in: what they name has to be there, and lines with nothing but a statement leave none.
pub fn environment() -> Environment<'static> {
    let mut environment = Environment::new();
    environment.set_trim_blocks(true);
    environment.set_lstrip_blocks(true);
    environment.set_keep_trailing_newline(true);
    environment.set_undefined_behavior(UndefinedBehavior::Strict);
    environment.set_auto_escape_callback(|_| AutoEscape::None);
    environment
}
