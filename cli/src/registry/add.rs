//! `add` of a server of a registry: what would run or be reached is shown, asked about, and written. Nothing is started.

use super::api::Registry;
use super::download::{is_loopback, is_safe};
use super::record::{Listed, names, settings_of};
use super::steering::{refuse_elsewhere, refuse_steering};
use crate::arguments::{Add, Common, Install, Kept};
use crate::bundle::{checked_name, install_bytes, is_for_this_system, platform};
use crate::commands::edit;
use crate::failure::Failure;
use crate::folders::{encoded, on_path, sha256};
use crate::ordered::{Gathered, sort_by_key};
use crate::output::{Screen, beginning, one_line};
use crate::settings::{Answers, Given, Kind, Setting, Use, confirm, gather, in_words, write_rows};
use serde_json::{Map, Value, json};

/// The most settings of a server, and how much of a text is shown.
const MOST_SETTINGS: usize = 100;
const SHOWN: usize = 300;
/// The longest name of a package.
const MOST_WORD: usize = 1024;
/// Ends of names that the runners take for a file of this machine.
const FILES: [&str; 5] = [".tgz", ".tar.gz", ".tar", ".whl", ".zip"];
/// The package registries that the runners ask by themselves.
const USUAL: [&str; 3] =
    ["https://registry.npmjs.org", "https://pypi.org", "https://api.nuget.org/v3/index.json"];

/// A way to use a server.
enum Way<'a> {
    Remote(&'a Value),
    /// The program that runs the package, and the package.
    Package(&'static str, &'a Value),
    /// Bundles, those first whose file names name this machine.
    Bundles(Vec<&'a Value>),
}

/// The systems of bundles and the processors, each with the words that name it in files.
const SYSTEMS: [(&str, &[&str]); 3] = [
    ("linux", &["linux", "gnu", "musl"]),
    ("darwin", &["darwin", "macos", "mac", "osx", "apple"]),
    ("win32", &["win32", "windows", "win", "win64", "pc"]),
];
const PROCESSORS: [(&str, &[&str]); 3] = [
    ("x86_64", &["x86_64", "x64", "amd64"]),
    ("aarch64", &["aarch64", "arm64"]),
    ("x86", &["x86", "i686", "386", "ia32"]),
];

/// What a bundle has that names another system: less than one that names nothing, also with the right processor.
const OTHER_SYSTEM: i8 = -2;

/// How well a bundle's file name says that it is for a machine. A record has no member for that. One that names another system may have
/// the word from the name of its server, such as `mac-vendor-lookup`: it comes last, and its manifest decides. Of processors manifests say
/// nothing: `None` where the name has another one.
fn fits(url: &str, system: &str, processor: &str) -> Option<i8> {
    let file = url.split(['?', '#']).next().unwrap_or_default().rsplit('/').next().unwrap_or_default();
    let file = file.to_ascii_lowercase().replace("x86_64", "x64");
    let words: Vec<&str> = file.split(|c: char| !c.is_ascii_alphanumeric()).collect();
    let points = |table: &[(&str, &[&str])], own: &str| {
        let named: Vec<&str> = table
            .iter()
            .filter(|(_, all)| words.iter().any(|word| all.contains(word)))
            .map(|(name, _)| *name)
            .collect();
        match named.is_empty() {
            true => Some(0),
            false => named.contains(&own).then_some(1),
        }
    };
    let of_system = points(&SYSTEMS, system).unwrap_or(OTHER_SYSTEM);
    // One file of macOS has code for every processor.
    let processor = if words.contains(&"universal") { Some(1) } else { points(&PROCESSORS, processor) };
    Some(of_system + processor?)
}

/// The bundles of a record that may be for this machine, the likeliest first.
fn bundles(server: &Value) -> Vec<&Value> {
    let all = server["packages"].as_array().map(Vec::as_slice).unwrap_or_default();
    let of = |one: &Value| {
        let url = one["identifier"].as_str().unwrap_or_default().to_owned();
        fits(&url, platform(), std::env::consts::ARCH)
    };
    let mut rated: Vec<(i8, &Value)> = all
        .iter()
        .filter(|one| one["registryType"] == "mcpb")
        .filter_map(|one| Some((of(one)?, one)))
        .collect();
    // Those of equal names keep the order of the record.
    sort_by_key(&mut rated, |(points, _)| std::cmp::Reverse(*points));
    rated.into_iter().map(|(_, one)| one).collect()
}

/// Remote first, else the first package whose runner is here; or why none of them is used.
fn choose<'a>(server: &'a Value, is_here: &dyn Fn(&str) -> bool) -> Result<Way<'a>, String> {
    let list = |key: &str| server[key].as_array().map(Vec::as_slice).unwrap_or_default();
    for kind in ["streamable-http", "sse"] {
        if let Some(remote) = list("remotes").iter().find(|one| one["type"] == kind) {
            return Ok(Way::Remote(remote));
        }
    }
    let mut reasons = Vec::new();
    for package in list("packages") {
        let kind = package["registryType"].as_str().unwrap_or_default();
        let base = package["registryBaseUrl"].as_str().unwrap_or_default().trim_end_matches('/');
        let runners: &[&'static str] = match kind {
            "npm" => &["npx"],
            "pypi" => &["uvx"],
            "nuget" => &["dnx"],
            "oci" => &["docker", "podman"],
            "mcpb" => {
                let fitting = bundles(server);
                if !fitting.is_empty() {
                    return Ok(Way::Bundles(fitting));
                }
                reasons.push(format!("no bundle of it is for {} on {}", platform(), std::env::consts::ARCH));
                continue;
            }
            other => {
                reasons.push(format!("packages of {} are not known here", one_line(other)));
                continue;
            }
        };
        if package["transport"]["type"].as_str().is_some_and(|kind| kind != "stdio") {
            reasons.push(format!("its package of {kind} is not used over stdio"));
        } else if !base.is_empty() && kind != "oci" && !USUAL.contains(&base) {
            reasons.push(format!(
                "its package of {kind} is in another registry of packages, {}",
                one_line(base)
            ));
        } else if let Some(runner) = runners.iter().find(|runner| is_here(runner)) {
            return Ok(Way::Package(runner, package));
        } else {
            reasons.push(format!("there is no program {} for its package of {kind}", runners.join(" or ")));
        }
    }
    Err(if reasons.is_empty() {
        "it has neither a remote nor a package".to_owned()
    } else {
        reasons.join("; ")
    })
}

/// What inputs ask for: of the variables of a URL, of headers, of arguments, of variables of the environment.
fn asked(way: &Way<'_>) -> Vec<Setting> {
    let mut all: Vec<Setting> = Vec::new();
    let (place, lists) = match way {
        Way::Remote(remote) => (*remote, &["headers"][..]),
        Way::Package(_, package) => {
            (*package, &["runtimeArguments", "packageArguments", "environmentVariables"][..])
        }
        Way::Bundles(_) => return all,
    };
    let of_url = place["variables"].as_object().into_iter().flatten();
    let of_url = of_url.flat_map(|(name, input)| settings_of(input, name));
    let of_url = of_url.map(|one| Setting { is_required: true, ..one });
    let others = lists.iter().flat_map(|list| place[*list].as_array().into_iter().flatten());
    for one in of_url.chain(others.flat_map(|input| settings_of(input, &key_of(input)))) {
        if all.len() < MOST_SETTINGS && !all.iter().any(|other| other.key == one.key) {
            all.push(one);
        }
    }
    all
}

/// What an input is called with `--input`.
fn key_of(input: &Value) -> String {
    let text = |key: &str| input[key].as_str().filter(|text| !text.is_empty());
    text("name").or(text("valueHint")).unwrap_or("value").trim_start_matches('-').to_owned()
}

/// The value of an input: its own with the names in it replaced, or what was given; `None` where there is none.
fn value_of(input: &Value, values: &Answers) -> Option<Given> {
    let Some(template) = input["value"].as_str() else {
        return values.values.get(&key_of(input)).cloned();
    };
    Some(Given::One(filled(template, values)))
}

/// A text with its names replaced once. A name without a value stays.
fn filled(template: &str, values: &Answers) -> String {
    let mut out = String::new();
    let mut rest = template;
    while let Some((before, after)) = rest.split_once('{') {
        out.push_str(before);
        let known = after.split_once('}').and_then(|(name, behind)| Some((values.values.get(name)?, behind)));
        match known {
            Some((given, behind)) => {
                out.push_str(&given.each().join(","));
                rest = behind;
            }
            None => {
                out.push('{');
                rest = after;
            }
        }
    }
    out + rest
}

/// Arguments of a program: no shell reads them.
fn arguments(list: &Value, values: &Answers) -> Vec<String> {
    let mut words = Vec::new();
    for one in list.as_array().into_iter().flatten() {
        let name = one["name"].as_str().filter(|_| one["type"] == "named");
        let Some(given) = value_of(one, values) else { continue };
        for value in given.each() {
            match (name, one["format"] == "boolean") {
                (Some(name), true) => words.extend((value == "true").then(|| name.to_owned())),
                (Some(name), false) => words.extend([name.to_owned(), value.clone()]),
                (None, _) => words.push(value.clone()),
            }
        }
    }
    words
}

/// Names and values of variables or headers.
fn pairs(list: &Value, values: &Answers) -> Map<String, Value> {
    let pair = |one: &Value| {
        let name = one["name"].as_str()?.to_owned();
        let value = value_of(one, values)?.each().join(",");
        Some((name, Value::from(value)))
    };
    list.as_array().into_iter().flatten().filter_map(pair).gathered()
}

/// Whether a text names a package as its registry does, and neither a path, a URL, another registry nor an option.
fn is_package(kind: &str, text: &str) -> bool {
    let is_part = |part: &str, more: &str| {
        part.starts_with(|c: char| c.is_ascii_alphanumeric())
            && part.chars().all(|c| c.is_ascii_alphanumeric() || more.contains(c))
    };
    match kind {
        "npm" => {
            let (scope, name) = match text.strip_prefix('@').map(|rest| rest.split_once('/')) {
                None => (None, text),
                Some(Some((scope, name))) => (Some(scope), name),
                Some(None) => return false,
            };
            scope.is_none_or(|scope| is_part(scope, "._-")) && is_part(name, "._-")
        }
        // A host with its port, folders, a tag and a digest.
        "oci" => {
            let (name, digest) = text.split_once('@').map_or((text, None), |(name, rest)| (name, Some(rest)));
            name.split('/').all(|part| is_part(part, "._-:"))
                && digest.is_none_or(|digest| is_part(digest, ":"))
        }
        _ => is_part(text, "._-"),
    }
}

/// The name or version of a package, which is one word.
fn word<'a>(package: &'a Value, key: &str) -> Result<&'a str, Failure> {
    let text = package[key].as_str().unwrap_or_default();
    let kind = package["registryType"].as_str().unwrap_or_default();
    let is_it = match key {
        "version" => {
            text.starts_with(|c: char| c.is_ascii_alphanumeric())
                && text.chars().all(|c| c.is_ascii_alphanumeric() || "._-+".contains(c))
        }
        _ => is_package(kind, text),
    };
    let small = text.to_ascii_lowercase();
    let is_file = kind != "oci" && FILES.iter().any(|end| small.ends_with(end));
    if !is_it || is_file || text.len() > MOST_WORD {
        return Err(Failure::usage(format!(
            "the {key} '{}' of its package is not one of {}",
            one_line(text),
            one_line(kind)
        )));
    }
    Ok(text)
}

/// What would run or be reached, each name with its value: what is written, but for the secrets of the person, which are masked.
fn shown(
    way: &Way<'_>,
    settings: &[Setting],
    values: &Answers,
) -> Result<Vec<(&'static str, String)>, Failure> {
    let masked = |(key, given): (&String, &Given)| {
        let is_hidden =
            settings.iter().any(|one| one.key == *key && one.is_secret && one.kind != Kind::Boolean)
                && !given.each().iter().all(|one| crate::servers::is_reference(one));
        let given = if is_hidden { Given::One("****".to_owned()) } else { given.clone() };
        (key.clone(), given)
    };
    let masked = Answers {
        values: values.values.iter().map(masked).gathered(),
        references: values.references.clone(),
        ..Answers::default()
    };
    let mut rows = Vec::new();
    let mut command = Vec::new();
    for (key, value) in members(way, &masked)? {
        let texts = value.as_array().map_or(std::slice::from_ref(&value), Vec::as_slice);
        let texts = texts.iter().filter_map(Value::as_str);
        let named = value.as_object().into_iter().flatten();
        match key {
            "command" | "args" => command.extend(texts.map(str::to_owned)),
            "env" => {
                rows.extend(
                    named.map(|(name, value)| {
                        ("sets", format!("{name}={}", value.as_str().unwrap_or_default()))
                    }),
                );
            }
            "headers" => {
                rows.extend(named.map(|(name, value)| {
                    ("sends", format!("{name}: {}", value.as_str().unwrap_or_default()))
                }));
            }
            _ => {
                rows.extend(texts.map(|text| ("reaches", mcp::client::without_passwords(text).into_owned())));
            }
        }
    }
    if !command.is_empty() {
        rows.insert(0, ("runs", in_words(&command)));
    }
    Ok(rows)
}

/// The members of an entry.
fn members(way: &Way<'_>, values: &Answers) -> Result<Vec<(&'static str, Value)>, Failure> {
    match way {
        Way::Remote(remote) => {
            let url = filled(remote["url"].as_str().unwrap_or_default(), values);
            // A reference to a variable has braces, too.
            let bare = values.references.iter().fold(url.clone(), |url, own| url.replace(own, ""));
            if let Some(name) = names(&bare).next() {
                return Err(Failure::usage(format!(
                    "its URL names '{{{name}}}', which has no value, and a registry has to say what it is"
                )));
            }
            if !is_safe(&url) {
                let shown = one_line(&mcp::client::without_passwords(&url));
                return Err(Failure::usage(format!("its URL is '{shown}', and only https is used")));
            }
            let mut members = vec![("url", json!(url))];
            let headers = pairs(&remote["headers"], values);
            members.extend((!headers.is_empty()).then_some(("headers", Value::Object(headers))));
            Ok(members)
        }
        Way::Package(runner, package) => {
            let identifier = word(package, "identifier")?;
            let variables = pairs(&package["environmentVariables"], values);
            let mut words: Vec<String> = Vec::new();
            let runtime = arguments(&package["runtimeArguments"], values);
            refuse_steering(package)?;
            refuse_elsewhere(runner, &runtime)?;
            if matches!(*runner, "docker" | "podman") {
                words.extend(["run", "-i", "--rm"].map(str::to_owned));
                words.extend(variables.keys().flat_map(|name| ["-e".to_owned(), name.clone()]));
                words.extend(runtime);
                words.push(identifier.to_owned());
            } else {
                let is_said = runtime.iter().any(|word| word == "-y" || word == "--yes");
                words.extend((*runner == "npx" && !is_said).then(|| "-y".to_owned()));
                words.extend(runtime);
                words.push(format!("{identifier}@{}", word(package, "version")?));
            }
            words.extend(arguments(&package["packageArguments"], values));
            let mut members = vec![("command", json!(runner)), ("args", json!(words))];
            members.extend((!variables.is_empty()).then_some(("env", Value::Object(variables))));
            Ok(members)
        }
        Way::Bundles(_) => Ok(Vec::new()),
    }
}

/// The record of one version that can be offered.
fn record(registry: &Registry<'_>, base: &str, version: &str) -> Result<Value, Failure> {
    let path = format!("/v0.1/servers/{}/versions/{}", encoded(base), encoded(version));
    let last = base.rsplit('/').next().unwrap_or(base);
    let answer =
        registry.get(&path).map_err(|failure| failure.and(&format!("`mcp search {last}` finds names")))?;
    let listed = Listed::of(&answer);
    if listed.text("name") != base || (version != "latest" && listed.text("version") != version) {
        return Err(Failure::unreached(format!(
            "{} was asked for {base} {version}, and answers with '{}' '{}'",
            registry.url,
            one_line(listed.text("name")),
            one_line(listed.text("version"))
        )));
    }
    let message = one_line(listed.message);
    match listed.status {
        "active" => {}
        "deleted" => {
            return Err(Failure::usage(format!("{base} {version} is deleted in the registry: {message}")));
        }
        other => Screen::said(format!("{base} is {}: {message}", one_line(other))),
    }
    Ok(answer)
}

pub fn add(screen: Screen, add: &Add, common: &Common) -> Result<(), Failure> {
    if !common.environment.is_empty() || !common.headers.is_empty() || common.cwd.is_some() {
        return Err(Failure::usage(
            "--env, --header and --cwd are not for a server of a registry: give values with --input",
        ));
    }
    let registry = Registry::of(add.registry.as_deref(), common)?;
    let (base, version) = add.name.split_once('@').unwrap_or((&add.name, "latest"));
    let answer = record(&registry, base, version)?;
    let listed = Listed::of(&answer);
    let way = choose(listed.server, &|program| on_path(program).is_some())
        .map_err(|why| Failure::usage(format!("{base} cannot be used here: {}", one_line(&why))))?;
    let name = add.rename.as_deref().unwrap_or_else(|| base.rsplit('/').next().unwrap_or(base));
    let name = checked_name(name)?;
    let mut rows = vec![
        ("server", format!("{base} {} (as {name})", listed.text("version"))),
        ("says", beginning(listed.text("description"), SHOWN)),
        ("registry", registry.url.clone()),
    ];
    if let Way::Bundles(packages) = &way {
        write_rows(&rows);
        return add_bundle(screen, add, name, packages, &registry, common);
    }
    let (source, file) = edit::file_of(add.to.as_deref(), add.literal)?;
    if let Way::Package(_, package) = &way {
        refuse_steering(package)?;
    }
    let settings = asked(&way);
    if let Way::Remote(remote) = &way {
        let url = remote["url"].as_str().unwrap_or_default();
        rows.extend(names(url).next().map(|_| ("at", mcp::client::without_passwords(url).into_owned())));
    }
    for setting in &settings {
        let kind = if setting.is_secret { " (secret)" } else { "" };
        rows.push((
            "asks for",
            format!("{}{kind} – {}", setting.key, beginning(&setting.description, SHOWN)),
        ));
    }
    write_rows(&rows);
    let given = crate::servers::given_inputs(&common.inputs, name)?;
    let reference = |variable: &str| file.reference(variable);
    let used = if add.literal { Use::Now } else { Use::File(&reference) };
    let values = gather(name, &settings, &given, used, Screen::can_ask() && !add.yes)?;
    let members = members(&way, &values)?;
    // What is agreed to is what is written: all values are in it.
    write_rows(&shown(&way, &settings, &values)?);
    confirm(add.yes || add.dry_run)?;
    edit::refuse_variables(&file, &members, &values.references)?;
    edit::keep(screen, source, &file, name, members, add.dry_run)?;
    for (variable, what) in &values.variables {
        edit::say_variable(source, variable, what);
    }
    Ok(())
}

/// Downloads the bundles that a registry names until one is for this machine, and installs that.
fn add_bundle(
    screen: Screen,
    add: &Add,
    name: &str,
    packages: &[&Value],
    registry: &Registry<'_>,
    common: &Common,
) -> Result<(), Failure> {
    let kept = Kept { to: add.to.clone(), dry_run: add.dry_run, literal: add.literal };
    let mut install = Install { name: Some(name.to_owned()), yes: add.yes, kept, ..Install::default() };
    for (at, package) in packages.iter().enumerate() {
        let (url, digest, bytes) = bundle_of(package, registry, common)?;
        // File names that say nothing leave it to the manifests.
        let is_last = at + 1 == packages.len();
        if !is_last && sha256(&bytes).eq_ignore_ascii_case(digest) && !is_for_this_system(&bytes, url)? {
            continue;
        }
        (install.bundle, install.sha256) = (url.to_owned(), Some(digest.to_owned()));
        return install_bytes(screen, &install, &bytes, common);
    }
    Ok(())
}

/// A bundle that a registry names: where it is, the digest that the registry has, and its bytes.
fn bundle_of<'a>(
    package: &'a Value,
    registry: &Registry<'_>,
    common: &Common,
) -> Result<(&'a str, &'a str, Vec<u8>), Failure> {
    let url = package["identifier"].as_str().unwrap_or_default();
    let shown = one_line(&mcp::client::without_passwords(url));
    if is_loopback(url) && !is_loopback(&registry.url) {
        return Err(Failure::usage(format!(
            "its bundle is at '{shown}', on this machine, and what is there is not that of a registry elsewhere"
        )));
    }
    let digest = package["fileSha256"].as_str().filter(|digest| digest.len() == 64).ok_or_else(|| {
        Failure::usage(format!(
            "the registry has no SHA-256 for '{shown}', and without one it is not installed"
        ))
    })?;
    Ok((url, digest, super::download(url, false, common)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(server: &Value, values: &[(&str, &str)], here: &[&str]) -> Result<Value, String> {
        let way = choose(server, &|program| here.contains(&program))?;
        let given = values.iter().copied().collect();
        let reference = |variable: &str| Some(format!("${{{variable}}}"));
        let values = gather("s", &asked(&way), &given, Use::File(&reference), false);
        let members = members(&way, &values.map_err(|failure| failure.text())?);
        let members = members.map_err(|failure| failure.text())?;
        Ok(members.into_iter().map(|(key, value)| (key.to_owned(), value)).collect::<Map<_, _>>().into())
    }

    #[test]
    fn a_remote_comes_first_and_its_url_is_whole() {
        let server = json!({"packages": [{"registryType": "npm", "identifier": "x", "version": "1"}],
            "remotes": [{"type": "sse", "url": "https://b/"}, {"type": "streamable-http", "url": "https://{tenant}.example/mcp",
                "variables": {"tenant": {"description": "t"}},
                "headers": [{"name": "X-Key", "value": "Bearer {key}", "variables": {"key": {"isSecret": true}}}]}]});
        assert_eq!(
            written(&server, &[("tenant", "a")], &["npx"]),
            Ok(json!({"url": "https://a.example/mcp", "headers": {"X-Key": "Bearer ${S_KEY}"}}))
        );
        assert!(written(&server, &[], &[]).is_err_and(|why| why.contains("--input tenant=VALUE")));
        let unknown = json!({"remotes": [{"type": "sse", "url": "https://{x}.example/"}]});
        assert!(written(&unknown, &[], &[]).is_err_and(|why| why.contains("'{x}'")));
        let plain = json!({"remotes": [{"type": "sse", "url": "http://a.example/"}]});
        assert!(written(&plain, &[], &[]).is_err_and(|why| why.contains("only https")));
    }

    #[test]
    fn each_kind_of_package_has_its_command() {
        let package = |kind: &str, more: &Value| {
            let identifier = match kind {
                "npm" => "@a/b",
                "oci" => "a/b",
                _ => "b",
            };
            let mut package = json!({"registryType": kind, "identifier": identifier, "version": "1.2.3", "transport": {"type": "stdio"},
                "environmentVariables": [{"name": "KEY", "isSecret": true, "isRequired": true}, {"name": "MODE", "value": "fast"}, {"name": "NO"}],
                "packageArguments": [{"type": "named", "name": "--port", "value": "80"}, {"type": "positional", "valueHint": "folder", "isRepeated": true},
                    {"type": "named", "name": "--quiet", "format": "boolean", "default": "true"}]});
            package.as_object_mut().expect("an object").extend(more.as_object().expect("an object").clone());
            json!({"packages": [package]})
        };
        let env = json!({"KEY": "${S_KEY}", "MODE": "fast"});
        let all = &["npx", "uvx", "dnx", "podman"];
        for (kind, command, before) in [
            ("npm", "npx", vec!["-y", "@a/b@1.2.3"]),
            ("pypi", "uvx", vec!["b@1.2.3"]),
            ("nuget", "dnx", vec!["b@1.2.3"]),
            ("oci", "podman", vec!["run", "-i", "--rm", "-e", "KEY", "-e", "MODE", "a/b"]),
        ] {
            let args = [before, vec!["--port", "80", "x", "y", "--quiet"]].concat();
            assert_eq!(
                written(&package(kind, &json!({})), &[("folder", "[\"x\",\"y\"]")], all),
                Ok(json!({"command": command, "args": args, "env": env})),
                "{kind}"
            );
        }
        let runtime = json!({"runtimeArguments": [{"type": "positional", "value": "--yes"}], "packageArguments": [], "environmentVariables": []});
        assert_eq!(
            written(&package("npm", &runtime), &[], all),
            Ok(json!({"command": "npx", "args": ["--yes", "@a/b@1.2.3"]}))
        );
        for (more, here, why) in [
            (json!({"identifier": "--help"}), &["npx"][..], "identifier '--help'"),
            (json!({"identifier": "a; b"}), &["npx"], "identifier 'a; b'"),
            (json!({"version": "1 2"}), &["npx"], "version '1 2'"),
            (json!({}), &["uvx"], "no program npx"),
            (json!({"registryBaseUrl": "https://npm.example"}), &["npx"], "another registry of packages"),
            (json!({"transport": {"type": "sse"}}), &["npx"], "not used over stdio"),
            (json!({"registryType": "go"}), &["npx"], "packages of go are not known"),
        ] {
            let said = written(&package("npm", &more), &[], here).expect_err(why);
            assert!(said.contains(why), "{said}");
        }
        assert!(
            written(&json!({}), &[], all).is_err_and(|why| why.contains("neither a remote nor a package"))
        );
    }

    #[test]
    fn a_package_is_named_as_its_registry_does_it() {
        for (kind, name, is_it) in [
            ("npm", "a", true),
            ("npm", "@a-b/c.d_e", true),
            ("npm", "github:evil/x", false),
            ("npm", "a/b", false),
            ("npm", "@a", false),
            ("npm", "@a/../b", false),
            ("npm", "https://evil.example/x", false),
            ("npm", "x.tgz", false),
            ("pypi", "a-b.c_d", true),
            ("pypi", "a/b", false),
            ("pypi", "./a", false),
            ("pypi", "git+https://evil.example/x", false),
            ("nuget", "A.B", true),
            ("nuget", "/tmp/x", false),
            ("oci", "host.example:5000/a/b:1.0@sha256:00ff", true),
            ("oci", "a", true),
            ("oci", "/a", false),
            ("oci", "./a", false),
            ("oci", "-v", false),
            ("oci", "", false),
        ] {
            let package = json!({"registryType": kind, "identifier": name});
            assert_eq!(word(&package, "identifier").is_ok(), is_it, "{kind} {name}");
        }
        for (version, is_it) in [
            ("1.0.0-rc.1+x", true),
            ("file:x", false),
            ("npm:evil", false),
            ("../x", false),
            ("1.tgz", false),
            ("", false),
        ] {
            let package = json!({"registryType": "npm", "version": version});
            assert_eq!(word(&package, "version").is_ok(), is_it, "{version}");
        }
    }

    #[test]
    fn what_is_shown_is_what_is_written_but_for_secrets() {
        let server = json!({"packages": [{"registryType": "oci", "identifier": "img", "transport": {"type": "stdio"},
            "runtimeArguments": [{"type": "named", "name": "-v/:/host", "format": "boolean", "value": "{debug}",
                "variables": {"debug": {"default": "true"}}}],
            "environmentVariables": [{"name": "MODE", "value": "a b"}, {"name": "KEY", "isSecret": true}],
            "packageArguments": [{"type": "positional", "value": "two words"}]}]});
        let rows = |server: &Value, given: &[(&str, &str)], is_file: bool| {
            let way = choose(server, &|program| program == "docker").expect("a way");
            let settings = asked(&way);
            let reference = |variable: &str| Some(format!("${{{variable}}}"));
            let used = if is_file { Use::File(&reference) } else { Use::Now };
            let values =
                gather("s", &settings, &given.iter().copied().collect(), used, false).expect("values");
            let rows = shown(&way, &settings, &values).expect("rows");
            rows.into_iter().map(|(name, text)| format!("{name} {text}")).collect::<Vec<_>>()
        };
        let runs = "runs docker run -i --rm -e KEY -e MODE -v/:/host img 'two words'";
        let key = [("KEY", "s3cret")];
        assert_eq!(rows(&server, &key, true), [runs, "sets KEY=${S_KEY}", "sets MODE=a b"]);
        assert_eq!(rows(&server, &key, false), [runs, "sets KEY=****", "sets MODE=a b"]);
        let remote = json!({"remotes": [{"type": "sse", "url": "https://{t}.example/", "variables": {"t": {"default": "x"}},
            "headers": [{"name": "X", "value": "fixed"}]}]});
        assert_eq!(rows(&remote, &[], true), ["reaches https://x.example/", "sends X: fixed"]);
    }

    #[test]
    fn a_bundle_is_told_by_its_file_name_where_that_names_a_machine() {
        for (url, points) in [
            ("https://a/x-linux-x64.mcpb", Some(2)),
            ("https://a/x_x86_64-unknown-linux-gnu.mcpb?y=darwin", Some(2)),
            ("https://a/x-linux.mcpb", Some(1)),
            ("https://a/amd64/x.mcpb", Some(0)),
            ("https://a/x-linux-arm64.mcpb", None),
            ("https://a/x-linux-x86.mcpb", None),
            ("https://a/x-darwin-universal.mcpb", Some(-1)),
            ("https://a/x-darwin-arm64.mcpb", None),
            ("https://a/x-Windows.mcpb", Some(-2)),
            // Words of the server's name.
            ("https://a/apple-health-mcp.mcpb", Some(-2)),
            ("https://a/mac-vendor-lookup.mcpb", Some(-2)),
            ("https://a/windows-docs.mcpb", Some(-2)),
            ("https://a/windows-docs-linux.mcpb", Some(1)),
            ("https://a/twin-machine.mcpb", Some(0)),
        ] {
            assert_eq!(fits(url, "linux", "x86_64"), points, "{url}");
        }
        assert_eq!(fits("https://a/x-darwin-universal.mcpb", "darwin", "aarch64"), Some(2));
    }

    #[test]
    fn names_are_replaced_once() {
        let one = |name: &str, value: &str| (name.to_owned(), Given::One(value.to_owned()));
        let values = Answers { values: [one("a", "{b}"), one("b", "x")].into(), ..Answers::default() };
        for (template, is) in [("{a}{b}", "{b}x"), ("{c} {", "{c} {"), ("{{b}}", "{x}"), ("none", "none")] {
            assert_eq!(filled(template, &values), is, "{template}");
        }
    }
}
