//! Spellings of a URI (RFC 3986, section 6.2). The server that a request goes to in the end may decode escapes, remove dot segments,
//! and compare without case: what a rule says of one spelling holds for each of them.

/// What the spellings of one URI have in common, or those of the URIs of a template.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UriEquivalence {
    /// The URI with everything decoded, without dot segments and fragment.
    text: String,
    /// What servers may take it for, without the query: in small letters, with escaped delimiters as such and as parts of values, without
    /// what some file systems leave out, and as it was written. Those of a template have marks for its expressions.
    forms: Vec<String>,
    /// The parts of the query in small letters, with escaped delimiters as such and as parts of values.
    query: [Vec<String>; 2],
    /// Whether some of its slashes are escaped more often than others: any of those may be a part of a value.
    is_nested: bool,
}

/// What stands for an expression of a template. No URI that a person writes has these characters; in a rule they only match more.
mod mark {
    /// Anything within a segment.
    pub const SEGMENT: char = '\u{FDD0}';
    /// Anything.
    pub const ANY: char = '\u{FDD1}';
    /// The character before it and anything within a segment, or nothing.
    pub const OPTIONAL_SEGMENT: char = '\u{FDD2}';
    /// The character before it and anything, or nothing.
    pub const OPTIONAL: char = '\u{FDD3}';
    pub const ALL: [char; 4] = [SEGMENT, ANY, OPTIONAL_SEGMENT, OPTIONAL];
}

/// What stands for a delimiter that was escaped, where it is a part of a value.
const ESCAPED_DELIMITER: char = '\u{FDD4}';

impl UriEquivalence {
    /// The spelling of a URI. It takes time as the length of the URI does.
    pub fn of(uri: &str) -> UriEquivalence {
        let Decoded { text, data, is_nested } = decoded(uri);
        let mut forms = Vec::new();
        let (spelled, query) = spell(&text, &mut forms);
        let (_, data_query) = spell(&data, &mut forms);
        if let Some((before, _)) = text.split_once('\0') {
            // To what reads C strings it ends here.
            spell(before, &mut forms);
        }
        // As it was written: a value may be empty, or a dot.
        add(&mut forms, data.to_lowercase());
        UriEquivalence { text: spelled, forms, query: [query, data_query], is_nested }
    }

    /// What the URIs of a template, or the one URI of a rule without expressions, have in common: its text is spelled as those are.
    pub fn of_rule(rule: &str) -> UriEquivalence {
        let mut of_rule = UriEquivalence::of(&marked(rule));
        for form in &mut of_rule.forms {
            // A folder is also what is at an empty path in it.
            if let Some(folder) = form.strip_suffix(mark::ANY)
                && folder.ends_with('/')
                && !folder.contains(mark::ALL)
            {
                *form = format!("{folder}{}", mark::OPTIONAL);
            }
        }
        of_rule
    }

    /// Whether both are spellings of the same URI, whatever they lead to.
    pub fn is(&self, other: &UriEquivalence) -> bool {
        self.text == other.text
    }

    /// Whether a server may take this for what `rule` is about: it may compare without case, and leave out parts of a query that it does
    /// not know. Of the query of a template each part is needed up to its first expression.
    pub fn may_be(&self, rule: &UriEquivalence) -> bool {
        let has = |part: &String| {
            let mut own = self.query.iter().flatten();
            match part.find(mark::ALL) {
                None => part == "=" || own.any(|own| own == part),
                Some(end) => end == 0 || own.any(|own| own.starts_with(&part[..end])),
            }
        };
        rule.query[0].iter().all(has)
            && rule.forms.iter().any(|form| self.forms.iter().any(|own| fits(form, own, self.is_nested)))
    }
}

fn add(forms: &mut Vec<String>, form: String) {
    if !forms.contains(&form) {
        forms.push(form);
    }
}

/// Adds the forms of a decoded URI. Gives its own text, and the parts of its query.
fn spell(decoded: &str, forms: &mut Vec<String>) -> (String, Vec<String>) {
    let decoded = decoded.split('#').next().unwrap_or_default();
    let (before, query) =
        decoded.split_once('?').map_or((decoded, None), |(before, query)| (before, Some(query)));
    let (scheme, rest) = before.split_at(before.find(':').map_or(0, |colon| colon + 1));
    let scheme = scheme.to_ascii_lowercase();
    let (authority, path) = match rest.strip_prefix("//") {
        Some(rest) => rest.split_once('/').unwrap_or((rest, "")),
        None => ("", rest),
    };
    let authority = host(scheme.trim_end_matches(':'), authority);
    let slashes = if rest.starts_with('/') { "//" } else { "" };
    let write = |authority: &str, path: &str| {
        // No path ends in a slash: that of the root is empty.
        let between = if rest.starts_with('/') && !path.is_empty() { "/" } else { "" };
        format!("{scheme}{slashes}{authority}{between}{path}")
    };
    let segments = segments(path);
    let mut text = write(&authority, &segments.join("/"));
    let lax: Vec<String> =
        segments.iter().map(|segment| lax_segment(segment)).filter(|segment| !segment.is_empty()).collect();
    // The name of a folder may end in a slash.
    let is_folder =
        path.rsplit('/').next().is_some_and(|last| lax_segment(last).is_empty()) && rest.contains('/');
    let is_root = rest.strip_prefix("//").is_some_and(|rest| !rest.contains('/'));
    for form in [text.to_lowercase(), write(&lax_segment(&authority), &lax.join("/"))] {
        if is_folder && !is_root {
            add(forms, format!("{form}/"));
        }
        add(forms, form);
    }
    let parts = query.unwrap_or_default().split(['&', ';']).map(|part| {
        let part = lax_segment(&part.replace('+', " "));
        if part.contains('=') { part } else { part + "=" }
    });
    let parts = parts.collect();
    if let Some(query) = query {
        text.push('?');
        text.push_str(query);
    }
    (text, parts)
}

/// A template with marks for its expressions (RFC 6570, section 3.2).
fn marked(template: &str) -> String {
    let mut out = String::new();
    let mut rest = template;
    while let Some((before, (expression, after))) =
        rest.split_once('{').and_then(|(before, after)| Some((before, after.split_once('}')?)))
    {
        out.push_str(before);
        match expression.chars().next() {
            Some('+') => out.push(mark::ANY),
            Some(first @ ('.' | ';')) => out.extend([first, mark::OPTIONAL_SEGMENT]),
            Some(first @ ('#' | '?' | '&')) => out.extend([first, mark::OPTIONAL]),
            Some('/') => {
                for name in expression.split(',') {
                    let is_list = name.ends_with('*');
                    out.extend(['/', if is_list { mark::OPTIONAL } else { mark::OPTIONAL_SEGMENT }]);
                }
            }
            _ => out.push(mark::SEGMENT),
        }
        rest = after;
    }
    out.push_str(rest);
    out
}

/// Whether a text is one of those that a form with marks stands for. It takes time as the length of the text does, for each mark. Where
/// slashes are values, a segment may hold them.
fn fits(form: &str, text: &str, slashes_are_values: bool) -> bool {
    let Some(first) = form.find(mark::ALL) else { return form == text };
    // The character before the mark may be a part of the mark.
    let certain = form[..first].char_indices().next_back().map_or(0, |(at, _)| at);
    if !text.starts_with(&form[..certain]) {
        return false;
    }
    let text = text.as_bytes();
    let after = |reached: &[bool], literal: &str| {
        let mut next = vec![false; reached.len()];
        for (at, _) in reached.iter().enumerate().filter(|(_, is_reached)| **is_reached) {
            if text[at..].starts_with(literal.as_bytes()) {
                next[at + literal.len()] = true;
            }
        }
        next
    };
    let mut reached = vec![false; text.len() + 1];
    reached[0] = true;
    let mut rest = form;
    while let Some(at) = rest.find(mark::ALL) {
        let (mut literal, tail) = rest.split_at(at);
        let mut tail = tail.chars();
        let kind = tail.next().unwrap_or(mark::ANY);
        rest = tail.as_str();
        let mut begins = "";
        let is_optional = matches!(kind, mark::OPTIONAL | mark::OPTIONAL_SEGMENT);
        if is_optional {
            (literal, begins) = literal.split_at(literal.char_indices().next_back().map_or(0, |(at, _)| at));
        }
        let before = after(&reached, literal);
        reached = after(&before, begins);
        let goes_on = slashes_are_values || matches!(kind, mark::ANY | mark::OPTIONAL);
        for (at, byte) in text.iter().enumerate() {
            let is_within = goes_on || !b"/?#".contains(byte);
            reached[at + 1] |= reached[at] && is_within;
        }
        if is_optional {
            reached.iter_mut().zip(before).for_each(|(all, one)| *all |= one);
        }
    }
    after(&reached, rest).last().copied().unwrap_or_default()
}

/// A URI without escapes, and with slashes for backslashes.
struct Decoded {
    text: String,
    /// The same, where the delimiters that were escaped are parts of values.
    data: String,
    is_nested: bool,
}

/// Decodes a URI, also the escapes that appear when others are decoded.
fn decoded(uri: &str) -> Decoded {
    // Each byte with how often it was decoded.
    let mut bytes: Vec<(u8, u32)> = Vec::with_capacity(uri.len());
    let digit = |byte: u8| char::from(byte).to_digit(16).and_then(|digit| u8::try_from(digit).ok());
    for byte in uri.bytes() {
        bytes.push((byte, 0));
        // What was decoded may end an escape that began before it. Each turn makes the text shorter.
        while let [.., (b'%', one), (high, two), (low, three)] = bytes[..]
            && let (Some(high), Some(low)) = (digit(high), digit(low))
        {
            bytes.truncate(bytes.len() - 3);
            bytes.push((high * 16 + low, one.max(two).max(three) + 1));
        }
    }
    let (mut text, mut data) = (Vec::with_capacity(bytes.len()), Vec::with_capacity(bytes.len()));
    let mut slashes = None;
    let mut is_nested = false;
    for (byte, escapes) in bytes {
        let byte = if byte == b'\\' { b'/' } else { byte };
        text.push(byte);
        if escapes == 0 || !b"/?#@:".contains(&byte) {
            data.push(byte);
            continue;
        }
        data.extend_from_slice(ESCAPED_DELIMITER.encode_utf8(&mut [0; 4]).as_bytes());
        if byte == b'/' {
            is_nested |= slashes.is_some_and(|other| other != escapes);
            slashes = Some(escapes);
        }
    }
    let read = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
    Decoded { text: read(text), data: read(data), is_nested }
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

#[cfg(test)]
mod tests {
    use super::UriEquivalence;
    use proptest::prelude::*;

    fn is(one: &str, other: &str) -> bool {
        UriEquivalence::of(one).is(&UriEquivalence::of(other))
    }

    fn may_be(one: &str, other: &str) -> bool {
        UriEquivalence::of(one).may_be(&UriEquivalence::of_rule(other))
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
    fn a_rule_about_a_template_holds_for_all_spellings_and_for_nothing_beside_it() {
        let rows: [(&str, &[&str], &[&str]); 18] = [
            (
                "y://rows/{+path}",
                &["y://rows%2F", "y://rows", "y://ROWS/a%2Fb", "y://rows%2Fx%2F.."],
                &["y://row", "y://rowsx"],
            ),
            (
                "file:///{+path}",
                &["FILE:///", "file://localhost/", "file:/", "file:/a"],
                &["x:///", "file://h/a"],
            ),
            ("y://rows/all/{+path}", &["y://rows%2Fall%2F", "y://rows/all"], &["y://rows", "y://rows/al"]),
            (
                "y://h/{a}/{b}",
                &["y://H/1%2F2", "Y://h//2", "y://h/1%2F", "y://h/./x/2"],
                &["y://h/1", "y://h/1/2/3"],
            ),
            ("y://rows/a:b,;@+!/{id}", &["y://rows%2Fa%3Ab%2C%3B%40%2B%21%2F1"], &["y://rows/a/1"]),
            ("file://localhost/plans/{id}", &["file:///plans/1", "file:/plans/1"], &["file:///plan/1"]),
            ("file:/plans/{id}", &["file:///plans/1"], &["file:///plans/1/2"]),
            ("https://u@h:443/{id}", &["https://h/1", "HTTPS://H./1"], &["https://h/1/2", "https://i/1"]),
            ("y://h/%c3%bc/{id}", &["y://h/%C3%BC/1", "y://h/ü/1", "y://h/%C3%9C/1"], &["y://h/u/1"]),
            (
                "y://h/rows?of={team}",
                &["y://h/ROWS?of=ann", "y://h/rows?of=ann&x=1", "y://h/rows?x=1;OF=a", "y://h/rows%3Fof"],
                &["y://h/rows", "y://h/rows?x=1", "y://h/row?of=ann"],
            ),
            ("y://h/a//{id}", &["y://H/a/1"], &["y://h/b/1"]),
            ("y://h/./a/{id}", &["y://H/a/1"], &["y://h/a"]),
            ("y://h/a{;x}", &["y://H/a;x=1", "y://h/A"], &["y://h/ab", "y://h/a/b"]),
            ("y://h/a{.x}", &["y://H/a.txt", "y://h/A"], &["y://h/about"]),
            ("y://h{/x}", &["y://H/1", "y://H"], &["y://hello", "y://h/1/2"]),
            ("y://h/a{?x}", &["y://H/a?x=1", "y://h/A", "y://h/a%3Fx=1"], &["y://h/ab"]),
            ("y://h/{a}.txt", &["y://H/q%3F.txt", "Y://h/a%23b.txt"], &["y://h/q?u=.txt"]),
            ("y://p{a}/x", &["Y://pa%2Fb/x", "y://Pa%2Fb%252Fx", "Y://pa%40b/x"], &["y://pa/b/x"]),
        ];
        for (rule, closed, open) in rows {
            for uri in closed {
                assert!(may_be(uri, rule), "{uri} is of {rule}: {:?}", UriEquivalence::of(uri));
            }
            for uri in open {
                assert!(!may_be(uri, rule), "{uri} is not of {rule}: {:?}", UriEquivalence::of(uri));
            }
        }
        // A value may hold the slash that is escaped once more than another.
        assert!(may_be("y://a%2Fb%252Fc", "y://a/{x}") && !may_be("y://a%2Fb%2Fc", "y://a/{x}"));
        for uri in ["y://h/secret%2F%00", "y://h/secret%2F...", "y://h/secret%00%2Fx", "y://h/%20/secret"] {
            assert!(may_be(uri, "y://h/secret"), "{uri}: {:?}", UriEquivalence::of(uri));
        }
    }

    #[test]
    fn many_expressions_take_no_long_time_and_find_what_is_at_the_end() {
        // A search that tries one place after the other would take longer than anyone waits, or give up.
        let long = "a".repeat(20_000);
        assert!(may_be(&format!("Y://{long}!"), "y://{a}{b}{c}{d}{e}{f}!"));
        assert!(!may_be(&format!("Y://{long}"), "y://{a}{b}{c}{d}{e}{f}!"));
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

        /// What a template makes is its own in each spelling.
        #[test]
        fn each_spelling_of_what_a_template_makes_is_of_the_template(
            at in 0..9_usize,
            value in "[a-z0-9 /?#:@;,é]{1,8}",
            steps in prop::collection::vec(0..6_usize, 0..4),
        ) {
            let template = [
                "y://h/{v}", "y://h/a/{+v}", "y://h/a:b/{v}/c", "y://h{/v}", "y://h/a{;v}", "y://h/a{.v}",
                "y://h/a{?v}", "y://h/a?of={v}", "y://h/%c3%bc//{v}",
            ][at];
            let variables = serde_json::json!({ "v": value }).to_string();
            let mut uri = crate::uri_template::expand(template, &variables).expect("a template");
            for step in steps {
                let path = uri.find('/').map_or(0, |at| at + "//h".len());
                let (head, tail) = uri.split_at(path);
                uri = match step {
                    0 => head.to_uppercase() + tail,
                    1 => format!("{head}/.{tail}"),
                    2 => format!("{head}/x/%2e%2e{tail}"),
                    3 => format!("{head}{}", tail.replace('%', "%25")),
                    4 => format!("{head}{}", tail.replace('a', "%41")),
                    _ => format!("{head}{}#f", tail.split('#').next().unwrap_or_default()),
                };
            }
            prop_assert!(may_be(&uri, template), "{uri} {template}: {:?}", UriEquivalence::of(&uri));
        }

        #[test]
        fn any_text_has_a_spelling_that_is_its_own(text in "\\PC{0,40}") {
            let spelling = UriEquivalence::of(&text);
            prop_assert!(spelling.is(&spelling) && spelling.may_be(&UriEquivalence::of(&text)));
        }
    }
}
