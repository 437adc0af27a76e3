//! The hash of a tool's schemas, which generated code computes again to say that the server has changed.
//!
//! It is FNV-1a over values: the members of an object count in any order, and numbers by their double. It is short enough to be
//! in the support file of every language. It protects against nothing: `--check` compares all text.

use serde_json::Value;

const START: u64 = 0xcbf2_9ce4_8422_2325;

/// The hash of both schemas of a tool.
pub fn pair(input: &Value, output: &Value) -> u64 {
    number(of(input), of(output))
}

fn bytes(mut hash: u64, bytes: &[u8]) -> u64 {
    for byte in bytes {
        hash = (hash ^ u64::from(*byte)).wrapping_mul(0x100_0000_01b3);
    }
    hash
}

fn number(hash: u64, number: u64) -> u64 {
    bytes(hash, &number.to_le_bytes())
}

fn text(text: &str) -> u64 {
    bytes(bytes(START, b"s"), text.as_bytes())
}

fn of(value: &Value) -> u64 {
    match value {
        Value::Null => bytes(START, b"n"),
        Value::Bool(value) => bytes(START, if *value { b"t" } else { b"f" }),
        Value::Number(value) => number(bytes(START, b"d"), (value.as_f64().unwrap_or(0.0) + 0.0).to_bits()),
        Value::String(value) => text(value),
        Value::Array(items) => items.iter().fold(bytes(START, b"a"), |hash, item| number(hash, of(item))),
        Value::Object(members) => {
            let sum = members
                .iter()
                .map(|(name, value)| number(text(name), of(value)))
                .fold(0_u64, u64::wrapping_add);
            number(bytes(START, b"o"), sum)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn the_order_of_members_does_not_count_and_everything_else_does() {
        let parsed = |text: &str| serde_json::from_str::<Value>(text).expect("JSON");
        assert_eq!(of(&parsed(r#"{"a":1,"b":[2]}"#)), of(&parsed(r#"{"b":[2.0],"a":1}"#)));
        let all = [
            json!(null),
            json!(false),
            json!(0),
            json!(""),
            json!([]),
            json!({}),
            json!([null]),
            json!({"a": {}}),
        ];
        let hashes: std::collections::HashSet<u64> = all.iter().map(of).collect();
        assert_eq!(hashes.len(), all.len());
    }
}
