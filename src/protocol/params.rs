//! Parameters of a request or notification as the application gave them: checked text, not a tree.

use super::meta::META;
use crate::json::{self, ScanError, Span, Wanted};

/// Checked parameters: a JSON object, and where its `_meta` is.
#[derive(Clone, Copy, Debug)]
pub struct Params<'a> {
    text: &'a str,
    meta: Option<Span>,
}

const WANTED: [Wanted; 1] = [Wanted { name: META, inner: &[] }];

impl<'a> Params<'a> {
    /// Checks that `text` is one JSON object, nested at most `depth` levels, whose `_meta` (if any) is an object.
    ///
    /// # Errors
    /// What the scan found wrong, with the byte it stands at.
    pub fn check(text: &'a str, depth: usize) -> Result<Params<'a>, ScanError> {
        let mut found = [None; 1];
        json::scan_object(text.as_bytes(), &WANTED, depth, &mut found)?;
        let meta = match found[0] {
            Some(value) if value.kind == json::Kind::Object => Some(value.span),
            Some(value) => {
                return Err(ScanError {
                    kind: json::ErrorKind::NotAnObject(value.kind),
                    offset: value.span.start,
                });
            }
            None => None,
        };
        Ok(Params { text, meta })
    }

    /// The text as given.
    pub fn text(&self) -> &'a str {
        self.text
    }

    /// Writes the parameters with the members `meta` (JSON text without braces) added to their `_meta`; a key that is
    /// already there keeps the application's value only if `meta` does not have it. The text becomes one line.
    pub fn write_with_meta(&self, meta: &str, out: &mut Vec<u8>) {
        if meta.is_empty() {
            json::one_line_into(self.text, out);
            return;
        }
        let Some(own) = self.meta else {
            self.append_member(meta, out);
            return;
        };
        // Rare: the application brought a `_meta` of its own. Merge it member by member.
        let add = format!("{{{meta}}}");
        let pairs: Vec<(String, &str)> = json::members(&add)
            .map(|(name, value)| {
                (json::string(&format!("\"{name}\"")).unwrap_or_default().into_owned(), value)
            })
            .collect();
        let pairs: Vec<(&str, &str)> = pairs.iter().map(|(name, value)| (name.as_str(), *value)).collect();
        let mut merged = Vec::new();
        json::splice_into(own.str(self.text), &pairs, &mut merged);
        let merged = String::from_utf8(merged).unwrap_or_default();
        json::splice_into(self.text, &[(META, merged.as_str())], out);
    }

    /// The common case: no `_meta` of the application's, so ours goes before the closing brace.
    fn append_member(&self, meta: &str, out: &mut Vec<u8>) {
        let body = self.text.trim_ascii().strip_suffix('}').unwrap_or_default().trim_ascii_end();
        json::one_line_into(body, out);
        out.extend_from_slice(if body.ends_with('{') && body.len() == 1 {
            b"\"_meta\":{"
        } else {
            b",\"_meta\":{"
        });
        out.extend_from_slice(meta.as_bytes());
        out.extend_from_slice(b"}}");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(text: &str, meta: &str) -> String {
        let mut out = Vec::new();
        Params::check(text, 128).expect("valid").write_with_meta(meta, &mut out);
        String::from_utf8(out).expect("UTF-8")
    }

    #[test]
    fn metadata_is_added_to_empty_full_and_spaced_objects() {
        assert_eq!(written("{}", "\"a\":1"), r#"{"_meta":{"a":1}}"#);
        assert_eq!(written(" { \n} ", "\"a\":1"), r#"{"_meta":{"a":1}}"#);
        assert_eq!(written("{\"x\":[1,\n2] }", "\"a\":1"), r#"{"x":[1, 2],"_meta":{"a":1}}"#);
    }

    #[test]
    fn the_applications_own_metadata_is_kept_and_ours_wins_on_the_same_key() {
        let text = written(r#"{"_meta":{"mine":true,"a":0},"x":1}"#, "\"a\":1");
        let value: serde_json::Value = serde_json::from_str(&text).expect("JSON");
        assert_eq!(value, serde_json::json!({"x": 1, "_meta": {"mine": true, "a": 1}}));
    }

    #[test]
    fn without_metadata_the_text_goes_out_as_one_line() {
        assert_eq!(written("{\"x\":\r\n1}", ""), "{\"x\":  1}");
    }

    #[test]
    fn parameters_that_are_no_object_are_refused() {
        assert!(Params::check("[1]", 128).is_err());
        assert!(Params::check("{\"a\":}", 128).is_err());
        assert!(Params::check("{\"_meta\":7}", 128).is_err());
    }
}
