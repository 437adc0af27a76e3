//! What a host says of itself to a view. A view of the official package ends where a member has a value that it does not know, so that
//! everything is checked before it is sent.

use crate::json::{self, Kind, elements, member, members, string};
use std::borrow::Cow;

/// What a value has to be.
enum Rule {
    Text,
    Number,
    Boolean,
    Object(&'static [(&'static str, Rule)]),
    /// One of these texts.
    OneOf(&'static [&'static str]),
    /// An array of these texts.
    SomeOf(&'static [&'static str]),
    /// An object with any members that are objects.
    Map,
    /// An object whose members are CSS variables of the protocol.
    Variables,
    /// The definition of a tool.
    Tool,
}

const MODES: &[&str] = &["inline", "fullscreen", "pip"];

/// The members of `hostContext` (page of the protocol, "Host context").
const CONTEXT: &[(&str, Rule)] = &[
    ("toolInfo", Rule::Object(&[("tool", Rule::Tool)])),
    ("theme", Rule::OneOf(&["light", "dark"])),
    (
        "styles",
        Rule::Object(&[("variables", Rule::Variables), ("css", Rule::Object(&[("fonts", Rule::Text)]))]),
    ),
    ("displayMode", Rule::OneOf(MODES)),
    ("availableDisplayModes", Rule::SomeOf(MODES)),
    (
        "containerDimensions",
        Rule::Object(&[
            ("width", Rule::Number),
            ("maxWidth", Rule::Number),
            ("height", Rule::Number),
            ("maxHeight", Rule::Number),
        ]),
    ),
    ("locale", Rule::Text),
    ("timeZone", Rule::Text),
    ("userAgent", Rule::Text),
    ("platform", Rule::OneOf(&["web", "desktop", "mobile"])),
    ("deviceCapabilities", Rule::Object(&[("touch", Rule::Boolean), ("hover", Rule::Boolean)])),
    (
        "safeAreaInsets",
        Rule::Object(&[
            ("top", Rule::Number),
            ("right", Rule::Number),
            ("bottom", Rule::Number),
            ("left", Rule::Number),
        ]),
    ),
];

const HOST_INFO: &[(&str, Rule)] = &[("name", Rule::Text), ("version", Rule::Text)];

/// The endings of the names of CSS variables, by their beginnings.
const VARIABLES: [(&str, &[&str]); 12] = [
    ("--color-background-", COLORS),
    ("--color-text-", COLORS),
    ("--color-border-", COLORS),
    ("--color-ring-", &["primary", "secondary", "inverse", "info", "danger", "success", "warning"]),
    ("--font-weight-", &["normal", "medium", "semibold", "bold"]),
    (
        "--font-text-",
        &[
            "xs-size",
            "sm-size",
            "md-size",
            "lg-size",
            "xs-line-height",
            "sm-line-height",
            "md-line-height",
            "lg-line-height",
        ],
    ),
    ("--font-heading-", &HEADINGS),
    ("--font-", &["sans", "mono"]),
    ("--border-radius-", &["xs", "sm", "md", "lg", "xl", "full"]),
    ("--border-width-", &["regular"]),
    ("--shadow-", &["hairline", "sm", "md", "lg"]),
    ("--", &[]),
];
const COLORS: &[&str] = &[
    "primary",
    "secondary",
    "tertiary",
    "inverse",
    "ghost",
    "info",
    "danger",
    "success",
    "warning",
    "disabled",
];
const HEADINGS: [&str; 14] = [
    "xs-size",
    "sm-size",
    "md-size",
    "lg-size",
    "xl-size",
    "2xl-size",
    "3xl-size",
    "xs-line-height",
    "sm-line-height",
    "md-line-height",
    "lg-line-height",
    "xl-line-height",
    "2xl-line-height",
    "3xl-line-height",
];

/// What is wrong with a `hostContext`, or with changed members of one.
pub(super) fn context_fault(context: &str) -> Option<String> {
    object_fault("hostContext", context, CONTEXT)
}

/// What is wrong with a `hostInfo`, which has a name and a version.
pub(super) fn host_info_fault(info: &str) -> Option<String> {
    let missing = HOST_INFO.iter().find(|(name, _)| member(info, name).is_none());
    object_fault("hostInfo", info, HOST_INFO)
        .or_else(|| missing.map(|(name, _)| format!("'hostInfo' needs '{name}'")))
}

/// What is wrong with `hostCapabilities`: each member is an object.
pub(super) fn capabilities_fault(capabilities: &str) -> Option<String> {
    fault("hostCapabilities", capabilities, &Rule::Map)
}

/// The display modes of a list, as far as the protocol has them. `None` without a list.
pub(super) fn modes(list: Option<&str>) -> Option<Vec<String>> {
    let list = list.filter(|list| json::kind(list) == Some(Kind::Array))?;
    let known = elements(list).filter_map(string).filter(|mode| MODES.contains(&mode.as_ref()));
    Some(known.map(Cow::into_owned).collect())
}

fn object_fault(at: &str, value: &str, rules: &[(&str, Rule)]) -> Option<String> {
    if json::kind(value) != Some(Kind::Object) {
        return Some(format!("'{at}' is not an object"));
    }
    rules.iter().find_map(|(name, rule)| fault(&format!("{at}.{name}"), member(value, name)?, rule))
}

fn fault(at: &str, value: &str, rule: &Rule) -> Option<String> {
    let kind = json::kind(value);
    let is_one_of =
        |value: &str, all: &[&str]| string(value).is_some_and(|text| all.contains(&text.as_ref()));
    let wrong = |needed: &str| Some(format!("'{at}' is not {needed}"));
    match rule {
        Rule::Text if kind != Some(Kind::String) => wrong("a string"),
        Rule::Number
            if json::double(value.as_bytes()).is_none_or(|number| !number.is_finite() || number < 0.0) =>
        {
            wrong("a number from 0 on")
        }
        Rule::Boolean if !matches!(kind, Some(Kind::True | Kind::False)) => wrong("a boolean"),
        Rule::OneOf(all) if !is_one_of(value, all) => wrong(&format!("one of {}", all.join(", "))),
        Rule::SomeOf(all) if kind != Some(Kind::Array) || !elements(value).all(|one| is_one_of(one, all)) => {
            wrong(&format!("an array of {}", all.join(", ")))
        }
        Rule::Object(rules) => object_fault(at, value, rules),
        Rule::Map => object_fault(at, value, &[]).or_else(|| {
            let other = members(value).find(|(_, value)| json::kind(value) != Some(Kind::Object));
            other.map(|(name, _)| format!("'{at}.{name}' is not an object"))
        }),
        Rule::Variables => object_fault(at, value, &[]).or_else(|| {
            members(value).find_map(|(name, value)| {
                if !is_variable(name) {
                    return Some(format!("'{at}' has '{name}', which is not a variable of the protocol"));
                }
                fault(&format!("{at}.{name}"), value, &Rule::Text)
            })
        }),
        Rule::Tool => object_fault(at, value, &[("name", Rule::Text), ("inputSchema", Rule::Object(&[]))])
            .or_else(|| {
                ["name", "inputSchema"]
                    .into_iter()
                    .find(|needed| member(value, needed).is_none())
                    .map(|needed| format!("'{at}' needs '{needed}'"))
            }),
        Rule::Text | Rule::Number | Rule::Boolean | Rule::OneOf(_) | Rule::SomeOf(_) => None,
    }
}

fn is_variable(name: &str) -> bool {
    VARIABLES.iter().any(|(begin, ends)| name.strip_prefix(begin).is_some_and(|end| ends.contains(&end)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_view_would_not_take_is_refused_by_its_place() {
        for good in [
            "{}",
            r#"{"theme":"dark","displayMode":"inline","availableDisplayModes":["inline","pip"],"platform":"desktop"}"#,
            r##"{"styles":{"variables":{"--color-text-primary":"#000","--font-heading-3xl-line-height":"1","--shadow-hairline":"0"},"css":{"fonts":""}}}"##,
            r#"{"containerDimensions":{"width":400,"maxHeight":600.5},"deviceCapabilities":{"touch":true},"x-own":7}"#,
            r#"{"toolInfo":{"id":1,"tool":{"name":"t","inputSchema":{"type":"object"}}}}"#,
        ] {
            assert_eq!(context_fault(good), None, "{good}");
        }
        for (bad, told) in [
            ("[]", "'hostContext' is not an object"),
            (r#"{"theme":"blue"}"#, "'hostContext.theme' is not one of light, dark"),
            (
                r#"{"availableDisplayModes":["inline","big"]}"#,
                "'hostContext.availableDisplayModes' is not an array of inline",
            ),
            (r#"{"styles":{"variables":{"--mine":"1"}}}"#, "has '--mine', which is not a variable"),
            (r#"{"styles":{"variables":{"--color-text-":"1"}}}"#, "has '--color-text-'"),
            (r#"{"styles":{"variables":{"--font-sans":1}}}"#, "--font-sans' is not a string"),
            (
                r#"{"containerDimensions":{"width":-1}}"#,
                "'hostContext.containerDimensions.width' is not a number from 0 on",
            ),
            (r#"{"deviceCapabilities":{"hover":1}}"#, "hover' is not a boolean"),
            (r#"{"toolInfo":{"tool":{"name":"t"}}}"#, "'hostContext.toolInfo.tool' needs 'inputSchema'"),
            (r#"{"locale":7}"#, "'hostContext.locale' is not a string"),
        ] {
            let fault = context_fault(bad).unwrap_or_default();
            assert!(fault.contains(told), "{bad}: {fault}");
        }
        assert_eq!(host_info_fault(r#"{"name":"h"}"#).as_deref(), Some("'hostInfo' needs 'version'"));
        assert_eq!(
            capabilities_fault(r#"{"openLinks":{},"logging":true}"#).as_deref(),
            Some("'hostCapabilities.logging' is not an object")
        );
    }
}
