//! The language that a user prefers, on each request, and the one of the answer (SEP-2792). Over HTTP two headers repeat them.
//!
//! A value is compared with its header character by character; what it means is another question, which [`select`] answers.

use crate::json;
use crate::protocol::meta::META;
use std::borrow::Cow;

/// In `_meta` of a request: what the user prefers, in the words of the header `Accept-Language` (RFC 9110, 12.5.4).
pub const ACCEPT: &str = "io.modelcontextprotocol/acceptLanguage";
/// In `_meta` of a result, of the data of an error and of a notification: which language it is in, as `Content-Language` says it.
pub const CONTENT: &str = "io.modelcontextprotocol/contentLanguage";
/// The header that repeats [`ACCEPT`].
pub const ACCEPT_HEADER: &str = "accept-language";
/// The header that repeats [`CONTENT`].
pub const CONTENT_HEADER: &str = "content-language";
/// The longest value that is read or sent.
const LONGEST: usize = 1024;
/// The most ranges of one value.
const RANGES: usize = 100;

/// A member of the `_meta` of an object, as it is written there; `None` if it is not a string.
pub fn of<'a>(object: &'a str, key: &str) -> Option<Cow<'a, str>> {
    json::string(json::member(json::member(object, META)?, key)?)
}

/// The language of an answer: that of its result, or of the data of its error.
pub fn of_answer(answer: &str) -> Option<Cow<'_, str>> {
    let result = json::member(answer, "result");
    let holder = result.or_else(|| json::member(json::member(answer, "error")?, "data"))?;
    of(holder, CONTENT)
}

/// One range of a preference, and its weight in thousandths.
type Range<'a> = (&'a str, u16);

/// The ranges of a preference in their order; `None` if it is not one.
pub fn ranges(value: &str) -> Option<Vec<Range<'_>>> {
    if value.len() > LONGEST {
        return None;
    }
    let mut ranges = Vec::new();
    // A list may have empty elements (RFC 9110, 5.6.1).
    for element in value.split(',').map(|it| it.trim_matches([' ', '\t'])).filter(|it| !it.is_empty()) {
        let (range, weight) = match element.split_once(';') {
            None => (element, 1000),
            Some((range, weight)) => (range.trim_end_matches([' ', '\t']), self::weight(weight)?),
        };
        if !is_range(range) || ranges.len() == RANGES {
            return None;
        }
        ranges.push((range, weight));
    }
    (!ranges.is_empty()).then_some(ranges)
}

/// `q=` with a number from 0 to 1 of at most three decimals (RFC 9110, 12.4.2), in thousandths.
fn weight(text: &str) -> Option<u16> {
    let value = text.trim_start_matches([' ', '\t']);
    let value = value.strip_prefix("q=").or_else(|| value.strip_prefix("Q="))?;
    let (whole, decimals) = value.split_once('.').unwrap_or((value, ""));
    if decimals.len() > 3 || !decimals.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let decimals: u16 = format!("{decimals:0<3}").parse().ok()?;
    match whole {
        "0" => Some(decimals),
        "1" if decimals == 0 => Some(1000),
        _ => None,
    }
}

/// A language range of RFC 4647, 2.1: a star, or subtags of letters, the first of them, and digits.
fn is_range(text: &str) -> bool {
    text == "*" || is_tag(text)
}

/// Whether a text is the tag of a language, as far as its form says.
pub fn is_tag(text: &str) -> bool {
    let mut parts = text.split('-');
    let is_part =
        |part: &str| (1..=8).contains(&part.len()) && part.bytes().all(|b| b.is_ascii_alphanumeric());
    parts.next().is_some_and(|first| is_part(first) && first.bytes().all(|b| b.is_ascii_alphabetic()))
        && parts.all(is_part)
}

/// Whether a value can stand in `Content-Language`: one tag, or several with commas between them.
pub fn is_content_language(value: &str) -> bool {
    value.len() <= LONGEST && value.split(',').all(|tag| is_tag(tag.trim_matches([' ', '\t'])))
}

/// The language of those that are offered that a preference asks for: by the look-up of RFC 4647, 3.4, the ranges by their weights. The
/// first that is offered is the one where none fits, where the value cannot be read, and where there is no preference.
pub fn select<'a>(preference: Option<&str>, offered: &[&'a str]) -> Option<&'a str> {
    let default = offered.first().copied();
    let Some(mut ranges) = preference.and_then(ranges) else { return default };
    let refused = |tag: &str, ranges: &[Range<'_>]| {
        ranges.iter().any(|(range, weight)| *weight == 0 && range.eq_ignore_ascii_case(tag))
    };
    let none: Vec<Range<'_>> = ranges.iter().copied().filter(|(_, weight)| *weight == 0).collect();
    ranges.retain(|(_, weight)| *weight > 0);
    // Of two with the same weight the first one counts.
    ranges.sort_by_key(|(_, weight)| std::cmp::Reverse(*weight));
    for (range, _) in &ranges {
        if *range == "*" {
            // Whatever no other range names.
            let named = |tag: &str| ranges.iter().any(|(other, _)| other.eq_ignore_ascii_case(tag));
            match offered.iter().find(|tag| !named(tag) && !refused(tag, &none)) {
                Some(tag) => return Some(tag),
                None => continue,
            }
        }
        let mut shorter = *range;
        loop {
            let fits = |tag: &&&str| tag.eq_ignore_ascii_case(shorter) && !refused(tag, &none);
            if let Some(tag) = offered.iter().find(fits) {
                return Some(tag);
            }
            let Some((rest, _)) = shorter.rsplit_once('-') else { break };
            // A single letter or digit goes with what was behind it.
            shorter = match rest.rsplit_once('-') {
                Some((before, single)) if single.len() == 1 => before,
                _ => rest,
            };
        }
    }
    default
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_preference_is_ranges_with_weights() {
        assert_eq!(
            ranges("fr-CA,fr;q=0.9, en;q=0.50 ,,*;q=0"),
            Some(vec![("fr-CA", 1000), ("fr", 900), ("en", 500), ("*", 0)])
        );
        assert_eq!(ranges("de ; q=1.000"), Some(vec![("de", 1000)]));
        for wrong in [
            "",
            ",",
            " ",
            "fr_CA",
            "1fr",
            "fr;q=1.1",
            "fr;q=0.1234",
            "fr;q=-0",
            "fr;q",
            "fr;",
            "fr;level=1",
            "toolonglanguage",
            "fr-",
            "é",
            "fr\r\nX: y",
            &vec!["en"; RANGES + 1].join(","),
            &format!("en,{}", ",".repeat(LONGEST)),
        ] {
            assert_eq!(ranges(wrong), None, "{wrong:?}");
        }
    }

    #[test]
    fn the_language_of_an_answer_is_chosen_by_look_up() {
        for (preference, offered, chosen) in [
            (Some("fr-CA,fr;q=0.9,en;q=0.5"), &["en", "fr", "fr-CA"][..], Some("fr-CA")),
            (Some("fr-CA,fr;q=0.9,en;q=0.5"), &["en", "fr"], Some("fr")),
            (Some("FR-ca"), &["en", "fr"], Some("fr")),
            (Some("en;q=0.5,de"), &["en", "de"], Some("de")),
            (Some("zh-Hant-CN-x-private1-private2"), &["en", "zh-Hant"], Some("zh-Hant")),
            (Some("zh-Hant-CN-x-private1"), &["en", "zh-Hant-CN-x"], Some("en")),
            (Some("ja"), &["en", "fr"], Some("en")),
            (Some("ja,*;q=0.1"), &["en", "fr"], Some("en")),
            (Some("*,en;q=0"), &["en", "fr"], Some("fr")),
            (Some("en;q=0"), &["en"], Some("en")),
            (Some("not a range"), &["en", "fr"], Some("en")),
            (None, &["en", "fr"], Some("en")),
            (Some("fr"), &[], None),
        ] {
            assert_eq!(select(preference, offered), chosen, "{preference:?} {offered:?}");
        }
    }

    #[test]
    fn the_language_of_an_answer_is_read_where_results_and_errors_have_it() {
        let meta = format!(r#"{{"_meta":{{"{CONTENT}":"fr"}}}}"#);
        for (answer, language) in [
            (format!(r#"{{"id":1,"result":{meta}}}"#), Some("fr")),
            (format!(r#"{{"id":1,"error":{{"code":1,"message":"m","data":{meta}}}}}"#), Some("fr")),
            (r#"{"id":1,"result":{}}"#.to_owned(), None),
            (format!(r#"{{"id":1,"error":{{"code":1,"message":"m","_meta":{meta}}}}}"#), None),
        ] {
            assert_eq!(of_answer(&answer).as_deref(), language, "{answer}");
        }
        assert!(is_content_language("fr") && is_content_language("mi, en") && !is_content_language("*"));
    }
}
