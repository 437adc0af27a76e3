//! URI templates (RFC 6570, all four levels): what resource templates of servers are written in. From a template and variables to a URI
//! (section 3), and which variables a URI has, told from the template that it was made from.

pub use crate::json::percent_decoded;
use crate::json::{self, Kind};
use serde_json::{Map, Value};
use std::collections::BTreeMap;

/// The largest template, and the largest URI that comes of it.
const TEMPLATE: usize = 64 * 1024;
const URI: usize = 1024 * 1024;
const VARIABLES: usize = 1024 * 1024;

/// Why a template cannot be expanded.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TemplateError {
    /// What is wrong, with its values.
    pub message: String,
    /// The expression that is wrong, without its braces.
    pub expression: Option<String>,
    /// Where the variables stop being JSON.
    pub offset: Option<usize>,
}

impl TemplateError {
    fn new(message: String) -> TemplateError {
        TemplateError { message, expression: None, offset: None }
    }
}

/// How one kind of expression writes its variables (section 3.2.1, appendix A).
struct Operator {
    first: &'static str,
    between: &'static str,
    /// Whether names are written.
    named: bool,
    /// What stands between a name and an empty value.
    if_empty: &'static str,
    /// Whether reserved characters stay as they are.
    reserved: bool,
}

fn operator(sign: Option<char>) -> Option<Operator> {
    let plain = |first, between| Operator { first, between, named: false, if_empty: "", reserved: false };
    let named =
        |first, between, if_empty| Operator { first, between, named: true, if_empty, reserved: false };
    Some(match sign {
        None => plain("", ","),
        Some('+') => Operator { reserved: true, ..plain("", ",") },
        Some('#') => Operator { reserved: true, ..plain("#", ",") },
        Some('.') => plain(".", "."),
        Some('/') => plain("/", "/"),
        Some(';') => named(";", ";", ""),
        Some('?') => named("?", "&", "="),
        Some('&') => named("&", "&", "="),
        Some(_) => return None,
    })
}

/// Expands a template. `variables` is a JSON object of strings, numbers, booleans, lists and objects of them; what is
/// missing or null expands to nothing.
///
/// # Errors
/// Which expression or variable is wrong.
pub fn expand(template: &str, variables: &str) -> Result<String, TemplateError> {
    let invalid = TemplateError::new;
    if variables.len() > VARIABLES {
        return Err(invalid(format!("the variables have {} bytes, more than {VARIABLES}", variables.len())));
    }
    let checked = json::scan_value(variables.as_bytes(), 16).map_err(|error| TemplateError {
        offset: Some(error.offset),
        ..invalid(format!("the variables are not valid JSON: {error}"))
    })?;
    if checked.kind != Kind::Object {
        return Err(invalid(format!("the variables are {}, and must be an object", checked.kind)));
    }
    if template.len() > TEMPLATE {
        return Err(invalid(format!("the template has more than {TEMPLATE} bytes")));
    }
    let variables: Map<String, Value> = serde_json::from_str(variables)
        .map_err(|error| invalid(format!("the variables are unusable: {error}")))?;
    let mut uri = String::new();
    let mut rest = template;
    while let Some(open) = rest.find(['{', '}']) {
        literal(&rest[..open], &mut uri);
        let inside = rest[open..].strip_prefix('{').and_then(|inside| inside.split_once('}'));
        let Some((expression, after)) = inside else {
            return Err(invalid(format!("unbalanced brace in the template {template}")));
        };
        expression_into(expression, &variables, &mut uri).map_err(|what| TemplateError {
            expression: Some(expression.to_owned()),
            ..invalid(format!("the expression {{{expression}}}: {what}"))
        })?;
        rest = after;
    }
    literal(rest, &mut uri);
    if uri.len() > URI {
        return Err(invalid(too_long()));
    }
    Ok(uri)
}

fn too_long() -> String {
    format!("the URI has more than {URI} bytes")
}

/// Section 3.1: what is outside of expressions stays, but for what no URI may hold.
fn literal(text: &str, out: &mut String) {
    encode(text, true, out);
}

/// Section 3.2.1: unreserved characters stay; reserved ones and escapes do where that is allowed.
fn encode(text: &str, reserved: bool, out: &mut String) {
    use std::fmt::Write as _;
    let bytes = text.as_bytes();
    for (at, &byte) in bytes.iter().enumerate() {
        let is_escape = || {
            byte == b'%'
                && bytes.get(at + 1..at + 3).is_some_and(|pair| pair.iter().all(u8::is_ascii_hexdigit))
        };
        if byte.is_ascii_alphanumeric()
            || b"-._~".contains(&byte)
            || reserved && (b":/?#[]@!$&'()*+,;=".contains(&byte) || is_escape())
        {
            out.push(char::from(byte));
        } else {
            // Writing to a string cannot fail.
            let _infallible = write!(out, "%{byte:02X}");
        }
    }
}

/// One variable of an expression, with its modifier.
struct Wanted<'a> {
    name: &'a str,
    explode: bool,
    prefix: Option<usize>,
}

fn wanted(spec: &str) -> Result<Wanted<'_>, String> {
    let (spec, explode) = spec.strip_suffix('*').map_or((spec, false), |spec| (spec, true));
    let (name, prefix) = match spec.split_once(':') {
        None => (spec, None),
        Some((name, length)) => {
            let length = length.parse().ok().filter(|length| (1..10_000).contains(length) && !explode);
            (name, Some(length.ok_or_else(|| format!("'{spec}' has no length from 1 to 9999"))?))
        }
    };
    let is_name = |c: char| c.is_ascii_alphanumeric() || "_.%".contains(c);
    if name.is_empty() || !name.chars().all(is_name) {
        return Err(format!("'{name}' is not a valid variable name"));
    }
    Ok(Wanted { name, explode, prefix })
}

/// A value as text; `None` for what is not there.
fn text(value: &Value) -> Result<Option<String>, String> {
    match value {
        Value::Null => Ok(None),
        Value::String(text) => Ok(Some(text.clone())),
        Value::Number(_) | Value::Bool(_) => Ok(Some(value.to_string())),
        Value::Array(_) | Value::Object(_) => {
            Err("a list or object is nested in a list or object".to_owned())
        }
    }
}

fn expression_into(expression: &str, variables: &Map<String, Value>, out: &mut String) -> Result<(), String> {
    let sign = expression.chars().next().filter(|c| !c.is_ascii_alphanumeric() && *c != '_' && *c != '%');
    let Some(operator) = operator(sign) else {
        return Err(format!("'{}' is not an operator", sign.unwrap_or_default()));
    };
    let list = &expression[sign.map_or(0, char::len_utf8)..];
    let mut is_first = true;
    for spec in list.split(',') {
        let wanted = wanted(spec)?;
        let Some(value) = variables.get(wanted.name) else { continue };
        for part in
            parts(value, &wanted, &operator).map_err(|what| format!("variable '{}': {what}", wanted.name))?
        {
            out.push_str(if is_first { operator.first } else { operator.between });
            is_first = false;
            out.push_str(&part);
            // A template may name one variable thousands of times.
            if out.len() > URI {
                return Err(too_long());
            }
        }
    }
    Ok(())
}

fn named(operator: &Operator, name: &str, value: &str, out: &mut String) {
    out.push_str(name);
    out.push_str(if value.is_empty() { operator.if_empty } else { "=" });
    out.push_str(value);
}

/// What one variable becomes: parts that the operator's separator goes between.
fn parts(value: &Value, wanted: &Wanted<'_>, operator: &Operator) -> Result<Vec<String>, String> {
    let encoded = |text: &str| {
        let mut out = String::new();
        encode(text, operator.reserved, &mut out);
        out
    };
    let mut parts = Vec::new();
    // Pairs of a name, where there is one, and a value.
    let mut items: Vec<(Option<String>, String)> = Vec::new();
    match value {
        Value::Array(list) => {
            for item in list {
                items.extend(text(item)?.map(|text| (None, encoded(&text))));
            }
        }
        Value::Object(members) => {
            for (name, item) in members {
                items.extend(text(item)?.map(|text| (Some(encoded(name)), encoded(&text))));
            }
        }
        scalar => {
            let Some(text) = text(scalar)? else { return Ok(parts) };
            let text: String = text.chars().take(wanted.prefix.unwrap_or(usize::MAX)).collect();
            let mut part = String::new();
            match operator.named {
                true => named(operator, wanted.name, &encoded(&text), &mut part),
                false => part.push_str(&encoded(&text)),
            }
            return Ok(vec![part]);
        }
    }
    if wanted.prefix.is_some() {
        return Err("a length is for text only".to_owned());
    }
    if items.is_empty() {
        return Ok(parts);
    }
    if wanted.explode {
        for (name, value) in items {
            let mut part = String::new();
            match (&name, operator.named) {
                (Some(name), true) => named(operator, name, &value, &mut part),
                (Some(name), false) => {
                    part.push_str(name);
                    part.push('=');
                    part.push_str(&value);
                }
                (None, true) => named(operator, wanted.name, &value, &mut part),
                (None, false) => part = value,
            }
            parts.push(part);
        }
    } else {
        let joined: Vec<String> = items
            .into_iter()
            .map(|(name, value)| name.map_or_else(|| value.clone(), |name| format!("{name},{value}")))
            .collect();
        let mut part = String::new();
        match operator.named {
            true => named(operator, wanted.name, &joined.join(","), &mut part),
            false => part.push_str(&joined.join(",")),
        }
        parts.push(part);
    }
    Ok(parts)
}

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
    let parts = template_parts(template)?;
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
        let value = percent_decoded(value)?;
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
    template_parts(template).is_some_and(|parts| {
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

fn template_parts(template: &str) -> Option<Vec<Part<'_>>> {
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

#[cfg(test)]
mod tests {
    use super::*;

    /// The variables of RFC 6570, section 3.2.
    const VARIABLES: &str = r#"{"count":["one","two","three"],"dom":["example","com"],"dub":"me/too","hello":"Hello World!",
        "half":"50%","var":"value","who":"fred","base":"http://example.com/home/","path":"/foo/bar",
        "list":["red","green","blue"],"keys":{"comma":",","dot":".","semi":";"},"v":"6","x":"1024","y":"768",
        "empty":"","empty_keys":{},"undef":null}"#;

    #[test]
    fn every_kind_of_expression_expands_as_the_rfc_says() {
        for (template, uri) in [
            ("{var}", "value"),
            ("{hello}", "Hello%20World%21"),
            ("{half}", "50%25"),
            ("O{empty}X", "OX"),
            ("O{undef}X", "OX"),
            ("{x,y}", "1024,768"),
            ("{x,hello,y}", "1024,Hello%20World%21,768"),
            ("?{x,empty}", "?1024,"),
            ("?{x,undef}", "?1024"),
            ("{var:3}", "val"),
            ("{var:30}", "value"),
            ("{list}", "red,green,blue"),
            ("{list*}", "red,green,blue"),
            ("{keys}", "comma,%2C,dot,.,semi,%3B"),
            ("{keys*}", "comma=%2C,dot=.,semi=%3B"),
            ("{+hello}", "Hello%20World!"),
            ("{+half}", "50%25"),
            ("{base}index", "http%3A%2F%2Fexample.com%2Fhome%2Findex"),
            ("{+base}index", "http://example.com/home/index"),
            ("here?ref={+path}", "here?ref=/foo/bar"),
            ("{+path:6}/here", "/foo/b/here"),
            ("{+keys*}", "comma=,,dot=.,semi=;"),
            ("{#path,x}/here", "#/foo/bar,1024/here"),
            ("X{#undef}", "X"),
            ("{#list*}", "#red,green,blue"),
            ("X{.x,y}", "X.1024.768"),
            ("www{.dom*}", "www.example.com"),
            ("X{.empty}", "X."),
            ("X{.keys*}", "X.comma=%2C.dot=..semi=%3B"),
            ("{/who,dub}", "/fred/me%2Ftoo"),
            ("{/var:1,var}", "/v/value"),
            ("{/list*,path:4}", "/red/green/blue/%2Ffoo"),
            ("{/keys}", "/comma,%2C,dot,.,semi,%3B"),
            ("{;x,y,empty}", ";x=1024;y=768;empty"),
            ("{;v,undef,who}", ";v=6;who=fred"),
            ("{;list*}", ";list=red;list=green;list=blue"),
            ("{;keys*}", ";comma=%2C;dot=.;semi=%3B"),
            ("{?x,y,empty}", "?x=1024&y=768&empty="),
            ("{?list}", "?list=red,green,blue"),
            ("{?keys*}", "?comma=%2C&dot=.&semi=%3B"),
            ("?fixed=yes{&x}", "?fixed=yes&x=1024"),
            ("{&count*}", "&count=one&count=two&count=three"),
            ("X{?empty_keys*}", "X"),
            ("caf\u{e9} {var}", "caf%C3%A9%20value"),
        ] {
            assert_eq!(expand(template, VARIABLES).as_deref(), Ok(uri), "{template}");
        }
    }

    #[test]
    fn what_is_wrong_is_named() {
        let why = |template: &str, variables: &str| expand(template, variables).expect_err("refused").message;
        assert!(why("a{b", "{}").contains("unbalanced brace"));
        assert!(why("a}b", "{}").contains("unbalanced brace"));
        assert!(why("{!a}", "{}").contains("'!' is not an operator"));
        assert!(why("{a b}", "{}").contains("'a b'"));
        assert!(why("{}", "{}").contains("not a valid variable name"));
        assert!(why("{a:0}", "{}").contains("no length"));
        assert!(why("{a:3}", r#"{"a":["x"]}"#).contains("for text only"));
        assert!(why("{a}", r#"{"a":[[1]]}"#).contains("variable 'a'"));
        assert!(why("{a}", "[]").contains("an array"));
        assert!(why("{a}", "{").contains("not valid JSON"));
        assert!(why(&"x".repeat(TEMPLATE + 1), "{}").contains("bytes"));
    }

    #[test]
    fn a_variable_that_is_named_again_and_again_does_not_fill_the_memory() {
        let variables = format!("{{\"a\":\"{}\"}}", "x".repeat(100_000));
        // 20,000 times 100 kB.
        let template = format!("{{{}}}", vec!["a"; 20_000].join(","));
        let error = expand(&template, &variables).expect_err("refused");
        assert!(error.message.contains("the URI has more than"), "{}", error.message.len());
        assert!(expand("{a}{a}", &variables).is_ok_and(|uri| uri.len() == 200_000));
    }

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

    #[cfg(feature = "server")]
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
