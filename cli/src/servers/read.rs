//! The formats of the files: JSON with comments, TOML, and what each program calls the keys of a server.

use super::Found;
use super::sources::{Layout, Place};
use jsonc_parser::ParseOptions;
use serde_json::{Map, Value};

/// Keys that mean the same in every program and in the library.
const SAME: [&str; 8] = ["command", "args", "env", ENV_FILE, "cwd", "url", "headers", "auth"];
/// A file with variables for a server that is started, as VS Code and Cursor have it.
pub const ENV_FILE: &str = "envFile";
/// Keys that choose among the tools of a server; this program shows all of them.
const FILTERS: [&str; 6] =
    ["includeTools", "excludeTools", "enabled_tools", "disabled_tools", "enabledTools", "disabledTools"];
/// Other names of `url`.
const URLS: [&str; 2] = ["serverUrl", "httpUrl"];

/// The servers of a file; the error says why it cannot be used.
pub fn servers(place: &Place, text: &str) -> Result<Vec<Found>, String> {
    let tree = if place.layout == Layout::Codex { toml(text)? } else { jsonc(text)? };
    let lists = match place.layout {
        Layout::Json(key) => vec![tree.get(key)],
        Layout::Codex => vec![tree.get("mcp_servers")],
        Layout::Zed => vec![tree.get("context_servers")],
        Layout::ClaudeCode => claude_code(&tree),
    };
    let mut found = Vec::new();
    for (name, entry) in lists.into_iter().flatten().filter_map(Value::as_object).flatten() {
        let Value::Object(entry) = entry else { continue };
        let (config, references) = match place.layout {
            Layout::Codex => codex(entry),
            Layout::Zed => (zed(entry), Map::new()),
            _ => (plain(entry), Map::new()),
        };
        // An extension of an editor is started by the editor, which alone knows how.
        if place.layout == Layout::Zed && !config.contains_key("command") && !config.contains_key("url") {
            continue;
        }
        let is = |key: &str, wanted: bool| entry.get(key).and_then(Value::as_bool) == Some(wanted);
        found.push(Found {
            name: name.clone(),
            source: place.source,
            path: place.path.clone(),
            is_of_project: place.project.is_some(),
            is_disabled: is("disabled", true) || is("enabled", false),
            config,
            references,
            unheeded: FILTERS.into_iter().filter(|key| entry.contains_key(*key)).collect(),
            dialect: place.dialect,
        });
    }
    Ok(found)
}

fn jsonc(text: &str) -> Result<Value, String> {
    let text = text.trim_start_matches('\u{feff}');
    if text.trim().is_empty() {
        return Ok(Value::Null);
    }
    let options = ParseOptions {
        allow_comments: true,
        allow_loose_object_property_names: false,
        allow_trailing_commas: true,
    };
    jsonc_parser::parse_to_serde_value(text, &options)
        .map(Option::unwrap_or_default)
        .map_err(|error| error.to_string())
}

fn toml(text: &str) -> Result<Value, String> {
    let table: toml::Table = text.parse().map_err(|error: toml::de::Error| error.message().to_owned())?;
    serde_json::to_value(table).map_err(|error| error.to_string())
}

/// The servers of this folder or one above it, then those of the person.
fn claude_code(tree: &Value) -> Vec<Option<&Value>> {
    let here = std::env::current_dir().unwrap_or_default();
    let projects = tree.get("projects").and_then(Value::as_object);
    let local =
        here.ancestors().filter_map(|folder| projects?.get(folder.to_str()?)).map(|it| it.get("mcpServers"));
    local.chain([tree.get("mcpServers")]).collect()
}

fn plain(entry: &Map<String, Value>) -> Map<String, Value> {
    let mut config: Map<String, Value> =
        SAME.iter().filter_map(|&key| Some((key.to_owned(), entry.get(key)?.clone()))).collect();
    for key in URLS {
        if let Some(url) = entry.get(key) {
            config.entry("url").or_insert_with(|| url.clone());
        }
    }
    if let Some(auth) = entry.get("oauth").and_then(Value::as_object).and_then(oauth) {
        config.entry("auth").or_insert(auth);
    }
    // Some programs write the environment with numbers and switches, which a process gets as text.
    if let Some(Value::Object(variables)) = config.get_mut("env") {
        variables.retain(|_, value| !value.is_null());
        for value in variables.values_mut().filter(|value| value.is_number() || value.is_boolean()) {
            *value = value.to_string().into();
        }
    }
    config
}

/// The client with which a person logs in: Claude Code calls it `clientId` with a `callbackPort`, Cursor `CLIENT_ID`, Codex
/// `client_id`.
fn oauth(entry: &Map<String, Value>) -> Option<Value> {
    let first =
        |keys: &[&str]| keys.iter().find_map(|key| entry.get(*key)).filter(|value| !value.is_null()).cloned();
    let mut auth = Map::new();
    for (key, theirs) in [
        ("client_id", &["clientId", "CLIENT_ID", "client_id"][..]),
        ("client_secret", &["clientSecret", "CLIENT_SECRET", "client_secret"]),
        ("scopes", &["scopes"]),
    ] {
        auth.extend(first(theirs).map(|value| (key.to_owned(), value)));
    }
    if let Some(Value::String(scopes)) = auth.get("scopes") {
        let scopes = scopes.split_whitespace().map(Value::from).collect();
        auth.insert("scopes".to_owned(), scopes);
    }
    if let Some(port) = first(&["callbackPort"]).and_then(|port| port.as_u64()) {
        auth.insert("redirect_uri".to_owned(), format!("http://localhost:{port}/callback").into());
        auth.insert("listen".to_owned(), true.into());
    }
    if auth.contains_key("client_secret") {
        // The person's own file names this server and no other; its metadata says where it logs in.
        auth.insert("allow_any_issuer".to_owned(), true.into());
    }
    (!auth.is_empty()).then_some(Value::Object(auth))
}

/// What stands in the file, and beside it references: tokens, some headers and some variables of Codex are in its environment
/// (<https://developers.openai.com/codex/mcp>). A reference is `${NAME}` and stays one until a server is reached, so that its value
/// gets into no list and no other file.
fn codex(entry: &Map<String, Value>) -> (Map<String, Value>, Map<String, Value>) {
    let mut config = plain(entry);
    let mut references = Map::new();
    let mut headers = Map::new();
    for (name, variable) in entry.get("env_http_headers").and_then(Value::as_object).into_iter().flatten() {
        if let Some(variable) = variable.as_str() {
            headers.insert(name.clone(), format!("${{{variable}}}").into());
        }
    }
    if let Some(variable) = entry.get("bearer_token_env_var").and_then(Value::as_str) {
        headers.insert("Authorization".to_owned(), format!("Bearer ${{{variable}}}").into());
    }
    if let Some(Value::Object(given)) = entry.get("http_headers") {
        let mut given = given.clone();
        given.retain(|name, _| !headers.keys().any(|other| other.eq_ignore_ascii_case(name)));
        config.insert("headers".to_owned(), Value::Object(given));
    }
    if !headers.is_empty() {
        references.insert("headers".to_owned(), Value::Object(headers));
    }
    // A name, or a table with one; a table may say that the variable is on the machine of a remote executor.
    let name_of = |value: &Value| match value {
        Value::String(name) => Some(name.clone()),
        Value::Object(table) if table.get("source").is_none_or(|source| source == "local") => {
            table.get("name").and_then(Value::as_str).map(str::to_owned)
        }
        _ => None,
    };
    let names = entry.get("env_vars").and_then(Value::as_array).into_iter().flatten().filter_map(name_of);
    let is_given = |name: &String| config.get("env").is_some_and(|variables| variables.get(name).is_some());
    let variables: Map<String, Value> = names
        .filter(|name| !is_given(name))
        .map(|name| {
            let reference = format!("${{{name}}}").into();
            (name, reference)
        })
        .collect();
    if !variables.is_empty() {
        references.insert("env".to_owned(), Value::Object(variables));
    }
    (config, references)
}

/// Older settings of Zed have the command as an object: <https://zed.dev/docs/ai/mcp>
fn zed(entry: &Map<String, Value>) -> Map<String, Value> {
    let Some(Value::Object(command)) = entry.get("command") else { return plain(entry) };
    let mut config = plain(command);
    if let Some(path) = command.get("path") {
        config.insert("command".to_owned(), path.clone());
    }
    config
}

#[cfg(test)]
mod tests {
    use super::super::expand::Dialect;
    use super::*;
    use serde_json::json;

    fn read(layout: Layout, text: &str) -> Vec<Found> {
        let place =
            Place { source: "test", path: "/x".into(), layout, dialect: Dialect::None, project: None };
        servers(&place, text).expect("servers")
    }

    fn config(found: &Found) -> Value {
        Value::Object(found.config.clone())
    }

    #[test]
    fn claude_desktop_and_mcp_json() {
        let found =
            read(Layout::Json("mcpServers"), include_str!("../../tests/fixtures/claude_desktop_config.json"));
        assert_eq!(found[0].name, "filesystem");
        assert_eq!(found[0].config["args"][1], "@modelcontextprotocol/server-filesystem");
        let found = read(Layout::Json("mcpServers"), include_str!("../../tests/fixtures/mcp.json"));
        assert_eq!(config(&found[0])["headers"]["Authorization"], "Bearer ${API_KEY}");
        assert!(found[1].is_disabled);
    }

    #[test]
    fn claude_code_has_servers_of_folders_and_of_the_person() {
        let text = include_str!("../../tests/fixtures/claude.json");
        let here = std::env::current_dir().expect("a folder");
        let text = text.replace("/home/me/project", here.to_str().expect("a path"));
        let names: Vec<String> = read(Layout::ClaudeCode, &text).into_iter().map(|one| one.name).collect();
        assert_eq!(names, ["local", "everywhere"]);
    }

    #[test]
    fn editors_write_comments_and_names_of_their_own() {
        let found = read(Layout::Json("servers"), include_str!("../../tests/fixtures/vscode.json"));
        assert_eq!(found[0].config["url"], "https://api.githubcopilot.com/mcp");
        assert_eq!(found[1].config["env"]["PERPLEXITY_API_KEY"], "${input:perplexity-key}");
        let found = read(Layout::Json("mcpServers"), include_str!("../../tests/fixtures/cursor.json"));
        assert_eq!(found[0].config["command"], "npx");
        let found = read(Layout::Json("mcpServers"), include_str!("../../tests/fixtures/windsurf.json"));
        assert_eq!(config(&found[0])["url"], "https://example.com/mcp");
    }

    #[test]
    fn a_client_that_was_registered_by_hand_is_used() {
        let text = r#"{"mcpServers": {
            "a": {"url": "https://a.example/mcp", "oauth": {"clientId": "desk", "callbackPort": 3118}},
            "b": {"url": "https://b.example/mcp", "oauth": {"scopes": "read write", "clientId": null}},
            "c": {"url": "https://c.example/mcp", "oauth": {}, "env": {"A": null, "B": 1}}}}"#;
        let found = read(Layout::Json("mcpServers"), text);
        let redirect = "http://localhost:3118/callback";
        assert_eq!(
            config(&found[0])["auth"],
            json!({"client_id": "desk", "redirect_uri": redirect, "listen": true})
        );
        assert_eq!(config(&found[1])["auth"], json!({"scopes": ["read", "write"]}));
        assert_eq!(config(&found[2]), json!({"url": "https://c.example/mcp", "env": {"B": "1"}}));
    }

    #[test]
    fn gemini_names_its_url_by_transport() {
        let found = read(Layout::Json("mcpServers"), include_str!("../../tests/fixtures/gemini.json"));
        assert_eq!(found[0].config["url"], "http://localhost:3000/mcp");
        assert_eq!(found[1].config["cwd"], "./mcp-servers/python");
        assert!(!found[1].config.contains_key("trust"));
    }

    #[test]
    fn codex_is_toml() {
        let found = read(Layout::Codex, include_str!("../../tests/fixtures/codex.toml"));
        let names: Vec<&str> = found.iter().map(|one| one.name.as_str()).collect();
        assert_eq!(names, ["context7", "figma"]);
        assert_eq!(found[0].config["env"]["MY_ENV_VAR"], "MY_ENV_VALUE");
        assert_eq!(found[1].config["headers"]["X-Figma-Region"], "us-east-1");
        assert_eq!(found[1].references["headers"]["Authorization"], "Bearer ${MCP_TEST_UNSET_TOKEN}");
    }

    #[test]
    fn variables_of_codex_stay_references() {
        let text = r#"
            [mcp_servers.hub]
            url = "https://hub.example/mcp"
            bearer_token_env_var = "HUB_TOKEN"
            http_headers = { authorization = "old", X-Plain = "${literal}" }
            env_http_headers = { X-Key = "HUB_KEY" }
            [mcp_servers.boat]
            command = "boat"
            env = { CREW = "3" }
            env_vars = ["CREW", "ANCHOR", { name = "SAIL", source = "local" }, { name = "FAR", source = "remote" }]"#;
        let found = read(Layout::Codex, text);
        assert_eq!(
            Value::Object(found[1].written())["headers"],
            json!({"X-Plain": "${literal}", "X-Key": "${HUB_KEY}", "Authorization": "Bearer ${HUB_TOKEN}"})
        );
        assert_eq!(
            Value::Object(found[0].written())["env"],
            json!({"CREW": "3", "ANCHOR": "${ANCHOR}", "SAIL": "${SAIL}"})
        );
    }

    #[test]
    fn zed_has_commands_and_extensions() {
        let found = read(Layout::Zed, include_str!("../../tests/fixtures/zed.json"));
        let names: Vec<&str> = found.iter().map(|one| one.name.as_str()).collect();
        assert_eq!(names, ["local", "older", "remote"]);
        assert_eq!(config(&found[1]), json!({"command": "some-command", "args": ["a"], "env": {}}));
    }

    #[test]
    fn a_file_that_is_broken_says_where() {
        let place = Place {
            source: "test",
            path: "/x".into(),
            layout: Layout::Json("mcpServers"),
            dialect: Dialect::None,
            project: None,
        };
        assert!(servers(&place, "{\"mcpServers\": {").is_err());
        assert_eq!(servers(&place, "").map(|found| found.len()), Ok(0));
        assert_eq!(servers(&place, "[1]").map(|found| found.len()), Ok(0));
    }
}
