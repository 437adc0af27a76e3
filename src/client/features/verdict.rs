//! A value against a schema that a program has, by the validator that checks results.

use crate::schema::{Bounds, Failure, Schema};
use serde_json::Value;

/// How a value compares with a schema.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// It is what the schema wants.
    Fits,
    /// It is not: where (a JSON Pointer), by which keyword, and why in words.
    Differs {
        /// Where in the value.
        at: String,
        /// The keyword of the schema.
        keyword: &'static str,
        /// What is wrong, as it follows the name of the place in a sentence.
        what: String,
    },
    /// Nothing is known: the schema cannot be used, or the check cost too much. Why, in words.
    Unknown(String),
}

/// Compares a value with a schema, within the bounds of every check.
pub fn judge(schema: &Value, value: &Value) -> Verdict {
    let schema = match Schema::new(schema, Bounds::default()) {
        Ok(schema) => schema,
        Err(why) => return Verdict::Unknown(why),
    };
    match schema.check(value) {
        Ok(()) => Verdict::Fits,
        Err(Failure::Bound(why)) => Verdict::Unknown(why.to_owned()),
        Err(Failure::Mismatch(mismatch)) => {
            Verdict::Differs { at: mismatch.at, keyword: mismatch.keyword, what: mismatch.what }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_value_fits_differs_or_is_not_known() {
        let schema = json!({"properties": {"n": {"type": "integer"}}, "required": ["n"]});
        assert_eq!(judge(&schema, &json!({"n": 1})), Verdict::Fits);
        for (value, place, by) in [(json!({"n": "x"}), "/n", "type"), (json!({}), "", "required")] {
            assert!(
                matches!(judge(&schema, &value), Verdict::Differs { at, keyword, .. } if at == place && keyword == by)
            );
        }
        for schema in [json!({"$ref": "http://x/y"}), json!({"$ref": "#/nothing"}), json!({"pattern": "("})] {
            assert!(matches!(judge(&schema, &json!("x")), Verdict::Unknown(_)), "{schema}");
        }
    }
}
