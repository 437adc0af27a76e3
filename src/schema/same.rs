//! Equality of JSON values as JSON Schema has it: 1 and 1.0 are the same number, and the order of members is no matter.

use serde_json::{Number, Value};

/// Whether two values are the same.
pub(super) fn same(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Number(a), Value::Number(b)) => same_number(a, b),
        (Value::Array(a), Value::Array(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b)),
        (Value::Object(a), Value::Object(b)) => {
            a.len() == b.len() && a.iter().all(|(name, a)| b.get(name).is_some_and(|b| same(a, b)))
        }
        _ => a == b,
    }
}

fn same_number(a: &Number, b: &Number) -> bool {
    match (whole(a), whole(b)) {
        (Some(a), Some(b)) => a == b,
        // Beyond a float only the text says what it is.
        _ if a.as_f64().is_none() && b.as_f64().is_none() => a.to_string() == b.to_string(),
        _ => a.as_f64() == b.as_f64(),
    }
}

/// The nearest float; infinite where a build of `serde_json` keeps numbers that are beyond all of them.
pub(super) fn float_of(number: &Number) -> f64 {
    let beyond = || if number.to_string().starts_with('-') { f64::NEG_INFINITY } else { f64::INFINITY };
    number.as_f64().unwrap_or_else(beyond)
}

/// The number as a whole one, if it is: also when it is written with a fraction of zero.
pub(super) fn whole(number: &Number) -> Option<i128> {
    if let Some(number) = number.as_i64() {
        return Some(number.into());
    }
    if let Some(number) = number.as_u64() {
        return Some(number.into());
    }
    whole_float(number.as_f64()?)
}

/// A function of its own: where it is inlined the compiler may compute it before it knows that there is a float, which
/// Memcheck reports.
#[inline(never)]
#[expect(clippy::cast_possible_truncation, reason = "the range was looked at")]
fn whole_float(float: f64) -> Option<i128> {
    (float.fract() == 0.0 && float.abs() < 1e38).then_some(float as i128)
}

/// Text that two values have in common exactly if they are the same.
pub(super) fn canonical(value: &Value, out: &mut String) {
    match value {
        Value::Number(number) => match whole(number) {
            Some(whole) => out.push_str(&whole.to_string()),
            None => out.push_str(&number.to_string()),
        },
        Value::Array(items) => {
            out.push('[');
            for item in items {
                canonical(item, out);
                out.push(',');
            }
            out.push(']');
        }
        Value::Object(members) => {
            let mut names: Vec<&String> = members.keys().collect();
            names.sort_unstable();
            out.push('{');
            for name in names {
                crate::json::quote_into(name, out);
                out.push(':');
                if let Some(value) = members.get(name) {
                    canonical(value, out);
                }
                out.push(',');
            }
            out.push('}');
        }
        other => out.push_str(&other.to_string()),
    }
}
