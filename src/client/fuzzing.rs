//! What the fuzz targets reach of this layer and applications do not. Compiled for them only (`cfg(fuzzing)`).

use super::config::{Config, file, options, parse_roots};
use serde_json::Value;

/// Reads a text as everything that configuration can be.
pub fn configuration(text: &str) {
    for read in [Config::parse, Config::parse_custom] {
        match read(text) {
            Ok(config) => drop(config),
            Err(error) => drop(error.to_json()),
        }
    }
    drop(options::parse(text).map_err(|error| error.to_json()));
    drop(options::parse_feature(text).map_err(|error| error.to_json()));
    drop(super::queue_limits(Some(text)).map_err(|error| error.to_json()));
    drop(parse_roots(text).map_err(|error| error.to_json()));
}

/// Whether a text is the configuration of a client.
pub fn is_configuration(text: &str) -> bool {
    Config::parse(text).is_ok()
}

/// Reads a text as a file of servers, and takes the one called `name`: as the file of another program, or as one for this library. The
/// environment is empty but for one variable.
///
/// # Errors
/// Why there is no such server in it.
pub fn configuration_file(text: &str, name: Option<&str>, is_of_another: bool) -> Result<String, String> {
    let home = |variable: &str| (variable == "HOME").then(|| "/home/me".to_owned());
    let unknown = if is_of_another { file::Unknown::LeftOut } else { file::Unknown::Wrong };
    file::read(text, "the file", name, &home, unknown).map_err(|error| error.to_json())
}

/// What a check with a schema found.
#[cfg(feature = "schema")]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Checked {
    /// The schema cannot be used.
    Unusable,
    /// The value is what the schema wants.
    Fits,
    /// It is not.
    Mismatch,
    /// A bound was reached.
    Bound,
}

/// Checks a value against a schema within the usual bounds, and so many steps.
#[cfg(feature = "schema")]
pub fn check(schema: &Value, value: &Value, steps: usize, formats: bool) -> Checked {
    use crate::schema::{Bounds, Failure, Schema};
    let bounds = Bounds { steps, ..Bounds::default() };
    match Schema::new(schema, bounds).map(|schema| if formats { schema.with_formats() } else { schema }) {
        Err(_) => Checked::Unusable,
        Ok(schema) => match schema.check(value) {
            Ok(()) => Checked::Fits,
            Err(Failure::Mismatch(mismatch)) => {
                drop(mismatch.to_string());
                Checked::Mismatch
            }
            Err(Failure::Bound(_)) => Checked::Bound,
        },
    }
}
