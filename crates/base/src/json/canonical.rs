//! One text for all JSON texts that mean the same: for digests.

use super::members::{elements, kind, members};
use super::string::string;
use super::value::{Kind, is_space};
use crate::json::string::quote_into;

/// Deeper values are taken as they are written.
const DEPTH: usize = 128;

/// A value without white space, with sorted members and with each string escaped in one way. Numbers stay as they are
/// written, since two that a tree of floating-point numbers cannot tell apart may differ. Its input was checked before.
pub fn canonical(value: &str) -> String {
    let mut out = String::new();
    at_depth(value, 0, &mut out);
    out
}

fn at_depth(value: &str, depth: usize, out: &mut String) {
    let as_written = value.trim_matches(is_space);
    match kind(value) {
        Some(Kind::Object) if depth < DEPTH => {
            // A name that stands twice keeps its order.
            let spelled = |(place, (name, value))| {
                let quoted = format!("\"{name}\"");
                (string(&quoted).map_or_else(|| quoted.clone(), std::borrow::Cow::into_owned), place, value)
            };
            let mut all: Vec<(String, usize, &str)> = members(value).enumerate().map(spelled).collect();
            crate::sorted::order(&mut all);
            out.push('{');
            for (name, _, value) in all {
                quote_into(&name, out);
                out.push(':');
                at_depth(value, depth + 1, out);
                out.push(',');
            }
            out.push('}');
        }
        Some(Kind::Array) if depth < DEPTH => {
            out.push('[');
            for value in elements(value) {
                at_depth(value, depth + 1, out);
                out.push(',');
            }
            out.push(']');
        }
        Some(Kind::String) => match string(value) {
            Some(spelled) => quote_into(&spelled, out),
            None => out.push_str(as_written),
        },
        _ => out.push_str(as_written),
    }
}

#[cfg(test)]
mod tests {
    use super::canonical;

    #[test]
    fn what_means_the_same_is_written_the_same() {
        let one = r#" { "b" : [ 1 , "x\u0041" ] , "a" : { "d":null, "c":true } } "#;
        assert_eq!(canonical(one), canonical(r#"{"\u0061":{"c":true,"d":null},"b":[1,"xA"]}"#));
    }

    #[test]
    fn what_differs_is_written_differently() {
        let texts = [
            "1",
            "1e999",
            "1e998",
            "9007199254740993",
            "9007199254740992",
            "18446744073709551616",
            "18446744073709551617",
            r#""1""#,
            "[1]",
            "[1,1]",
            "[[1],1]",
            "[1,[1]]",
            r#"{"a":1}"#,
            r#"{"a":1,"a":2}"#,
            r#"{"a":2,"a":1}"#,
            "{}",
            "[]",
        ];
        let written: std::collections::BTreeSet<String> = texts.iter().map(|text| canonical(text)).collect();
        assert_eq!(written.len(), texts.len());
    }

    #[test]
    fn depth_is_bounded() {
        let deep = format!("{}{}", "[".repeat(1000), "]".repeat(1000));
        assert!(canonical(&deep).len() >= 2000);
    }
}
