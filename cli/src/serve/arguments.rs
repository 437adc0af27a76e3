//! The arguments of a call as values, for as long as they are looked at: a tree of them may take many times their text.

use mcp::client::json_text::{member, tree_bytes};
use serde_json::{Map, Value};
use std::sync::{Mutex, PoisonError};

/// What a tree may take. One of more than `SMALL` is made while there is no other.
const MOST: usize = 256 << 20;
const SMALL: usize = 1 << 20;

/// Held while there is a large tree.
static LARGE: Mutex<()> = Mutex::new(());

/// Looks at the arguments among the parameters of a call.
///
/// # Errors
/// What is wrong with them, or what the look has found.
pub fn read<T>(
    params: &str,
    look: impl FnOnce(&Map<String, Value>) -> Result<T, String>,
) -> Result<T, String> {
    let text = member(params, "arguments").unwrap_or("{}");
    let bytes = tree_bytes(text);
    if bytes > MOST {
        return Err(format!(
            "the arguments have too many values: they take about {bytes} bytes, and may take {MOST}; put many values into one text"
        ));
    }
    let _alone = (bytes > SMALL).then(|| LARGE.lock().unwrap_or_else(PoisonError::into_inner));
    let arguments: Map<String, Value> =
        serde_json::from_str(text).map_err(|error| format!("the arguments are not an object: {error}"))?;
    look(&arguments)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_with_more_values_than_fit_are_refused_before_they_are_values() {
        let of = |text: &str| read(&format!(r#"{{"arguments":{text}}}"#), |arguments| Ok(arguments.len()));
        assert_eq!((of(r#"{"a":1,"b":[]}"#), read("{}", |arguments| Ok(arguments.len()))), (Ok(2), Ok(0)));
        assert!(of("[]").expect_err("no object").contains("not an object"));
        let many = format!(r#"{{"a":[{}1]}}"#, "[],".repeat(5 << 20));
        assert!(of(&many).expect_err("too many").contains("may take 268435456"));
        let long = format!(r#"{{"a":"{}"}}"#, "[],".repeat(5 << 20));
        assert_eq!(of(&long), Ok(1));
    }
}
