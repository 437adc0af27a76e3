//! Capabilities. Those of a client the application declares once; each revision receives those that it has. Those of a server are
//! found by pointers of [`super::method::needed_server_capability`].

use super::content::APP_EXTENSION;
use super::lenient;
use super::revision::Revision;
use crate::json;
use serde_json::{Map, Value};

/// The capabilities object to declare at `revision`, as JSON text.
///
/// What the revision does not know is left out: no `elicitation` before 2025-06-18, its modes and those of `sampling`
/// only from 2025-11-25, `tasks` only there, `roots.listChanged` only in the legacy era, `extensions` only in the modern
/// one, but for MCP Apps, whose page has it in every handshake. `experimental` passes through.
pub fn declared_at(capabilities: &Map<String, Value>, revision: Revision) -> String {
    let has = revision.differences();
    let mut declared = Map::new();
    for (name, value) in capabilities {
        let value = match name.as_str() {
            "extensions" if !has.extensions => match value.get(APP_EXTENSION).filter(|it| says(it)) {
                Some(apps) => serde_json::json!({ APP_EXTENSION: apps }),
                None => continue,
            },
            name if !is_known(name, revision) || !says(value) => continue,
            "elicitation" | "sampling" if !has.capability_modes => Value::Object(Map::new()),
            "roots" if !has.roots_list_changed => Value::Object(Map::new()),
            _ => value.clone(),
        };
        declared.insert(name.clone(), value);
    }
    Value::Object(declared).to_string()
}

/// The same capabilities without one extension.
pub fn without_extension(capabilities: &Map<String, Value>, id: &str) -> Map<String, Value> {
    let mut capabilities = capabilities.clone();
    if let Some(Value::Object(extensions)) = capabilities.get_mut("extensions") {
        extensions.remove(id);
        if extensions.is_empty() {
            capabilities.remove("extensions");
        }
    }
    capabilities
}

/// Whether the extension `id` is among the capabilities.
pub fn has_extension(capabilities: &Map<String, Value>, id: &str) -> bool {
    capabilities.get("extensions").and_then(|extensions| extensions.get(id)).is_some_and(says)
}

/// Whether `name` is among the capabilities that are declared at `revision`.
pub fn is_declared(capabilities: &Map<String, Value>, name: &str, revision: Revision) -> bool {
    capabilities.get(name).is_some_and(says) && is_known(name, revision)
}

/// Whether a value of capabilities declares something: it is neither null nor false. See [`super::lenient::declares`] for text.
pub fn says(value: &Value) -> bool {
    !matches!(value, Value::Null | Value::Bool(false))
}

/// Whether a server may elicit in the mode that the parameters of its request name: no mode is a form, and a capability
/// without modes is for forms (2025-11-25 `client/elicitation`; before, there was nothing else).
pub fn allows_elicitation(
    capabilities: &Map<String, Value>,
    params: Option<&str>,
    revision: Revision,
) -> bool {
    let declared =
        |mode: &str| capabilities.get("elicitation").and_then(|modes| modes.get(mode)).is_some_and(says);
    allows_mode(declared, params, revision)
}

/// The same of a client that declared these modes.
pub fn allows_mode(declared: impl Fn(&str) -> bool, params: Option<&str>, revision: Revision) -> bool {
    if !revision.differences().capability_modes {
        return true;
    }
    let mode = params.and_then(|params| json::member(params, "mode")).and_then(json::string);
    match mode.as_deref() {
        None | Some("form") => declared("form") || !declared("url"),
        Some("url") => declared("url"),
        Some(_) => false,
    }
}

fn is_known(name: &str, revision: Revision) -> bool {
    let has = revision.differences();
    match name {
        "elicitation" => has.elicitation,
        "tasks" => has.core_tasks,
        "extensions" => has.extensions,
        _ => true,
    }
}

/// The levels of log messages, from the least to the most severe (RFC 5424).
pub const LOG_LEVELS: [&str; 8] =
    ["debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"];

/// Whether `capabilities` (a JSON object) has what a pointer of [`super::method::needed_server_capability`] names: what is there and
/// neither null nor false is declared. PHP writes an empty object as an empty array.
pub fn server_has(capabilities: &str, pointer: &str) -> bool {
    json::pointer(capabilities, pointer).ok().flatten().is_some_and(lenient::is_declared)
}

/// What servers have and do not say so: a client asks for it whatever the server declared, and the answer tells.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AskedAnyway {
    /// `tools`
    Tools,
    /// `resources`
    Resources,
    /// `prompts`
    Prompts,
}

impl AskedAnyway {
    /// Each of them, in their order.
    pub const ALL: [AskedAnyway; 3] = [AskedAnyway::Tools, AskedAnyway::Resources, AskedAnyway::Prompts];

    /// The name of its capability.
    pub fn name(self) -> &'static str {
        match self {
            AskedAnyway::Tools => "tools",
            AskedAnyway::Resources => "resources",
            AskedAnyway::Prompts => "prompts",
        }
    }

    /// Its pointer among those of [`super::method::needed_server_capability`].
    pub fn pointer(self) -> &'static str {
        match self {
            AskedAnyway::Tools => "/tools",
            AskedAnyway::Resources => "/resources",
            AskedAnyway::Prompts => "/prompts",
        }
    }
}

/// Whether a client that asks for all that a server has asks for a feature, too: for tools always, and for what the server does not
/// declare if it declares none of them. So a server that says what it has is spared requests that it would refuse.
pub fn may_have(feature: &str, is_declared: impl Fn(&str) -> bool) -> bool {
    feature == "tools"
        || is_declared(feature)
        || !AskedAnyway::ALL.iter().any(|other| is_declared(other.name()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::Revision;
    use crate::protocol::method::*;
    use serde_json::json;

    fn cut(capabilities: &Value, revision: Revision) -> Value {
        let text = declared_at(capabilities.as_object().expect("an object"), revision);
        serde_json::from_str(&text).expect("JSON")
    }

    #[test]
    fn a_server_that_does_not_say_what_it_has_is_asked_for_each() {
        for (declared, asked) in [
            (&[][..], &["tools", "resources", "prompts"][..]),
            (&["logging"], &["tools", "resources", "prompts"]),
            (&["tools"], &["tools"]),
            (&["prompts"], &["tools", "prompts"]),
            (&["resources", "tools"], &["tools", "resources"]),
        ] {
            let found: Vec<&str> = AskedAnyway::ALL
                .iter()
                .map(|feature| feature.name())
                .filter(|feature| may_have(feature, |name| declared.contains(&name)))
                .collect();
            assert_eq!(found, asked, "{declared:?}");
        }
    }

    #[test]
    fn what_is_asked_for_anyway_is_what_needs_just_these_capabilities() {
        for (method, pointer) in [
            TOOLS_LIST,
            TOOLS_CALL,
            RESOURCES_LIST,
            "resources/templates/list",
            "resources/read",
            "prompts/list",
            "prompts/get",
            "resources/subscribe",
            "completion/complete",
            "logging/setLevel",
            "ping",
        ]
        .map(|method| (method, needed_server_capability(method, Revision::V2025_11_25)))
        {
            let about = AskedAnyway::ALL
                .into_iter()
                .find(|it| pointer.is_some_and(|(pointer, _)| pointer == it.pointer()));
            assert_eq!(find(method).and_then(Method::asked_anyway), about, "{method}");
        }
    }

    #[test]
    fn a_mode_is_allowed_where_it_was_declared_and_a_form_where_no_mode_was() {
        let allows = |elicitation: Value, params: &str, revision: Revision| {
            let capabilities = json!({ "elicitation": elicitation });
            allows_elicitation(capabilities.as_object().expect("an object"), Some(params), revision)
        };
        for revision in [Revision::V2025_11_25, Revision::V2026_07_28] {
            assert!(
                allows(json!({}), "{}", revision)
                    && allows(json!({"form": {}}), r#"{"mode":"form"}"#, revision)
            );
            assert!(!allows(json!({}), r#"{"mode":"url"}"#, revision));
            assert!(!allows(json!({"url": {}}), "{}", revision));
            assert!(allows(json!({"form": {}, "url": {}}), r#"{"mode":"url"}"#, revision));
            assert!(!allows(json!({"form": {}, "url": {}}), r#"{"mode":"voice"}"#, revision));
        }
        assert!(allows(json!({"url": {}}), "{}", Revision::V2025_06_18), "there are only forms");
    }

    #[test]
    fn an_extension_can_be_left_out() {
        let with = json!({"roots": {}, "extensions": {"a/x": {}, "b/y": {"k": 1}}});
        let with = with.as_object().expect("an object");
        assert!(has_extension(with, "a/x") && !has_extension(with, "c/z"));
        let without = without_extension(with, "a/x");
        assert_eq!(Value::Object(without.clone()), json!({"roots": {}, "extensions": {"b/y": {"k": 1}}}));
        assert_eq!(Value::Object(without_extension(&without, "b/y")), json!({"roots": {}}));
    }

    #[test]
    fn each_revision_sees_only_what_it_knows() {
        let all = json!({
            "roots": {"listChanged": true}, "sampling": {"tools": {}}, "elicitation": {"form": {}, "url": {}},
            "tasks": {"list": {}}, "extensions": {"io.example/x": {}}, "experimental": {"y": {}}
        });
        assert_eq!(
            cut(&all, Revision::V2024_11_05),
            json!({"roots": {"listChanged": true}, "sampling": {}, "experimental": {"y": {}}})
        );
        assert_eq!(
            cut(&all, Revision::V2025_06_18),
            json!({"roots": {"listChanged": true}, "sampling": {}, "elicitation": {}, "experimental": {"y": {}}})
        );
        assert_eq!(
            cut(&all, Revision::V2025_11_25),
            json!({"roots": {"listChanged": true}, "sampling": {"tools": {}}, "elicitation": {"form": {}, "url": {}},
                   "tasks": {"list": {}}, "experimental": {"y": {}}})
        );
        assert_eq!(
            cut(&all, Revision::V2026_07_28),
            json!({"roots": {}, "sampling": {"tools": {}}, "elicitation": {"form": {}, "url": {}},
                   "extensions": {"io.example/x": {}}, "experimental": {"y": {}}})
        );
    }

    #[test]
    fn pages_of_tools_are_declared_at_each_revision() {
        let apps = json!({"extensions": {"io.example/x": {}, APP_EXTENSION: {"mimeTypes": ["text/html;profile=mcp-app"]}}});
        for revision in Revision::ALL {
            let mut expected = apps.clone();
            if revision != Revision::V2026_07_28 {
                expected["extensions"].as_object_mut().expect("an object").remove("io.example/x");
            }
            assert_eq!(cut(&apps, revision), expected, "{revision:?}");
        }
        let denied = json!({"extensions": {APP_EXTENSION: false}});
        assert_eq!(cut(&denied, Revision::V2025_11_25), json!({}));
    }

    #[test]
    fn a_capability_is_what_is_there_and_neither_null_nor_false() {
        let capabilities =
            r#"{"tools":{},"resources":{"subscribe":true,"listChanged":false},"prompts":null}"#;
        let has = |method| {
            needed_server_capability(method, Revision::V2025_11_25)
                .is_none_or(|(pointer, _)| server_has(capabilities, pointer))
        };
        assert!(has(TOOLS_CALL) && has(RESOURCES_READ) && has(SUBSCRIBE) && has(PING));
        assert!(super::server_has(r#"{"prompts":[]}"#, "/prompts"), "an empty object of PHP");
        assert!(!has(PROMPTS_GET) && !has(COMPLETE) && !has(SET_LEVEL) && !has(SKILLS_LIST));
        let (pointer, _) = needed_server_capability(SKILLS_GET, Revision::V2026_07_28).expect("a capability");
        assert!(super::server_has(r#"{"extensions":{"io.modelcontextprotocol/skills":{}}}"#, pointer));
    }
}
