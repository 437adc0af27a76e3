//! Which variables a URI has, told from the template that it was made from: the way back from [`expand`](super::expand).
//!
//! The URI is compared as it is written, escapes and all; each value is decoded once. An expression without an operator
//! does not cross a slash, as no value that was expanded by it can hold one unescaped (RFC 6570, section 3.2.2).

use super::expand::literal;
#[cfg(feature = "server")]
use super::expand::{TemplateError, expand};
use std::collections::BTreeMap;

/// How many places a search may try: it ends with no match then, and never takes long.
const STEPS: usize = 50_000;

/// Whether `template` can be used.
///
/// # Errors
/// What [`expand`] would say of it.
#[cfg(feature = "server")]
pub fn check(template: &str) -> Result<(), TemplateError> {
    expand(template, "{}").map(drop)
}

/// The variables of `uri`, decoded, if it can come from `template`. A variable that occurs twice must have one value.
pub fn matches(template: &str, uri: &str) -> Option<BTreeMap<String, String>> {
    let parts = parts(template)?;
    let mut values = Vec::new();
    // A dot may be in a value as well as in front of one: where every variable can have a value, each has one.
    let found = [true, false].into_iter().any(|complete| {
        values.clear();
        Search { parts: &parts, steps: STEPS, complete }.run(0, uri, &mut values)
    });
    if !found {
        return None;
    }
    let mut variables = BTreeMap::new();
    for (name, value) in values {
        let value = decoded(value)?;
        match variables.get(name) {
            Some(other) if *other != value => return None,
            _ => variables.insert(name.to_owned(), value),
        };
    }
    Some(variables)
}

/// Whether `template` has that variable.
#[cfg(feature = "server")]
pub fn has_variable(template: &str, name: &str) -> bool {
    parts(template).is_some_and(|parts| {
        parts.iter().any(|part| match part {
            Part::Literal(_) => false,
            Part::Variable { name: variable, .. } => *variable == name,
            Part::Query { names, .. } => names.contains(&name),
        })
    })
}

/// A part of a template.
enum Part<'t> {
    /// Text, encoded as it stands in a URI.
    Literal(String),
    /// One variable, after this text, with or without its name in front; reserved characters may be in the value.
    Variable { name: &'t str, before: &'static str, named: bool, reserved: bool, optional: bool },
    /// The variables of a query, in any order.
    Query { names: Vec<&'t str>, begin: char },
}

fn parts(template: &str) -> Option<Vec<Part<'_>>> {
    let mut parts = Vec::new();
    let mut rest = template;
    while let Some((text, after)) = rest.split_once('{') {
        push_literal(text, &mut parts);
        let (expression, after) = after.split_once('}')?;
        push_expression(expression, &mut parts);
        rest = after;
    }
    push_literal(rest, &mut parts);
    Some(parts)
}

fn push_literal(text: &str, parts: &mut Vec<Part<'_>>) {
    if !text.is_empty() {
        let mut encoded = String::new();
        literal(text, &mut encoded);
        parts.push(Part::Literal(encoded));
    }
}

fn push_expression<'t>(expression: &'t str, parts: &mut Vec<Part<'t>>) {
    let operator = expression.chars().next().filter(|c| "+#./;?&".contains(*c));
    let names = expression.get(operator.map_or(0, char::len_utf8)..).unwrap_or_default();
    // Modifiers say how a value was cut or repeated; the name is before them.
    let names = names.split(',').map(|name| name.split([':', '*']).next().unwrap_or_default());
    let (first, later, named, reserved) = match operator {
        Some(begin @ ('?' | '&')) => {
            parts.push(Part::Query { names: names.collect(), begin });
            return;
        }
        Some('+') => ("", ",", false, true),
        Some('#') => ("#", ",", false, true),
        Some('.') => (".", ".", false, false),
        Some('/') => ("/", "/", false, false),
        Some(';') => (";", ";", true, false),
        _ => ("", ",", false, false),
    };
    for (index, name) in names.enumerate() {
        let before = if index == 0 { first } else { later };
        parts.push(Part::Variable { name, before, named, reserved, optional: !before.is_empty() });
    }
}

struct Search<'p, 't> {
    parts: &'p [Part<'t>],
    steps: usize,
    /// Whether every expression must have made something.
    complete: bool,
}

impl<'t> Search<'_, 't> {
    /// Whether the parts from `index` on make up all of `rest`; the values are appended.
    fn run<'u>(&mut self, index: usize, rest: &'u str, values: &mut Vec<(&'t str, &'u str)>) -> bool {
        if self.steps == 0 {
            return false;
        }
        self.steps -= 1;
        let Some(part) = self.parts.get(index) else { return rest.is_empty() };
        match part {
            Part::Literal(text) => {
                rest.strip_prefix(text.as_str()).is_some_and(|rest| self.run(index + 1, rest, values))
            }
            Part::Query { names, begin } => self.query(index, names, *begin, rest, values),
            Part::Variable { name, before, named, reserved, optional } => {
                let known = values.len();
                let value = rest.strip_prefix(before).and_then(|value| {
                    if *named {
                        value.strip_prefix(name).map(|value| value.strip_prefix('=').unwrap_or(value))
                    } else {
                        Some(value)
                    }
                });
                if let Some(value) = value {
                    for end in ends(value, *reserved) {
                        values.truncate(known);
                        values.push((name, &value[..end]));
                        if self.run(index + 1, &value[end..], values) {
                            return true;
                        }
                    }
                }
                values.truncate(known);
                *optional && !self.complete && self.run(index + 1, rest, values)
            }
        }
    }

    fn query<'u>(
        &mut self,
        index: usize,
        names: &[&'t str],
        begin: char,
        rest: &'u str,
        values: &mut Vec<(&'t str, &'u str)>,
    ) -> bool {
        let known = values.len();
        if let Some(query) = rest.strip_prefix(begin) {
            let (query, after) = query.split_at(query.find('#').unwrap_or(query.len()));
            let all = query.split('&').all(|pair| {
                let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
                let known = names.iter().find(|known| **known == name);
                known.map(|name| values.push((name, value))).is_some()
            });
            if all && self.run(index + 1, after, values) {
                return true;
            }
        }
        values.truncate(known);
        !self.complete && self.run(index + 1, rest, values)
    }
}

/// Where a value may end, the longest first.
fn ends(value: &str, reserved: bool) -> impl Iterator<Item = usize> + use<> {
    let may_hold = |byte: &u8| {
        byte.is_ascii_alphanumeric()
            || b"-._~%".contains(byte)
            || reserved && b":/?#[]@!$&'()*+,;=".contains(byte)
    };
    let longest = value.as_bytes().iter().take_while(|byte| may_hold(byte)).count();
    (0..=longest).rev()
}

/// The value with its escapes decoded; `None` where they make no UTF-8.
fn decoded(value: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(value.len());
    let mut rest = value.bytes();
    while let Some(byte) = rest.next() {
        if byte == b'%' {
            let digit = |byte: Option<u8>| char::from(byte?).to_digit(16);
            let (high, low) = (digit(rest.next())?, digit(rest.next())?);
            bytes.push(u8::try_from(high * 16 + low).ok()?);
        } else {
            bytes.push(byte);
        }
    }
    String::from_utf8(bytes).ok()
}

#[cfg(all(test, feature = "server"))]
mod tests {
    use super::*;

    fn matched(template: &str, uri: &str) -> Option<Vec<(String, String)>> {
        matches(template, uri).map(|variables| variables.into_iter().collect())
    }

    fn pairs(pairs: &[(&str, &str)]) -> Vec<(String, String)> {
        pairs.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
    }

    #[test]
    fn a_variable_does_not_cross_a_slash_unless_it_may() {
        assert_eq!(matched("file:///{path}", "file:///a"), Some(pairs(&[("path", "a")])));
        assert_eq!(matched("file:///{path}", "file:///a/b"), None);
        assert_eq!(matched("file:///{+path}", "file:///a/b"), Some(pairs(&[("path", "a/b")])));
        assert_eq!(matched("x://{a}/{b}", "x://1/2"), Some(pairs(&[("a", "1"), ("b", "2")])));
    }

    #[test]
    fn a_template_has_the_variables_of_all_its_expressions() {
        let template = "x://{a}/{+b,c:3}{/d*}{;e}{?f,g}{&h}";
        for name in ["a", "b", "c", "d", "e", "f", "g", "h"] {
            assert!(has_variable(template, name), "{name}");
        }
        for name in ["", "x", "i", "a,b", "c:3", "d*"] {
            assert!(!has_variable(template, name), "{name}");
        }
        assert!(!has_variable("x://{a", "a"), "a template that cannot be used");
    }

    #[test]
    fn a_value_is_decoded_once() {
        assert_eq!(matched("x://{a}", "x://a%2Fb"), Some(pairs(&[("a", "a/b")])));
        assert_eq!(matched("x://{a}", "x://a%252Fb"), Some(pairs(&[("a", "a%2Fb")])));
        assert_eq!(matched("x://{a}", "x://%FF"), None);
        assert_eq!(matched("x://{a}", "x://%4"), None);
    }

    #[test]
    fn literals_are_compared_as_they_stand_in_a_uri() {
        assert_eq!(matched("x://a b/{c}", "x://a%20b/1"), Some(pairs(&[("c", "1")])));
        assert_eq!(matched("x://a/{c}", "x://b/1"), None);
        assert_eq!(matched("x://a", "x://a"), Some(pairs(&[])));
        assert_eq!(matched("x://a", "x://ab"), None);
    }

    #[test]
    fn a_query_has_its_variables_in_any_order_and_no_others() {
        assert_eq!(matched("x://s{?q,n}", "x://s?n=2&q=a"), Some(pairs(&[("n", "2"), ("q", "a")])));
        assert_eq!(matched("x://s{?q,n}", "x://s"), Some(pairs(&[])));
        assert_eq!(matched("x://s{?q,n}", "x://s?z=1"), None);
    }

    #[test]
    fn what_expand_makes_is_matched_again() {
        for (template, variables) in [
            ("a://{x}/{y}", r#"{"x":"1 2","y":"é"}"#),
            ("a://h{/x,y}", r#"{"x":"1","y":"2"}"#),
            ("a://h/{x}{.y}", r#"{"x":"n","y":"txt"}"#),
            ("a://h/{x}{.y}", r#"{"x":"n.m","y":"txt"}"#),
            ("a://h/{x}{.y}", r#"{"x":"n"}"#),
            ("a://h{;x}", r#"{"x":"1"}"#),
            ("a://h{#x}", r#"{"x":"p/q"}"#),
        ] {
            let uri = expand(template, variables).expect("a template");
            let wanted: BTreeMap<String, String> = serde_json::from_str(variables).expect("strings");
            assert_eq!(matches(template, &uri), Some(wanted), "{template} {uri}");
        }
    }

    #[test]
    fn a_hostile_uri_takes_no_long_time() {
        let template = "{a}{b}{c}{d}{e}{f}!";
        assert_eq!(matches(template, &"a".repeat(5_000)), None);
    }
}
