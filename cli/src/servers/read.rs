//! The formats of the files: JSON with comments, TOML, YAML, and where in them the servers are.

use super::Found;
use super::entry::{API_KEY, ENV_FILE, HEADERS_HELPER, fault, of_all, of_library, plain, unknown};
use super::expand::Dialect;
use super::inputs::Input;
use super::sources::{GIVEN, Layout, OWN_SOURCE as OWN, Place};
use crate::ordered::Gathered;
use crate::output::one_line;
use jsonc_parser::ParseOptions;
use mcp::client::{SWITCHES, shaped, switch};
use serde_json::{Map, Value};
use std::borrow::Cow;
use std::path::Path;

/// The types of extensions of Goose that are servers of others.
const OF_GOOSE: [&str; 3] = ["stdio", "sse", "streamable_http"];

/// The servers of a file; the error says why it cannot be used.
pub fn servers(place: &Place, text: &str) -> Result<Vec<Found>, String> {
    let tree = match place.layout {
        Layout::Codex => toml(text)?,
        Layout::Goose | Layout::Continue => yaml(text)?,
        _ => jsonc(text)?,
    };
    all_of(place, &tree)
}

fn all_of(place: &Place, tree: &Value) -> Result<Vec<Found>, String> {
    let inputs = inputs(tree);
    let list = entries(place, tree)?;
    let mut all: Vec<Found> =
        list.into_iter().filter_map(|(name, entry)| found(place, &inputs, name, entry)).collect();
    for one in &mut all {
        one.is_disabled |= is_left_out(place, tree, &one.name);
    }
    Ok(all)
}

/// Whether a file says beside its servers that one of them is not used. Gemini CLI has two lists for that, which once had other names,
/// and Claude Code one for each folder.
fn is_left_out(place: &Place, tree: &Value, name: &str) -> bool {
    let list = |keys: [&str; 2]| keys.iter().find_map(|key| at(tree, key)).and_then(Value::as_array);
    let has = |list: &Vec<Value>| list.iter().any(|one| one == name);
    let of_folders = || {
        let here = std::env::current_dir().unwrap_or_default();
        let is_in = |folder: &Path| {
            let list = folder
                .to_str()
                .and_then(|folder| tree.get("projects")?.get(folder)?.get("disabledMcpServers"));
            list.and_then(Value::as_array).is_some_and(has)
        };
        here.ancestors().any(is_in)
    };
    place.layout == Layout::ClaudeCode && of_folders()
        || list(["mcp.excluded", "excludeMCPServers"]).is_some_and(has)
        || list(["mcp.allowed", "allowMCPServers"]).is_some_and(|list| !list.is_empty() && !has(list))
}

/// The servers of a file that the person names, whatever program it is of. Its entries may have any key of a client's configuration.
pub fn given(path: &Path, text: &str) -> Result<Vec<Found>, String> {
    let kind = path.extension().and_then(std::ffi::OsStr::to_str).unwrap_or_default();
    let tree = match kind {
        "toml" => toml(text)?,
        "yaml" | "yml" => yaml(text)?,
        _ => jsonc(text)?,
    };
    let layout = layout_of(&tree).ok_or_else(|| {
        let places: Vec<_> = PLACES.iter().map(|(place, _)| format!("'{place}'")).collect();
        format!("it has no servers: an object at {}", places.join(", "))
    })?;
    let place =
        Place { source: GIVEN, path: path.to_owned(), layout, dialect: dialect_of(layout), project: None };
    all_of(&place, &tree)
}

/// The place of an extension in the settings of an editor.
const OF_EXTENSION: &str = "amp.mcpServers";

/// Where programs keep their servers. A place comes before what could be a part of its own.
const PLACES: [(&str, Layout); 9] = [
    ("mcpServers", Layout::Json("mcpServers")),
    ("servers", Layout::Json("servers")),
    ("mcp.servers", Layout::Json("mcp.servers")),
    ("mcp.mcpServers", Layout::Json("mcp.mcpServers")),
    (OF_EXTENSION, Layout::Json(OF_EXTENSION)),
    ("mcp_servers", Layout::Codex),
    ("context_servers", Layout::Zed),
    ("extensions", Layout::Goose),
    ("mcp", Layout::OpenCode),
];

/// The form of a file, by what stands in it.
fn layout_of(tree: &Value) -> Option<Layout> {
    if tree
        .get("projects")
        .and_then(Value::as_object)
        .is_some_and(|all| all.values().any(|one| one.get("mcpServers").is_some()))
    {
        return Some(Layout::ClaudeCode);
    }
    let is_list =
        |place: &&(&str, Layout)| at(tree, place.0).is_some_and(|list| list.is_object() || list.is_array());
    let Some(found) = PLACES.iter().find(is_list) else {
        return elsewhere(tree, true).map(|_| SERVERS);
    };
    match found {
        (_, Layout::Json("mcpServers")) if tree["mcpServers"].is_array() => Some(Layout::Continue),
        // The second edition of opencode has its servers one level deeper, too, beside settings of its own.
        (_, Layout::Json("mcp.servers"))
            if tree
                .get("$schema")
                .is_some_and(|it| it.as_str().is_some_and(|it| it.contains("opencode"))) =>
        {
            Some(Layout::OpenCode)
        }
        (_, layout) => Some(*layout),
    }
}

/// The place that most programs have.
const SERVERS: Layout = Layout::Json("mcpServers");

/// The servers of a file that has them at another place than its program: that of another program, the same name with other letters
/// (`mcp-servers`), or no place at all (`is_bare`): each member of the file is a server.
fn elsewhere(tree: &Value, is_bare: bool) -> Option<&Value> {
    let is_json = |(place, layout): &(&'static str, Layout)| {
        matches!(layout, Layout::Json(_)).then(|| at(tree, place)).flatten()
    };
    let is_meant = |key: &str| {
        ["mcpservers", "mcpserver"].contains(&key.replace(['-', '_'], "").to_ascii_lowercase().as_str())
    };
    let members = || tree.as_object().into_iter().flatten();
    let spelled = || members().find(|(key, _)| is_meant(key)).map(|(_, list)| list);
    let mut objects = members().map(|(_, entry)| entry).filter(|entry| entry.is_object()).peekable();
    let is_list = |list: &&Value| list.is_object() || list.is_array();
    PLACES
        .iter()
        .find_map(is_json)
        .or_else(spelled)
        .filter(is_list)
        .or_else(|| (is_bare && objects.peek().is_some() && objects.all(is_server)).then_some(tree))
}

/// Why a first server at `key` would hide those that a JSON file has: they stand elsewhere, and are found as long as `key` is not there.
pub fn hidden_by(path: &Path, tree: &Value, key: &str) -> Option<String> {
    let is_filled = |list: &&Value| match list {
        Value::Object(list) => !list.is_empty(),
        Value::Array(list) => !list.is_empty(),
        _ => false,
    };
    let list = at(tree, key).is_none().then(|| elsewhere(tree, has_bare_name(path))).flatten();
    let list = list.filter(is_filled)?;
    if std::ptr::eq(list, tree) {
        return Some(format!(
            "its servers are members of the file itself, and would no longer be found beside a '{key}': put them into an object \"{key}\" first"
        ));
    }
    let is_it = |place: &str| at(tree, place).is_some_and(|found| std::ptr::eq(found, list));
    let members = || tree.as_object().into_iter().flatten().map(|(member, _)| member.as_str());
    let place = PLACES.iter().map(|(place, _)| *place).chain(members()).find(|place| is_it(place))?;
    // The settings of an editor have those of an extension, too.
    (place != OF_EXTENSION).then(|| {
        let place = one_line(place);
        format!(
            "its servers are at '{place}', and would no longer be found beside a '{key}': make '{key}' of '{place}' first"
        )
    })
}

/// Whether all members of a file with this name may be servers: one with other settings may have a command that is no server.
fn has_bare_name(path: &Path) -> bool {
    path.file_name().and_then(std::ffi::OsStr::to_str).is_some_and(|name| name.contains("mcp"))
}

/// Whether an entry says how a server is started or reached.
fn is_server(entry: &Value) -> bool {
    let mut entry = entry.as_object().cloned().unwrap_or_default();
    shaped(&mut entry);
    let config = plain(&entry);
    ["command", "url"].iter().any(|key| config.get(*key).is_some_and(Value::is_string))
}

fn dialect_of(layout: Layout) -> Dialect {
    match layout {
        Layout::OpenCode => Dialect::OpenCode,
        Layout::Codex => Dialect::None,
        Layout::Goose => Dialect::Dollar,
        _ => Dialect::Mixed,
    }
}

/// The servers of a file with their names.
fn entries<'a>(place: &Place, tree: &'a Value) -> Result<Vec<(String, &'a Value)>, String> {
    let is_bare = || place.source == GIVEN || has_bare_name(&place.path);
    let lists = match place.layout {
        Layout::Json(key) => vec![at(tree, key).or_else(|| elsewhere(tree, is_bare()))],
        Layout::Codex => vec![tree.get("mcp_servers")],
        Layout::Zed => vec![tree.get("context_servers").or_else(|| elsewhere(tree, false))],
        Layout::ClaudeCode => claude_code(tree),
        Layout::Goose => vec![tree.get("extensions")],
        Layout::Continue => vec![tree.get("mcpServers")],
        Layout::OpenCode if tree.get("mcp").is_none() => vec![elsewhere(tree, false)],
        Layout::OpenCode => {
            let list = tree.get("mcp").and_then(Value::as_object).into_iter().flatten();
            // The second edition has them one level deeper, where the first could have a server of this name.
            let is_list =
                |entry: &Value| !["type", "command", "url"].iter().any(|key| entry.get(key).is_some());
            let mut all = Vec::new();
            for (name, entry) in list {
                match entry.as_object() {
                    Some(deeper) if name == "servers" && is_list(entry) => {
                        all.extend(deeper.iter().map(|(name, entry)| (name.clone(), entry)));
                    }
                    Some(_)
                        if ["type", "command", "url", "enabled"]
                            .iter()
                            .any(|key| entry.get(key).is_some()) =>
                    {
                        all.push((name.clone(), entry));
                    }
                    // A setting of the program.
                    _ => {}
                }
            }
            return Ok(all);
        }
    };
    let mut all = Vec::new();
    for whole in lists.into_iter().flatten() {
        match whole {
            Value::Object(list) => {
                // Beside the servers of a file that has no place for them may stand the name of its schema.
                let is_one = |(_, entry): &(&String, &Value)| entry.is_object() || !std::ptr::eq(whole, tree);
                all.extend(list.iter().filter(is_one).map(|(name, entry)| (name.clone(), entry)));
            }
            Value::Null => {}
            Value::Array(list) if list.iter().any(Value::is_object) => all.extend(named(list)),
            _ => return Err("its servers are not an object with a member for each server".to_owned()),
        }
    }
    Ok(all)
}

/// What stands at a place such as `mcp.servers`, which settings of an editor may also have as one key.
pub fn at<'a>(tree: &'a Value, place: &str) -> Option<&'a Value> {
    tree.get(place).or_else(|| place.split('.').try_fold(tree, |value, key| value.get(key)))
}

/// The servers of a list, each with its name inside; one without a name has the number of its place.
fn named(list: &[Value]) -> impl Iterator<Item = (String, &Value)> {
    list.iter().enumerate().map(|(place, entry)| {
        let name = ["name", "key", "id"].iter().find_map(|key| entry.get(key)?.as_str());
        (name.map_or_else(|| (place + 1).to_string(), str::to_owned), entry)
    })
}

/// What the file asks the person for: `inputs` of VS Code.
fn inputs(tree: &Value) -> Vec<Input> {
    let list = tree.get("inputs").or_else(|| at(tree, "mcp.inputs")).and_then(Value::as_array);
    list.into_iter().flatten().filter_map(Input::of).collect()
}

/// An entry as it is used; `None` for what is not a server of others.
fn found(place: &Place, inputs: &[Input], name: String, entry: &Value) -> Option<Found> {
    let mut members = entry.as_object().cloned().unwrap_or_default();
    shaped(&mut members);
    let is_theirs = |kind: &Value| !OF_GOOSE.iter().any(|known| kind == known);
    if place.layout == Layout::Goose && members.get("type").is_some_and(is_theirs) {
        return None;
    }
    let (mut config, references) = of_all(&members, place.layout == Layout::Continue);
    if [GIVEN, OWN].contains(&place.source) {
        config.extend(of_library(&members));
    }
    // An extension of an editor is started by the editor, which alone knows how.
    if place.layout == Layout::Zed && !config.contains_key("command") && !config.contains_key("url") {
        return None;
    }
    let is_off = |(key, off): &(&str, bool)| members.get(*key).and_then(switch) == Some(*off);
    let text = Value::Object(config.clone()).to_string();
    // What belongs to the other way to a server is told, and does not keep this one from being used.
    let other = match (config.contains_key("command"), config.contains_key("url")) {
        _ if place.source == OWN => &[][..],
        (false, true) => &["args", "env", "cwd", ENV_FILE],
        (true, false) => &["headers", HEADERS_HELPER, "auth"],
        _ => &[],
    };
    let misplaced: Map<String, Value> =
        other.iter().filter_map(|key| Some(((*key).to_owned(), config.remove(*key)?))).gathered();
    let told: Vec<String> =
        other.iter().filter(|key| misplaced.contains_key(**key)).map(|key| (*key).to_owned()).collect();
    let is_read = |key: &str| config.contains_key(key) || place.layout == Layout::Continue && key == API_KEY;
    Some(Found {
        fault: if entry.is_object() { fault(&config) } else { Some("it is not an object".to_owned()) },
        name,
        source: place.source,
        path: place.path.clone(),
        is_of_project: place.project.is_some(),
        is_disabled: SWITCHES.iter().any(is_off),
        unheeded: mcp::client::adopted(&members).unread,
        unknown: unknown(&members, &config).into_iter().filter(|key| !is_read(key)).chain(told).collect(),
        misplaced,
        inputs: inputs.iter().filter(|input| text.contains(&input.reference())).cloned().collect(),
        config,
        references,
        dialect: place.dialect,
    })
}

fn yaml(text: &str) -> Result<Value, String> {
    crate::serve::read_yaml(text.trim_start_matches('\u{feff}'))
}

/// What editors and programs take in their settings.
pub const OPTIONS: ParseOptions = ParseOptions {
    allow_comments: true,
    allow_loose_object_property_names: false,
    allow_trailing_commas: true,
};

/// How deep arrays and objects of a file may stand in each other: the parser calls itself for each, and has no bound of its own.
const DEPTH: usize = 128;

/// How deep arrays and objects of JSON with comments stand in each other at most.
fn depth(text: &str) -> usize {
    let (mut depth, mut deepest) = (0_usize, 0);
    let mut rest = text.chars().peekable();
    while let Some(c) = rest.next() {
        match c {
            '[' | '{' => {
                depth += 1;
                deepest = deepest.max(depth);
            }
            ']' | '}' => depth = depth.saturating_sub(1),
            '"' | '\'' => {
                while let Some(inside) = rest.next().filter(|inside| *inside != c) {
                    if inside == '\\' {
                        rest.next();
                    }
                }
            }
            '/' if rest.next_if_eq(&'/').is_some() => while rest.next().is_some_and(|c| c != '\n') {},
            '/' if rest.next_if_eq(&'*').is_some() => {
                while let Some(c) = rest.next() {
                    if c == '*' && rest.next_if_eq(&'/').is_some() {
                        break;
                    }
                }
            }
            _ => {}
        }
    }
    deepest
}

/// The text with each character itself that two escapes stand for (`\ud83c\udf0a`), as many programs write it and the parser does not
/// take it.
pub fn joined(text: &str) -> Cow<'_, str> {
    let unit = |text: &str| {
        let digits = text.strip_prefix("\\u")?.get(..4)?;
        u16::from_str_radix(digits, 16).ok().filter(|_| digits.bytes().all(|byte| byte.is_ascii_hexdigit()))
    };
    let mut out = String::new();
    let (mut copied, mut from) = (0, 0);
    while let Some(at) = text.get(from..).and_then(|rest| rest.find('\\')).map(|at| from + at) {
        let two = text.get(at..).and_then(unit).zip(text.get(at + 6..).and_then(unit));
        let one = two.and_then(|(high, low)| char::decode_utf16([high, low]).next()?.ok());
        match one.filter(|one| one.len_utf16() == 2) {
            Some(one) => {
                out.push_str(&text[copied..at]);
                out.push(one);
                (copied, from) = (at + 12, at + 12);
            }
            // What is escaped is skipped with its backslash: it may be one.
            None => from = at + 1 + text[at + 1..].chars().next().map_or(0, char::len_utf8),
        }
    }
    if copied == 0 {
        return Cow::Borrowed(text);
    }
    out.push_str(&text[copied..]);
    Cow::Owned(out)
}

/// JSON with comments; nothing at all is null.
pub fn jsonc(text: &str) -> Result<Value, String> {
    let text = &*joined(text.trim_start_matches('\u{feff}'));
    if text.trim().is_empty() {
        return Ok(Value::Null);
    }
    let depth = depth(text);
    if depth > DEPTH {
        return Err(format!(
            "its arrays and objects stand {depth} deep in each other, and {DEPTH} are allowed"
        ));
    }
    jsonc_parser::parse_to_serde_value(text, &OPTIONS)
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

#[cfg(test)]
mod tests {
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
            "c": {"url": "https://c.example/mcp", "oauth": {}, "env": {"A": null, "B": 1}},
            "d": {"url": "https://d.example/mcp", "auth": {"CLIENT_ID": "desk", "CLIENT_SECRET": "s", "scopes": ["read"]}}}}"#;
        let found = read(Layout::Json("mcpServers"), text);
        let redirect = "http://localhost:3118/callback";
        assert_eq!(
            config(&found[0])["auth"],
            json!({"client_id": "desk", "redirect_uri": redirect, "listen": true})
        );
        assert_eq!(config(&found[1])["auth"], json!({"scopes": ["read", "write"]}));
        assert_eq!(config(&found[2]), json!({"url": "https://c.example/mcp"}));
        assert_eq!(
            config(&found[3])["auth"],
            json!({"client_id": "desk", "client_secret": "s", "scopes": ["read"], "allow_any_issuer": true})
        );
    }

    #[test]
    fn what_a_program_sends_is_sent_and_what_it_leaves_out_is_left_out() {
        let text = "mcpServers:\n  - {name: a, url: 'https://a.example/mcp', apiKey: k}\n  \
                    - {name: b, url: 'https://b.example/mcp', apiKey: k, requestOptions: {headers: {authorization: x}}}\n  \
                    - {name: c, command: c, apiKey: k}\n  \
                    - {name: d, url: 'https://d.example/mcp', apiKey: k, http_headers: {authorization: x}}\n  \
                    - {name: e, url: 'https://e.example/mcp', apiKey: k, bearer_token_env_var: T}";
        let found = read(Layout::Continue, text);
        assert_eq!(config(&found[0])["headers"], json!({"Authorization": "Bearer k"}));
        assert_eq!(config(&found[1])["headers"], json!({"authorization": "x"}));
        assert_eq!(config(&found[2]), json!({"command": "c"}));
        assert_eq!(config(&found[3])["headers"], json!({"authorization": "x"}));
        assert_eq!(Value::Object(found[4].written())["headers"], json!({"Authorization": "Bearer ${T}"}));
        assert!(found.iter().all(|one| one.unknown.is_empty()), "{found:?}");
        // What another program does with such a key is not known.
        let text = r#"{"mcpServers": {"a": {"url": "https://a.example/mcp", "apiKey": "k", "authProviderType": "google_credentials"},
            "b": {"url": "https://b.example/mcp", "headersHelper": "make", "authProviderType": "dynamic_discovery"}}}"#;
        let found = read(Layout::Json("mcpServers"), text);
        assert_eq!(found[0].unknown, ["apiKey", "authProviderType"]);
        assert_eq!((&found[1].unknown, &found[1].config["headersHelper"]), (&vec![], &json!("make")));
        let left_out = |lists: &str| {
            let text =
                format!(r#"{{"mcpServers": {{"a": {{"command": "x"}}, "b": {{"command": "x"}}}}, {lists}}}"#);
            let found = read(Layout::Json("mcpServers"), &text);
            found.into_iter().filter(|one| one.is_disabled).map(|one| one.name).collect::<Vec<_>>()
        };
        for (lists, names) in [
            (r#""mcp": {"excluded": ["a"]}"#, &["a"][..]),
            (r#""mcp": {"allowed": ["a"]}"#, &["b"]),
            (r#""mcp": {"allowed": ["a", "b"], "excluded": ["b"]}"#, &["b"]),
            (r#""mcp": {"allowed": [], "excluded": []}"#, &[]),
            (r#""excludeMCPServers": ["b"]"#, &["b"]),
            (r#""allowMCPServers": ["b"]"#, &["a"]),
        ] {
            assert_eq!(left_out(lists), names, "{lists}");
        }
    }

    #[test]
    fn a_file_that_is_named_is_read_whatever_program_it_is_of() {
        let one = |name: &str, text: &str| {
            let mut list = given(Path::new(name), text).unwrap_or_else(|why| panic!("{name}: {why}"));
            assert!(list.len() == 1 && list[0].name == "a" && list[0].fault.is_none(), "{text}: {list:?}");
            Value::Object(list.remove(0).written())
        };
        let x = json!({"command": "x", "args": ["-y"]});
        for (name, text) in [
            ("f.json", r#"{"mcpServers": {"a": {"command": "x", "args": ["-y"]}}, "theme": "dark"}"#),
            ("f", "\u{feff}{// comment\n\"servers\": {\"a\": {\"command\": \"x\", \"args\": [\"-y\",]}}}"),
            ("f.json", r#"{"mcp": {"servers": {"a": {"command": "x", "args": "-y"}}}}"#),
            ("f.json", r#"{"mcp.servers": {"a": {"command": "x -y"}}}"#),
            ("f.json", r#"{"amp.mcpServers": {"a": {"command": ["x", "-y"]}}}"#),
            ("f.json", r#"{"context_servers": {"a": {"command": {"path": "x", "args": ["-y"]}}}}"#),
            (
                "f.json",
                r#"{"mcp": {"timeout": 5, "a": {"type": "local", "command": ["x", "-y"], "enabled": true}}}"#,
            ),
            ("f.toml", "[mcp_servers.a]\ncommand = 'x'\nargs = ['-y']"),
            ("f.yaml", "extensions:\n  a: {type: stdio, cmd: x, args: [-y]}\n  b: {type: builtin}"),
            ("f.yml", "mcpServers:\n  - {name: a, command: x, args: [-y]}"),
            // Other programs have other places and names.
            ("f.json", r#"{"a": {"command": "x", "args": ["-y"]}}"#),
            (
                "f.json",
                r#"{"$schema": "s", "a": {"transport": {"type": "stdio", "command": "x", "args": ["-y"]}}}"#,
            ),
            ("f.json", r#"{"mcp": {"mcpServers": {"a": {"command": "x", "args": ["-y"]}}}}"#),
            ("f.json", r#"{"mcp-servers": {"a": {"command": "x", "args": ["-y"]}}}"#),
            ("f.json", r#"{"McpServers": {"a": {"command": "x", "args": ["-y"], "url": ""}}}"#),
            ("f.json", r#"{"servers": [{"key": "a", "command": "x", "args": ["-y"]}]}"#),
            ("f.json", r#"{"mcpServers": [{"id": "a", "command": "x", "args": ["-y"]}]}"#),
            ("f.json", r#"{"mcp_servers": [{"name": "a", "command": "x", "args": ["-y"]}]}"#),
        ] {
            assert_eq!(one(name, text), x, "{text}");
        }
        let with_keys = r#"{"mcpServers": {"a": {"socket": "unix:/run/a", "limits": {"frame_bytes": 1024}, "type": "socket",
            "timeout": 2.5, "startup_timeout_sec": 20, "env": ["A=1=2"], "disabled": "false"}}}"#;
        assert_eq!(
            one("f", with_keys),
            json!({"socket": "unix:/run/a", "limits": {"frame_bytes": 1024},
                "timeouts": {"call_ms": 2500, "start_ms": 20000}, "env": {"A": "1=2"}})
        );
        // Keys of the library are for files of the person.
        let of_editor = read(Layout::Json("mcpServers"), with_keys);
        assert!(
            of_editor[0].fault.is_some() && of_editor[0].unknown == ["limits", "socket"],
            "{of_editor:?}"
        );
        for text in ["{}", "[]", r#"{"mcpServers": 1}"#, "", r#"{"a": {"command": "x"}, "b": {"args": []}}"#]
        {
            assert!(
                given(Path::new("f"), text).is_err_and(|why| why.contains("'mcpServers', 'servers'")),
                "{text}"
            );
        }
    }

    #[test]
    fn a_file_with_its_servers_at_the_place_of_another_program_is_read() {
        let names = |path: &str, layout, text: &str| {
            let place =
                Place { source: "test", path: path.into(), layout, dialect: Dialect::None, project: None };
            servers(&place, text).expect("servers").into_iter().map(|one| one.name).collect::<Vec<_>>()
        };
        let x = r#"{"command": "x"}"#;
        for (path, key, text, wanted) in [
            ("/.mcp.json", "mcpServers", format!(r#"{{"servers": {{"a": {x}}}}}"#), &["a"][..]),
            ("/.vscode/mcp.json", "servers", format!(r#"{{"mcpServers": {{"a": {x}}}}}"#), &["a"]),
            ("/.mcp.json", "mcpServers", format!(r#"{{"a": {x}, "b": {{"url": "u"}}}}"#), &["a", "b"]),
            ("/settings.json", "mcpServers", format!(r#"{{"mcpServer": {{"a": {x}}}}}"#), &["a"]),
            ("/mcp.json", "mcpServers", format!(r#"{{"mcpServers": {{}}, "servers": {{"a": {x}}}}}"#), &[]),
            // What has a command in the settings of a program may be anything.
            ("/settings.json", "mcpServers", format!(r#"{{"statusLine": {x}}}"#), &[]),
            ("/mcp.json", "mcpServers", format!(r#"{{"a": {x}, "theme": {{"dark": true}}}}"#), &[]),
        ] {
            assert_eq!(names(path, Layout::Json(key), &text), wanted, "{path} {text}");
        }
        // One of a list without a name is not lost.
        let list = r#"{"servers": [{"command": "x"}, {"name": "b", "command": "x"}]}"#;
        assert_eq!(names("/mcp.json", Layout::Json("servers"), list), ["1", "b"]);
    }

    #[test]
    fn every_file_that_was_reported_is_read_as_the_page_says() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/field/configurations.toml");
        let table = toml(&std::fs::read_to_string(path).expect("the table")).expect("TOML");
        for row in table["report"].as_array().expect("rows") {
            let text = |key: &str| row[key].as_str().unwrap_or_else(|| panic!("{key} of {row}"));
            let found = given(Path::new("f.json"), text("text")).unwrap_or_else(|why| panic!("{row}: {why}"));
            let one = found.iter().find(|one| one.name == text("name")).unwrap_or_else(|| panic!("{row}"));
            let wanted: Value = serde_json::from_str(text("entry")).expect("JSON");
            let told = row.get("told").cloned().unwrap_or_else(|| json!([]));
            assert_eq!((Value::Object(one.written()), json!(one.unknown)), (wanted, told), "{row}");
            assert!(one.fault.is_none() && !one.is_disabled, "{row}: {one:?}");
        }
        assert!(table["report"].as_array().is_some_and(|rows| rows.len() > 9));
    }

    #[test]
    fn what_belongs_to_the_other_way_to_a_server_is_told_and_changes_nothing() {
        let text = r#"{"mcpServers": {"a": {"url": "https://a/", "command": "", "args": [], "env": {}},
            "b": {"url": "https://b/", "env": {"A": "b"}, "cwd": "/"}, "c": {"command": "x", "headers": {"A": "b"}},
            "d": {"command": "x", "headers": {}, "auth": {}}}}"#;
        let found = given(Path::new("f.json"), text).expect("servers");
        for (one, wanted, told) in [
            (&found[0], json!({"url": "https://a/"}), &[][..]),
            (&found[1], json!({"url": "https://b/"}), &["env", "cwd"]),
            (&found[2], json!({"command": "x"}), &["headers"]),
            (&found[3], json!({"command": "x"}), &[]),
        ] {
            assert_eq!(
                (config(one), one.unknown.iter().map(String::as_str).collect::<Vec<_>>()),
                (wanted, told.to_vec())
            );
        }
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
    fn the_keys_of_each_program_are_read_in_the_files_of_others() {
        let text = r#"{"mcpServers": {
            "hub": {"url": "https://hub/", "bearer_token_env_var": "T", "http_headers": {"A": "b", "authorization": "x"}},
            "two": {"url": "https://two/", "headers": {"AUTHORIZATION": "a", "A": "a"}, "http_headers": {"authorization": "b"},
                "env_http_headers": {"a": "V"}},
            "both": {"url": "https://both/", "env_http_headers": {"authorization": "V"}, "bearer_token_env_var": "T"},
            "key": {"url": "https://key/", "requestOptions": {"headers": {"A": "b"}, "verifySsl": false, "proxy": null}},
            "boat": {"command": "x", "env_keys": ["K"], "env_vars": ["L"]},
            "web": {"url": "https://web/", "env_keys": ["K"], "env_vars": ["L"]},
            "none": {"command": "x", "bearer_token_env_var": "T", "env_vars": {"A": "b"}, "connectionTimeout": 5000}}}"#;
        let found = read(Layout::Json("mcpServers"), text);
        for (name, written, told) in [
            (
                "hub",
                json!({"url": "https://hub/", "headers": {"A": "b", "Authorization": "Bearer ${T}"}}),
                &[][..],
            ),
            ("two", json!({"url": "https://two/", "headers": {"authorization": "b", "a": "${V}"}}), &[]),
            ("both", json!({"url": "https://both/", "headers": {"Authorization": "Bearer ${T}"}}), &[]),
            ("key", json!({"url": "https://key/", "headers": {"A": "b"}}), &["requestOptions.verifySsl"]),
            ("boat", json!({"command": "x", "env": {"K": "${K}", "L": "${L}"}}), &[]),
            ("web", json!({"url": "https://web/"}), &["env_vars"]),
            (
                "none",
                json!({"command": "x", "timeouts": {"start_ms": 5000}}),
                &["bearer_token_env_var", "env_vars"],
            ),
        ] {
            let one = found.iter().find(|one| one.name == name).expect(name);
            assert_eq!((Value::Object(one.written()), json!(one.unknown)), (written, json!(told)), "{one:?}");
        }
    }

    #[test]
    fn a_server_that_its_file_switches_off_is_disabled() {
        let here = std::env::current_dir().expect("a folder");
        let mut projects = json!({"/elsewhere": {"disabledMcpServers": ["c"]}});
        projects[here.to_str().expect("a path")] = json!({"disabledMcpServers": ["b"]});
        let servers =
            json!({"a": {"command": "x", "active": false}, "b": {"command": "x"}, "c": {"command": "x"}});
        let text = json!({"mcpServers": servers, "projects": projects}).to_string();
        for (layout, disabled) in
            [(Layout::ClaudeCode, &["a", "b"][..]), (Layout::Json("mcpServers"), &["a"])]
        {
            let found = read(layout, &text);
            let off: Vec<&str> =
                found.iter().filter(|one| one.is_disabled).map(|one| one.name.as_str()).collect();
            assert_eq!(off, disabled, "{layout:?}");
        }
    }

    #[test]
    fn zed_has_commands_and_extensions() {
        let found = read(Layout::Zed, include_str!("../../tests/fixtures/zed.json"));
        let names: Vec<&str> = found.iter().map(|one| one.name.as_str()).collect();
        assert_eq!(names, ["local", "older", "remote"]);
        assert_eq!(config(&found[1]), json!({"command": "some-command", "args": ["a"], "env": {}}));
    }

    #[test]
    fn every_program_has_its_form() {
        let settings = Layout::Json("mcp.servers");
        for (layout, text, name, is) in [
            (settings, r#"{"mcp": {"servers": {"a": {"command": "x"}}}}"#, "a", json!({"command": "x"})),
            (settings, r#"{"mcp.servers": {"a": {"command": "x"}}}"#, "a", json!({"command": "x"})),
            (
                Layout::OpenCode,
                r#"{"mcp": {"timeout": 5, "a": {"type": "local", "command": ["x", "-y"], "environment": {"N": 1, "O": null}}}}"#,
                "a",
                json!({"command": "x", "args": ["-y"], "env": {"N": "1"}}),
            ),
            (
                Layout::OpenCode,
                r#"{"mcp": {"servers": {"b": {"type": "remote", "url": "https://b/", "headers": {"N": 1}}}}}"#,
                "b",
                json!({"url": "https://b/", "headers": {"N": "1"}}),
            ),
            (
                Layout::OpenCode,
                r#"{"mcp": {"servers": {"type": "local", "command": ["x"]}}}"#,
                "servers",
                json!({"command": "x", "args": []}),
            ),
            (
                Layout::Goose,
                "extensions:\n  dev:\n    type: builtin\n    enabled: true\n  g:\n    type: stdio\n    cmd: npx\n    args: [-y, 7]\n    envs: {A: b}\n",
                "g",
                json!({"command": "npx", "args": ["-y", "7"], "env": {"A": "b"}}),
            ),
            (
                Layout::Goose,
                "extensions:\n  g:\n    enabled: true\n    config: {type: streamable_http, uri: 'https://g/'}\n",
                "g",
                json!({"url": "https://g/"}),
            ),
            (
                Layout::Continue,
                "mcpServers:\n  - name: c d\n    url: https://c/\n    requestOptions: {headers: {A: b}}\n",
                "c d",
                json!({"url": "https://c/", "headers": {"A": "b"}}),
            ),
            (Layout::Continue, "mcpServers:\n  e: {command: x}\n", "e", json!({"command": "x"})),
        ] {
            let found = read(layout, text);
            let names: Vec<&str> = found.iter().map(|one| one.name.as_str()).collect();
            assert_eq!(names, [name], "{text}");
            assert_eq!(config(&found[0]), is, "{text}");
            assert_eq!((&found[0].fault, found[0].is_disabled), (&None, false), "{text}");
            assert!(found[0].unknown.is_empty(), "{text}: {:?}", found[0].unknown);
        }
        let goose =
            read(Layout::Goose, "extensions: {g: {type: stdio, cmd: x, enabled: false, env_keys: [KEY]}}");
        assert!(goose[0].is_disabled && goose[0].references["env"] == json!({"KEY": "${KEY}"}));
    }

    #[test]
    fn what_of_an_entry_changes_nothing_is_known() {
        let text = "\u{feff}{\"mcpServers\": {\"a\": {\"command\": \"x\", \"tools\": [\"*\"], // all\n \"comand\": 1, \"timeout\": 3,},
            \"b\": {\"url\": \"u\", \"disabledTools\": [\"t\"], \"alwaysAllow\": []}, \"c\": 5, \"d\": {\"args\": []},
            \"e\": {\"command\": \"x\", \"args\": 5}}}";
        let found = read(Layout::Json("mcpServers"), text);
        let of = |at: usize| (found[at].unknown.clone(), found[at].unheeded.clone());
        assert_eq!(of(0), (vec!["comand".to_owned()], vec![]));
        assert_eq!((of(1), &found[1].config["deny_tools"]), ((vec![], vec![]), &json!(["t"])));
        for (at, why) in [(2, "not an object"), (3, "no 'command'"), (4, "'args' is not an array")] {
            assert!(found[at].fault.as_ref().is_some_and(|fault| fault.contains(why)), "{why}");
        }
    }

    #[test]
    fn inputs_go_with_the_entries_that_name_them() {
        let text = r#"{"inputs": [{"id": "k", "type": "promptString"}, {"id": "l"}],
            "servers": {"a": {"command": "x", "env": {"K": "${input:k}"}}, "b": {"command": "x"}}}"#;
        let ids: Vec<Vec<String>> = read(Layout::Json("servers"), text)
            .iter()
            .map(|one| one.inputs.iter().map(|input| input.id.clone()).collect())
            .collect();
        assert_eq!(ids, [vec!["k".to_owned()], vec![]]);
    }

    #[test]
    fn a_first_server_at_the_usual_place_would_hide_others() {
        let one = r#"{"a": {"command": "x"}}"#;
        for (path, text, key, why) in [
            (
                ".mcp.json",
                format!("{{\"servers\": {one}}}"),
                "mcpServers",
                Some("make 'mcpServers' of 'servers' first"),
            ),
            (".mcp.json", format!("{{\"mcp-servers\": {one}}}"), "mcpServers", Some("are at 'mcp-servers'")),
            (
                ".mcp.json",
                format!("{{\"mcp\": {{\"servers\": {one}}}}}"),
                "mcpServers",
                Some("of 'mcp.servers'"),
            ),
            (
                "mcp.json",
                format!("{{\"mcpServers\": {one}}}"),
                "servers",
                Some("make 'servers' of 'mcpServers' first"),
            ),
            (".mcp.json", one.to_owned(), "mcpServers", Some("put them into an object")),
            // Settings with a command that is no server, of an extension, or of nothing.
            ("settings.json", one.to_owned(), "mcpServers", None),
            ("settings.json", format!("{{\"amp.mcpServers\": {one}}}"), "mcp.servers", None),
            (".mcp.json", "{\"servers\": {}}".to_owned(), "mcpServers", None),
            (
                ".mcp.json",
                "{\"mcpServers\": {}, \"servers\": {\"a\": {\"command\": \"x\"}}}".to_owned(),
                "mcpServers",
                None,
            ),
            (".mcp.json", String::new(), "mcpServers", None),
        ] {
            let said = hidden_by(Path::new(path), &jsonc(&text).expect("JSON"), key);
            let is_said = said.as_ref().zip(why).map(|(said, why)| said.contains(why));
            assert_eq!(is_said, why.map(|_| true), "{path} {text}: {said:?}");
            assert_eq!(said.is_some(), why.is_some(), "{path} {text}: {said:?}");
        }
    }

    #[test]
    fn a_character_of_two_escapes_is_one() {
        for (text, value) in [
            (r#""\ud83c\udf0a""#, Some("🌊")),
            (r#""a \uD83C\uDF0A\ud83c\udf0a\u00e9""#, Some("a 🌊🌊é")),
            (r#""\\ud83c\\udf0a""#, Some(r"\ud83c\udf0a")),
            (r#""\\\ud83c\udf0a \\""#, Some(r"\🌊 \")),
            (r#""\ud83c""#, None),
            (r#""\udf0a\ud83c""#, None),
            (r#""\ud83c\u+f0a""#, None),
            ("\"\\", None),
        ] {
            assert_eq!(jsonc(text).ok(), value.map(Value::from), "{text}");
        }
    }

    #[test]
    fn a_file_may_be_only_so_deep() {
        let lists = |count: usize| format!("{}{}", "[".repeat(count), "]".repeat(count));
        assert!(jsonc(&lists(DEPTH)).is_ok());
        let objects = |count: usize| format!("{}1{}", "{\"a\":".repeat(count), "}".repeat(count));
        for text in [
            lists(DEPTH + 1),
            objects(DEPTH + 1),
            "[".repeat(100_000),
            format!("\"]\\\"]\" /* ] **/ // ]\r]\n{}", "[".repeat(DEPTH + 1)),
            format!("{{'a': {}}}", lists(DEPTH)),
        ] {
            let why = jsonc(&text).expect_err("refused");
            assert!(why.contains("and 128 are allowed"), "{why}");
        }
        // The other parsers have bounds of their own.
        for (begin, end) in [("[", "]"), ("{a = ", "}"), ("{a: ", "}")] {
            let deep = format!("{}1{}", begin.repeat(20_000), end.repeat(20_000));
            assert!(toml(&format!("a = {deep}")).is_err() && yaml(&deep).is_err(), "{begin}");
        }
        let many = "[".repeat(1000);
        for text in [
            format!("{{\"a\": \"{many}\"}}"),
            format!("{{\"a\\\"\": 1}} // {many}\n"),
            format!("/* {many} **/ {{}}"),
            format!("[{}0]", "[],".repeat(1000)),
        ] {
            assert!(jsonc(&text).is_ok(), "{text}");
        }
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
        assert!(servers(&place, "{\"mcpServers\": [1]}").is_err_and(|why| why.contains("not an object")));
    }
}
