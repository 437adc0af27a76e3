//! Credentials that stand in files, read again each time.

use crate::auth::Secret;
use std::fs::File;
use std::io::Read;

/// The largest file that a credential is read from.
const BYTES: u64 = 64 * 1024;

/// The text of a file.
///
/// # Errors
/// Why it cannot be used.
pub(super) fn read(path: &str) -> Result<Secret, String> {
    let mut text = String::new();
    let file = File::open(path).map_err(|error| error.to_string())?;
    file.take(BYTES + 1).read_to_string(&mut text).map_err(|error| error.to_string())?;
    if text.len() as u64 > BYTES {
        return Err(format!("it has more than {BYTES} bytes"));
    }
    Ok(Secret::new(text))
}
