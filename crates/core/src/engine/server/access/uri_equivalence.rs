//! Spellings of a URI (RFC 3986, section 6.2). The server that a request goes to in the end may decode escapes, remove dot segments,
//! and compare without case: what a rule says of one spelling holds for each of them.

use crate::sorted::SortedSet;

/// What the spellings of one URI have in common.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UriEquivalence {
    /// The URI with everything decoded, without dot segments and fragment, encoded in one way.
    text: String,
    /// The same in small letters, as the laxest server takes it: without the query and what some file systems leave out.
    lax: String,
    /// The parts of the query, decoded, in small letters.
    query: SortedSet<String>,
}

impl UriEquivalence {
    /// The spelling of a URI. It takes time as the length of the URI does.
    pub fn of(uri: &str) -> UriEquivalence {
        let mut decoded = decoded(uri);
        if let Some(end) = decoded.find('#') {
            decoded.truncate(end);
        }
        let decoded = decoded.replace('\\', "/");
        let (scheme, rest) = decoded.split_once(':').unwrap_or(("", &decoded));
        let scheme = scheme.to_ascii_lowercase();
        let (rest, query) = rest.split_once('?').map_or((rest, None), |(rest, query)| (rest, Some(query)));
        let (authority, path) = match rest.strip_prefix("//") {
            Some(rest) => rest.split_once('/').unwrap_or((rest, "")),
            None => ("", rest),
        };
        let authority = host(&scheme, authority);
        let segments = segments(path);
        let slashes = if rest.starts_with('/') { "//" } else { "" };
        let write = |path: &str, query: Option<&str>| {
            // No path ends in a slash: that of the root is empty.
            let between = if rest.starts_with('/') && !path.is_empty() { "/" } else { "" };
            let mut text = format!("{scheme}:{slashes}{authority}{between}");
            encode(path, &mut text);
            if let Some(query) = query {
                text.push('?');
                encode(query, &mut text);
            }
            text
        };
        let lax: Vec<String> = segments.iter().map(|segment| lax_segment(segment)).collect();
        UriEquivalence {
            text: write(&segments.join("/"), query),
            lax: write(&lax.join("/"), None),
            query: crate::json::inserted(query.unwrap_or_default().split(['&', ';']).map(str::to_lowercase)),
        }
    }

    /// The URI in the one way in which this writes it.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The same as the laxest server takes it.
    pub fn lax(&self) -> &str {
        &self.lax
    }

    /// Whether both are spellings of the same URI, whatever they lead to.
    pub fn is(&self, other: &UriEquivalence) -> bool {
        self.text == other.text
    }

    /// Whether a server may take this for `other`: it may compare without case, and leave out parts of a query that it does not know.
    pub fn may_be(&self, other: &UriEquivalence) -> bool {
        self.lax == other.lax && other.query.iter().all(|part| part.is_empty() || self.query.contains(part))
    }
}

/// A template of URIs without the slashes that end its path, as no spelling has them.
pub fn without_last_slash(template: &str) -> String {
    let start = template.find("://").map_or(0, |at| at + "://".len());
    let ends = ["?", "#", "{?", "{&", "{#"].into_iter().filter_map(|sign| template[start..].find(sign));
    let (before, after) = template.split_at(start + ends.min().unwrap_or(template.len() - start));
    let (scheme, path) = before.split_at(start);
    format!("{scheme}{}{after}", path.trim_end_matches('/'))
}

/// A URI without escapes, also without those that appear when others are decoded.
fn decoded(uri: &str) -> String {
    let mut bytes: Vec<u8> = Vec::with_capacity(uri.len());
    let digit = |byte: u8| char::from(byte).to_digit(16).and_then(|digit| u8::try_from(digit).ok());
    for byte in uri.bytes() {
        bytes.push(byte);
        // What was decoded may end an escape that began before it. Each turn makes the text shorter.
        while let [.., b'%', high, low] = bytes[..]
            && let (Some(high), Some(low)) = (digit(high), digit(low))
        {
            bytes.truncate(bytes.len() - 3);
            bytes.push(high * 16 + low);
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// The host of an authority in small letters, up to a NUL; nothing where that is this machine's own files.
fn host(scheme: &str, authority: &str) -> String {
    let authority = authority.rsplit('@').next().unwrap_or_default();
    let authority = authority.split('\0').next().unwrap_or_default().to_ascii_lowercase();
    let port = match scheme {
        "http" | "ws" => ":80",
        "https" | "wss" => ":443",
        _ => ":",
    };
    let host = authority.strip_suffix(port).unwrap_or(&authority);
    let host = host.trim_end_matches([':', '.']);
    if scheme == "file" && matches!(host, "localhost" | "127.0.0.1" | "[::1]") {
        return String::new();
    }
    host.to_owned()
}

/// The segments of a path without dot segments and empty ones.
fn segments(path: &str) -> Vec<&str> {
    let mut segments = Vec::new();
    for segment in path.split('/') {
        match segment {
            "" | "." => {}
            ".." => {
                segments.pop();
            }
            other => segments.push(other),
        }
    }
    segments
}

/// A segment as the laxest file system takes it: up to a NUL, in small letters, without control characters, without the dots and spaces
/// at its end, and without the name of a stream.
fn lax_segment(segment: &str) -> String {
    let segment = segment.split('\0').next().unwrap_or_default();
    let small: String = segment.chars().filter(|c| !c.is_control()).flat_map(char::to_lowercase).collect();
    let small = small.strip_suffix("::$data").unwrap_or(&small);
    small.trim_matches(' ').trim_end_matches(['.', ' ']).to_owned()
}

/// Writes text so that the values of templates can be found in it: a slash separates, and what is not plain is escaped.
fn encode(text: &str, out: &mut String) {
    for byte in text.bytes() {
        match byte {
            b'/' | b'&' | b'=' => out.push(char::from(byte)),
            byte if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) => out.push(char::from(byte)),
            byte => {
                const DIGITS: &[u8; 16] = b"0123456789ABCDEF";
                out.push('%');
                out.push(char::from(DIGITS[usize::from(byte >> 4)]));
                out.push(char::from(DIGITS[usize::from(byte & 15)]));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::UriEquivalence;
    use proptest::prelude::*;

    fn is(one: &str, other: &str) -> bool {
        UriEquivalence::of(one).is(&UriEquivalence::of(other))
    }

    fn may_be(one: &str, other: &str) -> bool {
        UriEquivalence::of(one).may_be(&UriEquivalence::of(other))
    }

    #[test]
    fn spellings_of_one_uri_are_the_same() {
        let plain = "file:///plans/2027.txt";
        for other in [
            plain,
            "file:///%70lans/2027.txt",
            "file:///%2570lans/2027.txt",
            "file:///%25%37%30lans/2027.txt",
            "file:///plans%2F2027.txt",
            "file:///plans%5c2027.txt",
            "FILE:///plans/2027.txt",
            "file:/plans/2027.txt",
            "file://localhost/plans/2027.txt",
            "file://LOCALHOST/plans/2027.txt",
            "file:////plans//2027.txt",
            "file:///./plans/./2027.txt",
            "file:///x/../plans/y/%2e%2e/2027.txt",
            "file:///../plans/2027.txt",
            "file:///plans/2027.txt#part",
            "file:///plans/2027.txt%23part",
            "file:///plans/2027.txt/",
        ] {
            assert!(is(other, plain), "{other}: {:?}", UriEquivalence::of(other));
        }
        for other in [
            "file:///plans/2027.tx",
            "file:///plan/s2027.txt",
            "file://host/plans/2027.txt",
            "plans/2027.txt",
        ] {
            assert!(!is(other, plain) && !may_be(other, plain), "{other}: {:?}", UriEquivalence::of(other));
        }
        assert!(is("https://ann@A.example:443/x", "https://a.example./x"));
        assert!(is("urn:isbn:7", "URN:isbn%3a7") && !is("urn:isbn:7", "urn:isbn:8"));
        assert!(!is("a:x/y", "a:/x/y"), "the one has a path from the root");
    }

    #[test]
    fn a_lax_server_leaves_out_more() {
        let plain = "file:///plans/2027.txt";
        for other in [
            "file:///PLANS/2027.TXT",
            "file:///plans/2027.txt?raw=1",
            "file:///plans/2027.txt%3Fraw",
            "file:///plans/2027.txt%00.png",
            "file:///plans/2027.txt%20",
            "file:///plans./2027.txt.",
            "file:///plans/2027.txt::$DATA",
            "file:///pl%0Aans/2027.txt",
        ] {
            assert!(may_be(other, plain) && !is(other, plain), "{other}: {:?}", UriEquivalence::of(other));
        }
        assert!(may_be("db:///t?x=2&ID=1", "db:///t?id=1") && may_be("db:///t?id=2&id=1", "db:///t?id=1"));
        assert!(!may_be("db:///t?id=2", "db:///t?id=1") && !may_be("db:///t", "db:///t?id=1"));
    }

    #[test]
    fn a_long_row_of_escapes_takes_no_longer_than_other_text() {
        // Decoded in turns over the whole text this would take minutes.
        assert!(is(&format!("file:///%{}70lans/2027.txt", "25".repeat(500_000)), "file:///plans/2027.txt"));
    }

    proptest! {
        /// Escaping any bytes of a path, in any number of turns, and any scheme case, is the same URI.
        #[test]
        fn escaping_any_letters_changes_nothing(
            path in "[a-z]{1,6}(/[a-z0-9 ü]{1,6}){0,3}",
            turns in prop::collection::vec(prop::collection::vec(any::<bool>(), 60), 0..3),
            large in any::<bool>(),
        ) {
            let plain = format!("x://h/{path}");
            let mut text = path.clone();
            for picks in turns {
                text = text.bytes().enumerate().fold(String::new(), |mut out, (at, byte)| {
                    let is_picked = picks.get(at).copied().unwrap_or_default() || !byte.is_ascii();
                    if is_picked { out.extend(["%", &format!("{byte:02x}")]) } else { out.push(char::from(byte)) }
                    out
                });
            }
            let scheme = if large { "X" } else { "x" };
            prop_assert!(is(&format!("{scheme}://H/{text}"), &plain), "{text}");
        }

        #[test]
        fn any_text_has_a_spelling_that_is_its_own(text in "\\PC{0,40}") {
            let spelling = UriEquivalence::of(&text);
            prop_assert!(spelling.is(&spelling) && spelling.may_be(&spelling));
        }
    }
}
