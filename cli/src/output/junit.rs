//! Results of checks in the XML of `JUnit`, which systems for continuous integration read.

use mcp::client::visible::visible;
use std::fmt::Write as _;
use std::time::Duration;

/// A check.
#[derive(Clone, Debug, Default)]
pub struct Case {
    /// What it is about.
    pub class: String,
    pub name: String,
    pub taken: Duration,
    /// Why it failed.
    pub failure: Option<String>,
    /// What is told of one that did not fail.
    pub note: String,
}

/// A suite of checks as a document.
pub fn junit(suite: &str, cases: &[Case]) -> String {
    let failed = cases.iter().filter(|case| case.failure.is_some()).count();
    let time: Duration = cases.iter().map(|case| case.taken).sum();
    let counts =
        format!("tests=\"{}\" failures=\"{failed}\" time=\"{:.3}\"", cases.len(), time.as_secs_f64());
    let name = attribute(suite);
    let mut out = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"{name}\" {counts}>\n  <testsuite name=\"{name}\" {counts}>\n"
    );
    for case in cases {
        let _infallible = write!(
            out,
            "    <testcase classname=\"{}\" name=\"{}\" time=\"{:.3}\"",
            attribute(&case.class),
            attribute(&case.name),
            case.taken.as_secs_f64()
        );
        let _infallible = match &case.failure {
            Some(why) => write!(
                out,
                "><failure message=\"{}\">{}</failure></testcase>",
                attribute(why.lines().next().unwrap_or_default()),
                escaped(why)
            ),
            None if case.note.is_empty() => write!(out, "/>"),
            None => write!(out, "><system-out>{}</system-out></testcase>", escaped(&case.note)),
        };
        out.push('\n');
    }
    out.push_str("  </testsuite>\n</testsuites>\n");
    out
}

/// A text in XML 1.0, which has no control characters; those that hide others are shown.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in visible(text).chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\u{fffe}' | '\u{ffff}' => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out
}

/// The same where line breaks and tabs would be read as spaces.
fn attribute(text: &str) -> String {
    escaped(text).replace('\n', "&#10;").replace('\t', "&#9;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_of_others_stay_texts() {
        let odd = "a<b> & \"c\"\n\u{1b}[2J\u{0}\u{202e}\u{ffff}";
        let case = Case {
            class: odd.to_owned(),
            name: odd.to_owned(),
            failure: Some(odd.to_owned()),
            ..Case::default()
        };
        let text = junit(odd, &[case, Case { note: "<fine>".to_owned(), ..Case::default() }]);
        assert!(text.contains("tests=\"2\" failures=\"1\" time=\"0.000\""), "{text}");
        assert!(text.contains("name=\"a&lt;b&gt; &amp; &quot;c&quot;&#10;"), "{text}");
        assert!(text.contains("<system-out>&lt;fine&gt;</system-out>"), "{text}");
        assert!(!text.contains(['\u{1b}', '\u{0}', '\u{202e}', '\u{ffff}']), "{text}");
        assert_eq!(text.matches("<testcase").count(), 2);
    }
}
