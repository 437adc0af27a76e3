//! Parameters of a request or notification as the application gave them: checked text, not a tree.

use super::meta::META;
use super::method::{self, Method};
use crate::json::{self, ScanError, Span, Wanted};

const WANTED: [Wanted; 1] = [Wanted { name: META, inner: &[] }];

/// Checked parameters: a JSON object, and where its `_meta` is and what it is about.
#[derive(Clone, Copy, Debug)]
pub struct Params<'a> {
    text: &'a str,
    meta: Option<Span>,
    /// The value that the HTTP header `Mcp-Name` repeats, if the method has one.
    name: Option<Span>,
}

impl<'a> Params<'a> {
    /// Checks that `text` is one JSON object, nested at most `depth` levels, whose `_meta` (if any) is an object.
    ///
    /// # Errors
    /// What the scan found wrong, with the byte it stands at.
    pub fn check(text: &'a str, depth: usize) -> Result<Params<'a>, ScanError> {
        Params::check_of(None, text, depth)
    }

    /// The same for parameters of a method of the table, with the value that the HTTP header `Mcp-Name` repeats.
    ///
    /// # Errors
    /// As [`Params::check`].
    #[inline]
    pub fn check_of(
        method: Option<&'static Method>,
        text: &'a str,
        depth: usize,
    ) -> Result<Params<'a>, ScanError> {
        let member = method.and_then(|method| method.header_member);
        let both = member.map(|member| [META, member].map(|name| Wanted { name, inner: &[] }));
        let wanted = both.as_ref().map_or(&WANTED[..], |both| both);
        let mut found = [None; 2];
        match json::scan_object(text.as_bytes(), wanted, depth, &mut found) {
            Err(ScanError { kind: json::ErrorKind::Duplicate(name), .. }) if Some(name) == member => {
                // Of several the last counts, as for servers.
                let name = json::member_span(text, name);
                return Ok(Params { name, ..Params::check(text, depth)? });
            }
            scanned => scanned?,
        }
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
        Ok(Params { text, meta, name: found[1].map(|name| name.span) })
    }

    /// The text as given.
    pub fn text(&self) -> &'a str {
        self.text
    }

    /// The value that the HTTP header `Mcp-Name` repeats, JSON text: the name of the tool that is called, for one.
    pub fn name(&self) -> Option<&'a str> {
        self.name.map(|name| name.str(self.text))
    }

    /// Writes the parameters with the members `meta` (JSON text without braces) added to their `_meta`; a key that is
    /// already there keeps the application's value only if `meta` does not have it. The text becomes one line. Gives the
    /// place of [`Params::name`] in `out`, if the members were not merged.
    pub fn write_with_meta(&self, meta: &str, out: &mut Vec<u8>) -> Option<Span> {
        if meta.is_empty() {
            let start = out.len();
            json::one_line_into(self.text, out);
            return self.name.map(|name| name.moved(start));
        }
        let Some(own) = self.meta else {
            // White space before the object is left out.
            let (start, blank) = (out.len(), self.text.len() - self.text.trim_ascii_start().len());
            self.append_member(meta, out);
            let moved = |at: usize| start + at.saturating_sub(blank);
            return self.name.map(|name| Span { start: moved(name.start), end: moved(name.end) });
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
        None
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

/// Checked parameters with a text of their own, for messages that are written later or again.
#[derive(Clone, Debug)]
pub struct ParamsBuf {
    text: String,
    meta: Option<Span>,
    name: Option<Span>,
}

impl ParamsBuf {
    /// The parameters of a `method` that the library writes itself. Every part of `text`, a JSON object, is the library's own
    /// or was checked with the message that it came in.
    pub fn written(method: &str, text: impl Into<String>) -> ParamsBuf {
        let text = text.into();
        debug_assert!(json::kind(&text) == Some(json::Kind::Object), "an object: {text}");
        let member = method::find(method).and_then(|method| method.header_member);
        let meta = json::member_span(&text, META);
        let name = member.and_then(|member| json::member_span(&text, member));
        ParamsBuf { text, meta, name }
    }

    /// `params`, or none, with the members `add` (a plain name, checked JSON text) in place of those of the same names.
    pub fn spliced(method: &str, params: Option<Params<'_>>, add: &[(&str, &str)]) -> ParamsBuf {
        let mut text = Vec::new();
        json::splice_into(params.map_or("{}", |params| params.text), add, &mut text);
        ParamsBuf::written(method, json::utf8(&text))
    }

    /// A view of them.
    pub fn view(&self) -> Params<'_> {
        Params { text: &self.text, meta: self.meta, name: self.name }
    }

    /// A copy of `params` in the memory of `text`; `None` if the system has no memory for it.
    pub fn copied(params: Params<'_>, mut text: String) -> Option<ParamsBuf> {
        text.clear();
        text.try_reserve_exact(params.text.len()).ok()?;
        text.push_str(params.text);
        Some(ParamsBuf { text, meta: params.meta, name: params.name })
    }

    /// How long the text is.
    pub fn bytes(&self) -> usize {
        self.text.len()
    }

    /// The text.
    pub fn into_text(self) -> String {
        self.text
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
