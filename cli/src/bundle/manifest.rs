//! The manifest of a bundle, `manifest.json` in the forms 0.1 to 0.4: what is wrong with it, which settings it asks for, and the command that
//! it means. <https://github.com/modelcontextprotocol/mcpb/blob/main/MANIFEST.md>

use crate::settings::{Given, Kind, Setting};
use crate::shape::{Finding, Shape, findings};
use serde_json::{Map, Value};
use std::collections::BTreeMap;
use std::path::Path;

/// The forms that are known, the one that is written at first.
pub const VERSIONS: [&str; 4] = ["0.3", "0.4", "0.2", "0.1"];
/// The operating systems as a manifest calls them.
pub const PLATFORMS: [&str; 3] = ["darwin", "linux", "win32"];
/// The types of servers.
const TYPES: [&str; 4] = ["node", "python", "binary", "uv"];

const AUTHOR: Shape = Shape::Object(&[
    ("name", true, Shape::Length(1, 200)),
    ("email", false, Shape::Text),
    ("url", false, Shape::Url),
]);
const TEXTS: Shape = Shape::List(&Shape::Text);
const COMMAND: [(&str, bool, Shape); 3] = [
    ("command", false, Shape::Text),
    ("args", false, Shape::List(&Shape::Text)),
    ("env", false, Shape::Named(&Shape::Text)),
];
const SERVER: Shape = Shape::Object(&[
    ("type", true, Shape::Choice(&TYPES)),
    ("entry_point", true, Shape::Length(1, 1024)),
    (
        "mcp_config",
        true,
        Shape::Object(&[
            ("command", true, Shape::Length(1, 1024)),
            ("args", false, Shape::List(&Shape::Text)),
            ("env", false, Shape::Named(&Shape::Text)),
            ("platform_overrides", false, Shape::Named(&Shape::Object(&COMMAND))),
        ]),
    ),
]);
const OPTION: Shape = Shape::Object(&[
    ("type", true, Shape::Choice(&["string", "number", "boolean", "directory", "file"])),
    ("title", true, Shape::Text),
    ("description", true, Shape::Text),
    ("required", false, Shape::Bool),
    ("default", false, Shape::Any),
    ("multiple", false, Shape::Bool),
    ("sensitive", false, Shape::Bool),
    ("min", false, Shape::Number),
    ("max", false, Shape::Number),
]);
const NAMED: Shape = Shape::List(&Shape::Object(&[
    ("name", true, Shape::Length(1, 200)),
    ("description", false, Shape::Text),
]));
const MANIFEST: Shape = Shape::Object(&[
    ("$schema", false, Shape::Text),
    ("manifest_version", true, Shape::Choice(&VERSIONS)),
    ("name", true, Shape::Length(1, 200)),
    ("display_name", false, Shape::Text),
    ("version", true, Shape::Length(1, 255)),
    ("description", true, Shape::Length(1, 4096)),
    ("long_description", false, Shape::Text),
    ("author", true, AUTHOR),
    ("server", true, SERVER),
    ("repository", false, Shape::Object(&[("type", true, Shape::Text), ("url", true, Shape::Url)])),
    ("homepage", false, Shape::Url),
    ("documentation", false, Shape::Url),
    ("support", false, Shape::Url),
    ("icon", false, Shape::Text),
    (
        "icons",
        false,
        Shape::List(&Shape::Object(&[
            ("src", true, Shape::Text),
            ("size", true, Shape::Text),
            ("theme", false, Shape::Text),
        ])),
    ),
    ("screenshots", false, TEXTS),
    (
        "localization",
        false,
        Shape::Object(&[("resources", true, Shape::Text), ("default_locale", true, Shape::Text)]),
    ),
    ("tools", false, NAMED),
    ("tools_generated", false, Shape::Bool),
    (
        "prompts",
        false,
        Shape::List(&Shape::Object(&[
            ("name", true, Shape::Length(1, 200)),
            ("description", false, Shape::Text),
            ("arguments", false, TEXTS),
            ("text", true, Shape::Text),
        ])),
    ),
    ("prompts_generated", false, Shape::Bool),
    ("keywords", false, TEXTS),
    ("license", false, Shape::Text),
    ("privacy_policies", false, Shape::List(&Shape::Url)),
    (
        "compatibility",
        false,
        Shape::Object(&[
            ("claude_desktop", false, Shape::Text),
            ("platforms", false, Shape::List(&Shape::Choice(&PLATFORMS))),
            (
                "runtimes",
                false,
                Shape::Object(&[("python", false, Shape::Text), ("node", false, Shape::Text)]),
            ),
        ]),
    ),
    ("user_config", false, Shape::Named(&OPTION)),
    ("_meta", false, Shape::Any),
]);

/// A manifest without faults.
#[derive(Clone, Debug)]
pub struct Manifest {
    pub value: Value,
}

/// The operating system that this is, as a manifest calls it.
pub fn platform() -> &'static str {
    match std::env::consts::OS {
        "macos" => "darwin",
        "windows" => "win32",
        _ => "linux",
    }
}

/// All that is wrong with a manifest.
pub fn check(value: &Value) -> Vec<Finding> {
    let mut found = findings(value, &MANIFEST);
    let text = |pointer: &str| value.pointer(pointer).and_then(Value::as_str).unwrap_or_default();
    if let Some(icon) = value["icon"].as_str()
        && !crate::shape::is_url(icon)
        && let Err(why) = super::archive::check_name(icon)
    {
        found.push(Finding::fault("icon", why));
    }
    if !text("/server/entry_point").is_empty()
        && let Err(why) = super::archive::check_name(text("/server/entry_point").trim_start_matches("./"))
    {
        found.push(Finding::fault("server.entry_point", why));
    }
    let Some(config) = value.pointer("/server/mcp_config") else { return found };
    let settings = settings_of(value);
    let known = |name: &str| settings.iter().find(|setting| setting.key == name);
    let mut places = vec![("server.mcp_config".to_owned(), config)];
    if let Some(Value::Object(others)) = config.get("platform_overrides") {
        for (name, other) in others {
            if !PLATFORMS.contains(&name.as_str()) {
                found.push(Finding::fault(
                    format!("server.mcp_config.platform_overrides.{name}"),
                    format!("is not a platform; write {}", PLATFORMS.join(", ")),
                ));
            }
            places.push((format!("server.mcp_config.platform_overrides.{name}"), other));
        }
    }
    for (place, config) in places {
        let command = config["command"].as_str().unwrap_or_default();
        if let Some(own) = program_of(&value["server"], command)
            && let Err(why) = super::archive::check_name(&own.replace("${/}", "/"))
        {
            found.push(Finding::fault(format!("{place}.command"), why));
        }
        for (number, one) in config["args"].as_array().into_iter().flatten().enumerate() {
            let text = one.as_str().unwrap_or_default().replace("${/}", "/");
            if text.contains("${__dirname}") && text.split(['/', '\\']).any(|part| part == "..") {
                found.push(Finding::fault(
                    format!("{place}.args[{number}]"),
                    "leads out of the folder of the bundle with '..'",
                ));
            }
        }
        let mut look = |at: String, text: &Value, is_variable: bool, is_item: bool| {
            for name in text.as_str().map(names).unwrap_or_default() {
                let what = match name {
                    Err(why) => why,
                    Ok(Name::Setting(key)) => match known(&key) {
                        None => format!("names the setting '{key}', which user_config does not have"),
                        Some(one) if one.is_secret && !is_variable => {
                            format!(
                                "has the sensitive setting '{key}', which other users of the machine would see there; use it in env"
                            )
                        }
                        Some(one) if one.is_multiple && !(is_item && is_alone(text, &key)) => {
                            format!(
                                "has the list '{key}' inside of a text; give it an item of args for itself"
                            )
                        }
                        Some(_) => continue,
                    },
                    Ok(Name::Standard(_)) => continue,
                };
                found.push(Finding::fault(at, what));
                return;
            }
        };
        look(format!("{place}.command"), &config["command"], false, false);
        for (number, one) in config["args"].as_array().into_iter().flatten().enumerate() {
            look(format!("{place}.args[{number}]"), one, false, true);
        }
        for (name, one) in config["env"].as_object().into_iter().flatten() {
            look(format!("{place}.env.{name}"), one, true, false);
        }
    }
    found
}

/// Whether a text is a setting and nothing else.
fn is_alone(text: &Value, key: &str) -> bool {
    text.as_str() == Some(&format!("${{user_config.{key}}}"))
}

fn settings_of(value: &Value) -> Vec<Setting> {
    let options = value["user_config"].as_object().into_iter().flatten();
    options
        .map(|(key, one)| {
            let text = |name: &str| one[name].as_str().unwrap_or_default().to_owned();
            let number = |name: &str| one[name].as_f64();
            let kind = match one["type"].as_str() {
                Some("number") => Kind::Number,
                Some("boolean") => Kind::Boolean,
                Some("directory" | "file") => Kind::Path,
                _ => Kind::Text,
            };
            let default = match &one["default"] {
                Value::Null => None,
                Value::Array(list) => Some(Given::Many(list.iter().map(plain).collect())),
                other => Some(Given::One(plain(other))),
            };
            Setting {
                key: key.clone(),
                title: text("title"),
                description: text("description"),
                kind,
                is_required: one["required"] == true,
                default: default.filter(|default| !default.is_empty()),
                is_secret: one["sensitive"] == true,
                is_multiple: one["multiple"] == true,
                choices: Vec::new(),
                limits: (number("min"), number("max")),
            }
        })
        .collect()
}

/// A value as the text that a process gets.
fn plain(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

/// What stands between `${` and `}`.
enum Name {
    Setting(String),
    Standard(String),
}

const STANDARD: [&str; 7] = ["__dirname", "HOME", "DESKTOP", "DOCUMENTS", "DOWNLOADS", "pathSeparator", "/"];

/// The texts and names of a template, in their order.
fn pieces(text: &str) -> Vec<(&str, Option<Result<Name, String>>)> {
    let mut pieces = Vec::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("${") {
        let Some((inside, behind)) = after.split_once('}') else {
            pieces.push((before, Some(Err("has a '${' without a '}'".to_owned()))));
            return pieces;
        };
        let name = match inside.strip_prefix("user_config.") {
            Some(key) => Ok(Name::Setting(key.to_owned())),
            None if STANDARD.contains(&inside) => Ok(Name::Standard(inside.to_owned())),
            None => Err(format!(
                "names '${{{inside}}}'; known are ${{user_config.NAME}}, ${{{}}}",
                STANDARD.join("}, ${")
            )),
        };
        pieces.push((before, Some(name)));
        rest = behind;
    }
    pieces.push((rest, None));
    pieces
}

fn names(text: &str) -> Vec<Result<Name, String>> {
    pieces(text).into_iter().filter_map(|(_, name)| name).collect()
}

/// Where a bundle is, and who starts it.
pub struct Place<'a> {
    pub folder: &'a Path,
    /// The values of the settings, by their names.
    pub values: &'a BTreeMap<String, Given>,
    /// A variable of the environment.
    pub variable: &'a dyn Fn(&str) -> Option<String>,
}

impl<'a> Place<'a> {
    /// A folder of this machine, with the variables of this process.
    pub fn here(folder: &'a Path, values: &'a BTreeMap<String, Given>) -> Place<'a> {
        Place { folder, values, variable: &of_environment }
    }
}

fn of_environment(name: &str) -> Option<String> {
    std::env::var(name).ok()
}

impl Place<'_> {
    fn standard(&self, name: &str) -> Result<String, String> {
        let home = || (self.variable)("HOME").ok_or("HOME is not set".to_owned());
        Ok(match name {
            "__dirname" => self.folder.display().to_string(),
            "HOME" => home()?,
            "DESKTOP" => format!("{}/Desktop", home()?),
            "DOCUMENTS" => format!("{}/Documents", home()?),
            "DOWNLOADS" => format!("{}/Downloads", home()?),
            _ => std::path::MAIN_SEPARATOR.to_string(),
        })
    }

    /// A text with its names replaced once: what a value has in it stays. `None` where a setting has no value.
    fn text(&self, text: &str) -> Result<Option<String>, String> {
        let mut out = String::new();
        for (before, name) in pieces(text) {
            out.push_str(before);
            match name.transpose()? {
                None => {}
                Some(Name::Standard(name)) => out.push_str(&self.standard(&name)?),
                Some(Name::Setting(key)) => match self.values.get(&key) {
                    None => return Ok(None),
                    Some(Given::One(value)) => out.push_str(value),
                    Some(Given::Many(_)) => return Err(format!("has the list '{key}' inside of a text")),
                },
            }
        }
        Ok(Some(out))
    }

    /// An item of `args`, which a list of values makes several.
    fn items(&self, item: &str) -> Result<Vec<String>, String> {
        let alone = item.strip_prefix("${user_config.").and_then(|rest| rest.strip_suffix('}'));
        if let Some(Given::Many(values)) = alone.and_then(|key| self.values.get(key)) {
            return Ok(values.clone());
        }
        Ok(self.text(item)?.into_iter().collect())
    }
}

/// The path in the bundle that a command means: one with a folder, or the entry point of a binary. Any other name is that of a program of the
/// machine, also where the bundle has a file of this name: what is shown as `node` is Node.js.
fn program_of(server: &Value, command: &str) -> Option<String> {
    if let Some(own) = command.strip_prefix("${__dirname}/").or_else(|| command.strip_prefix("./")) {
        return Some(own.replace("${/}", "/"));
    }
    let is_entry = server["type"] == "binary"
        && server["entry_point"].as_str().is_some_and(|entry| entry.trim_start_matches("./") == command);
    let has_folder = command.contains('/') && !command.starts_with(['/', '$', '~']);
    (is_entry || has_folder).then(|| command.to_owned())
}

impl Manifest {
    /// A manifest, and what is odd in it.
    ///
    /// # Errors
    /// All that is wrong with it.
    pub fn read(text: &[u8]) -> Result<(Manifest, Vec<Finding>), String> {
        let mut value: Value = serde_json::from_slice(text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text))
            .map_err(|error| format!("manifest.json is not valid JSON: {error}"))?;
        // The name that the form had at first.
        if let Some(members) = value.as_object_mut()
            && let Some(version) = members.remove("dxt_version")
        {
            members.entry("manifest_version").or_insert(version);
        }
        // What `uv` starts is said by its type alone since 0.4.
        if value.pointer("/server/type").is_some_and(|kind| kind == "uv")
            && value.pointer("/server/mcp_config").is_none()
        {
            let entry = value["server"]["entry_point"].as_str().unwrap_or_default();
            value["server"]["mcp_config"] = serde_json::json!({"command": "uv",
                "args": ["run", "--directory", "${__dirname}", entry]});
        }
        let (tolerable, faults): (Vec<_>, Vec<_>) =
            check(&value).into_iter().partition(|finding| finding.is_tolerable);
        if faults.is_empty() {
            return Ok((Manifest { value }, tolerable));
        }
        let lines: Vec<String> = faults.iter().map(Finding::line).collect();
        Err(format!("manifest.json cannot be used: {}", lines.join("; ")))
    }

    /// A member that is a text.
    pub fn text(&self, name: &str) -> &str {
        self.value[name].as_str().unwrap_or_default()
    }

    /// What it asks the person for, with the names of folders in defaults replaced.
    pub fn settings(&self, place: &Place<'_>) -> Result<Vec<Setting>, String> {
        let mut settings: Vec<Setting> =
            settings_of(&self.value).into_iter().map(Setting::secret_by_name).collect();
        for setting in &mut settings {
            let key = setting.key.clone();
            let replaced = |text: &String| {
                place.text(text)?.ok_or_else(|| format!("user_config.{key}.default names a setting"))
            };
            setting.default = match &setting.default {
                Some(Given::One(text)) => Some(Given::One(replaced(text)?)),
                Some(Given::Many(list)) => {
                    Some(Given::Many(list.iter().map(replaced).collect::<Result<_, _>>()?))
                }
                None => None,
            };
        }
        Ok(settings)
    }

    /// Whether it says that it is for this operating system.
    pub fn is_for(&self, platform: &str) -> bool {
        let platforms = self.value.pointer("/compatibility/platforms").and_then(Value::as_array);
        platforms.is_none_or(|all| all.is_empty() || all.iter().any(|one| one == platform))
    }

    /// A member of the command on this operating system.
    pub fn of_platform(&self, name: &str, platform: &str) -> &Value {
        let config = &self.value["server"]["mcp_config"];
        let other = &config["platform_overrides"][platform][name];
        if other.is_null() { &config[name] } else { other }
    }

    /// The path of the program in the bundle, if it is one of its files.
    pub fn program(&self, platform: &str) -> Option<String> {
        program_of(&self.value["server"], self.of_platform("command", platform).as_str()?)
    }

    /// The command as it is shown before the bundle is there: whether it is of the bundle can be seen.
    pub fn shown_command(&self, platform: &str) -> String {
        let command = self.of_platform("command", platform).as_str().unwrap_or_default();
        self.program(platform).map_or_else(|| command.to_owned(), |own| format!("${{__dirname}}/{own}"))
    }

    /// The configuration of a client that starts it.
    ///
    /// # Errors
    /// Why it cannot be started here.
    pub fn config(&self, place: &Place<'_>, platform: &str) -> Result<Map<String, Value>, String> {
        let wrong = |at: &str| {
            let at = at.to_owned();
            move |why: String| format!("server.mcp_config.{at} {why}")
        };
        let command = self.of_platform("command", platform).as_str().unwrap_or_default();
        let command = place.text(command).map_err(wrong("command"))?;
        let command = command.ok_or("server.mcp_config.command names a setting without a value")?;
        let own = self.program(platform).map(|own| place.text(&own)).transpose().map_err(wrong("command"))?;
        let own = own.flatten();
        let inside = place.folder.join(own.as_deref().unwrap_or_default());
        let with_end = place.folder.join(format!("{}.exe", own.as_deref().unwrap_or_default()));
        let command = match () {
            () if own.is_none() => command,
            () if inside.is_file() => inside.display().to_string(),
            () if platform == "win32" && with_end.is_file() => with_end.display().to_string(),
            () => {
                return Err(format!("its program '{command}' is not in the bundle"));
            }
        };
        let mut args: Vec<Value> = Vec::new();
        for item in self.of_platform("args", platform).as_array().into_iter().flatten() {
            let items = place.items(item.as_str().unwrap_or_default()).map_err(wrong("args"))?;
            args.extend(items.into_iter().map(Value::from));
        }
        let mut env = Map::new();
        for (name, value) in self.of_platform("env", platform).as_object().into_iter().flatten() {
            let value = place.text(value.as_str().unwrap_or_default()).map_err(wrong("env"))?;
            env.extend(value.map(|value| (name.clone(), value.into())));
        }
        let mut config = Map::new();
        config.insert("command".to_owned(), command.into());
        config.insert("args".to_owned(), args.into());
        if !env.is_empty() {
            config.insert("env".to_owned(), env.into());
        }
        Ok(config)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn manifest(config: &Value, settings: &Value) -> Value {
        json!({"manifest_version": "0.3", "name": "n", "version": "1", "description": "d", "author": {"name": "a"},
            "server": {"type": "binary", "entry_point": "server/x", "mcp_config": config}, "user_config": settings})
    }

    fn option(kind: &str, more: &Value) -> Value {
        let mut option = json!({"type": kind, "title": "t", "description": "d"});
        option.as_object_mut().expect("an object").extend(more.as_object().expect("an object").clone());
        option
    }

    #[test]
    fn a_manifest_is_strict_and_says_all_that_is_wrong() {
        let good = manifest(&json!({"command": "node"}), &json!({}));
        assert_eq!(check(&good), []);
        let with = |pointer: &str, value: Value| {
            let mut changed = good.clone();
            let (above, name) = pointer.rsplit_once('/').expect("a pointer");
            changed.pointer_mut(above).expect("there")[name] = value;
            check(&changed).iter().map(Finding::line).collect::<Vec<_>>().join("; ")
        };
        for (pointer, value, said) in [
            ("/manifest_version", json!("9.9"), "manifest_version is '9.9', and may be 0.3, 0.4, 0.2, 0.1"),
            ("/repository", json!("https://x/"), "repository is not an object"),
            ("/tools", json!([{"name": "t", "inputSchema": {}}]), "tools[0].inputSchema is not known here"),
            ("/compatibility", json!({"cursor": "1"}), "compatibility.cursor is not known here"),
            (
                "/compatibility",
                json!({"platforms": ["macos"]}),
                "compatibility.platforms[0] is 'macos', and may be darwin, linux, win32",
            ),
            ("/localization", json!({"resources": "r"}), "localization.default_locale is missing"),
            ("/icon", json!("../x.png"), "icon has the part '..' in its path"),
            ("/server/entry_point", json!("/etc/passwd"), "server.entry_point is an absolute path"),
            (
                "/server/mcp_config",
                json!({"command": "x", "args": ["${user_config.k}"]}),
                "server.mcp_config.args[0] names the setting 'k', which user_config does not have",
            ),
            (
                "/server/mcp_config",
                json!({"command": "x", "args": ["${x"]}),
                "server.mcp_config.args[0] has a '${' without a '}'",
            ),
            (
                "/server/mcp_config",
                json!({"command": "x", "platform_overrides": {"macos": {}}}),
                "server.mcp_config.platform_overrides.macos is not a platform; write darwin, linux, win32",
            ),
            (
                "/server/mcp_config",
                json!({"command": "${__dirname}/../x"}),
                "server.mcp_config.command has the part '..' in its path",
            ),
            (
                "/server/mcp_config",
                json!({"command": "../../x"}),
                "server.mcp_config.command has the part '..'",
            ),
            (
                "/server/mcp_config",
                json!({"command": "node", "args": ["${__dirname}${/}..${/}x"]}),
                "server.mcp_config.args[0] leads out of the folder",
            ),
            (
                "/user_config",
                json!({"k": {"type": "string"}}),
                "user_config.k.title is missing; user_config.k.description is missing",
            ),
        ] {
            assert!(with(pointer, value.clone()).starts_with(said), "{}", with(pointer, value));
        }
        let settings = json!({"k": option("string", &json!({"sensitive": true})), "l": option("file", &json!({"multiple": true}))});
        for (config, said) in [
            (json!({"command": "x", "args": ["--k=${user_config.k}"]}), "the sensitive setting 'k'"),
            (json!({"command": "x", "args": ["--l=${user_config.l}"]}), "the list 'l' inside of a text"),
            (json!({"command": "x", "env": {"L": "${user_config.l}"}}), "the list 'l' inside of a text"),
            (
                json!({"command": "x", "platform_overrides": {"win32": {"args": ["${user_config.k}"]}}}),
                "sensitive",
            ),
        ] {
            let found = check(&manifest(&config, &settings));
            assert!(found.len() == 1 && found[0].what.contains(said), "{found:?}");
        }
    }

    #[test]
    fn an_unknown_member_is_tolerable_and_an_unknown_form_is_not() {
        let read = |value: &Value| Manifest::read(value.to_string().as_bytes());
        let mut value = manifest(&json!({"command": "node"}), &json!({}));
        value["later"] = json!(1);
        let (_, odd) = read(&value).expect("used");
        assert_eq!(odd.len(), 1);
        value["manifest_version"] = json!("1.0");
        assert!(read(&value).is_err_and(|why| why.contains("manifest_version is '1.0'")));
        let members = value.as_object_mut().expect("an object");
        members.remove("manifest_version");
        members.insert("dxt_version".to_owned(), json!("0.1"));
        assert!(read(&value).is_ok());
        value["server"] = json!({"type": "uv", "entry_point": "m.py"});
        let (uv, _) = read(&value).expect("of uv");
        assert_eq!(uv.value["server"]["mcp_config"]["command"], "uv");
        assert!(Manifest::read(b"[").is_err() && Manifest::read(b"[]").is_err());
    }

    fn config(config: &Value, settings: &Value, values: &Value, platform: &str) -> Result<Value, String> {
        let values: BTreeMap<String, Given> = values
            .as_object()
            .expect("an object")
            .iter()
            .map(|(key, value)| {
                let given = match value {
                    Value::Array(list) => Given::Many(list.iter().map(plain).collect()),
                    one => Given::One(plain(one)),
                };
                (key.clone(), given)
            })
            .collect();
        let variable = |name: &str| (name == "HOME").then(|| "/home/me".to_owned());
        let place = Place { folder: Path::new("/b"), values: &values, variable: &variable };
        let manifest = Manifest { value: manifest(config, settings) };
        manifest.config(&place, platform).map(Value::Object)
    }

    #[test]
    fn names_are_replaced_once_and_what_has_no_value_is_left_out() {
        let settings =
            json!({"a": option("string", &json!({})), "l": option("file", &json!({"multiple": true}))});
        let template = json!({"command": "node", "args": ["${__dirname}/s.js", "--a", "${user_config.a}", "${user_config.l}", "${HOME}${/}x"],
            "env": {"A": "x${user_config.a}", "D": "${DOCUMENTS}"}});
        let values = json!({"a": "${user_config.l}$&", "l": ["1", "2"]});
        assert_eq!(
            config(&template, &settings, &values, "linux").expect("a command"),
            json!({"command": "node", "args": ["/b/s.js", "--a", "${user_config.l}$&", "1", "2", "/home/me/x"],
                "env": {"A": "x${user_config.l}$&", "D": "/home/me/Documents"}})
        );
        assert_eq!(
            config(&template, &settings, &json!({}), "linux").expect("a command"),
            json!({"command": "node", "args": ["/b/s.js", "--a", "/home/me/x"], "env": {"D": "/home/me/Documents"}})
        );
        let inside = json!({"command": "x", "args": ["a${user_config.l}"]});
        assert!(config(&inside, &settings, &values, "linux").is_err_and(|why| why.contains("the list 'l'")));
        let missing = json!({"command": "server/x"});
        assert!(
            config(&missing, &json!({}), &json!({}), "linux")
                .is_err_and(|why| why.contains("not in the bundle"))
        );
    }

    #[test]
    fn a_bare_name_is_a_program_of_the_machine_also_where_the_bundle_has_such_a_file() {
        let folder = tempfile::tempdir().expect("a folder");
        std::fs::create_dir(folder.path().join("server")).expect("a folder");
        for name in ["node", "tool", "server/x"] {
            std::fs::write(folder.path().join(name), "").expect("a file");
        }
        let inside = |name: &str| folder.path().join(name).display().to_string();
        for (kind, entry, command, is, shown) in [
            ("node", "server/x", "node", "node".to_owned(), "node"),
            ("binary", "server/x", "tool", "tool".to_owned(), "tool"),
            ("binary", "tool", "tool", inside("tool"), "${__dirname}/tool"),
            ("binary", "server/x", "server/x", inside("server/x"), "${__dirname}/server/x"),
            ("binary", "server/x", "./node", inside("node"), "${__dirname}/node"),
            (
                "binary",
                "server/x",
                "${__dirname}${/}server${/}x",
                inside("server/x"),
                "${__dirname}${/}server${/}x",
            ),
            ("node", "server/x", "/usr/bin/node", "/usr/bin/node".to_owned(), "/usr/bin/node"),
        ] {
            let mut value = manifest(&json!({"command": command}), &json!({}));
            value["server"]["type"] = json!(kind);
            value["server"]["entry_point"] = json!(entry);
            let manifest = Manifest { value };
            let place = Place { folder: folder.path(), values: &BTreeMap::new(), variable: &|_| None };
            let config = manifest.config(&place, "linux").expect(command);
            assert_eq!(config["command"], is, "{command}");
            assert_eq!(manifest.shown_command("linux"), shown);
        }
    }

    #[test]
    fn a_platform_replaces_each_member_as_a_whole() {
        let template = json!({"command": "node", "args": ["a"], "env": {"A": "1"},
            "platform_overrides": {"win32": {"args": []}, "darwin": {"command": "bun", "env": {"B": "2"}}}});
        let of = |platform| config(&template, &json!({}), &json!({}), platform).expect("a command");
        assert_eq!(of("linux"), json!({"command": "node", "args": ["a"], "env": {"A": "1"}}));
        assert_eq!(of("win32"), json!({"command": "node", "args": [], "env": {"A": "1"}}));
        assert_eq!(of("darwin"), json!({"command": "bun", "args": ["a"], "env": {"B": "2"}}));
    }
}
