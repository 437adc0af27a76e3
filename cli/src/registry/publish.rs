//! `publish`: a record of a server, made of what is in its folder, checked, shown and sent. A credential goes to the registry that it is for.

use super::api::Registry;
use super::login;
use super::record::{SCHEMA, check};
use crate::arguments::{Common, Format, Publish, Standing};
use crate::bundle::{Described, checked_bytes, described};
use crate::failure::Failure;
use crate::folders::{self, encoded, sha256};
use crate::output::{Screen, beginning, json_text, one_line};
use crate::settings::confirm;
use crate::shape::Finding;
use serde_json::{Map, Value, json};
use std::path::{Path, PathBuf};

/// The file of the record, and the most bytes of it.
const FILE: &str = "server.json";
const MOST_RECORD: u64 = 1 << 20;
/// How many faults of a registry are shown, and how much of each.
const MOST_ISSUES: usize = 50;
const MOST_ISSUE: usize = 500;
/// The longest description that a registry takes.
const MOST_DESCRIPTION: usize = 100;

pub fn publish(screen: Screen, publish: &Publish, common: &Common) -> Result<(), Failure> {
    let registry = Registry::of(publish.registry.as_deref(), common)?;
    let folder = publish.folder.clone().unwrap_or_else(|| PathBuf::from("."));
    let record = record(&folder, publish)?;
    if let Some(status) = publish.status {
        return mark(screen, publish, status, &record, &registry);
    }
    let found = check(&record);
    let lines: Vec<String> = found.iter().map(Finding::line).collect();
    if publish.dry_run {
        write(screen, &record, &registry.url, false, &lines)?;
    }
    if !lines.is_empty() {
        return Err(Failure::usage(format!("the record cannot be published: {}", lines.join("; "))));
    }
    if publish.dry_run {
        return Ok(());
    }
    let login = login::of(publish)?;
    Screen::note(json_text(&record.to_string(), |_| false));
    Screen::said(format!("this is published at {}; a version is final", registry.url));
    confirm(publish.yes)?;
    validated(&registry, &record)?;
    let token = login::token(&registry, login)?;
    let (status, answer) = registry.send("POST", "/v0.1/publish", &record, Some(&token))?;
    taken(&registry, status, &answer)?;
    write(screen, &record, &registry.url, true, &[])
}

/// Has the registry look at the record before anything is asked for: its own rules may be younger than those of this program.
fn validated(registry: &Registry<'_>, record: &Value) -> Result<(), Failure> {
    let (status, answer) = registry.send("POST", "/v0.1/validate", record, None)?;
    match status {
        200 => {}
        // One that does not offer it says what is wrong when the record is published.
        404 | 405 | 501 => return Ok(()),
        _ => return Err(registry.refused(status, &answer)),
    }
    let issues = answer["issues"].as_array().map_or(&[][..], Vec::as_slice);
    let text = |issue: &Value, key: &str| one_line(issue[key].as_str().unwrap_or_default());
    let line = |issue: &Value| {
        let (path, message) = (text(issue, "path"), text(issue, "message"));
        beginning(&if path.is_empty() { message } else { format!("{path}: {message}") }, MOST_ISSUE)
    };
    let (faults, hints): (Vec<&Value>, Vec<&Value>) =
        issues.iter().take(MOST_ISSUES).partition(|issue| issue["severity"] == "error");
    for hint in hints {
        Screen::said(format!("the registry says: {}", line(hint)));
    }
    if answer["valid"] == true {
        return Ok(());
    }
    let mut lines: Vec<String> = faults.into_iter().map(line).collect();
    if lines.is_empty() {
        lines.push("it is not valid, and no error says why".to_owned());
    }
    Err(Failure::usage(format!(
        "the registry {} does not take the record: {}; change {FILE}, or give the member with --record NAME=VALUE",
        registry.url,
        lines.join("; ")
    )))
}

/// What a registry says of something that a login did.
fn taken(registry: &Registry<'_>, status: u16, answer: &Value) -> Result<(), Failure> {
    let refused = || registry.refused(status, answer);
    match status {
        200 | 201 => Ok(()),
        401 => Err(refused().and("a token of a registry lives some minutes: log in again")),
        403 => Err(refused().and(
            "the login may not publish names that begin so; io.github.OWNER/… is for the login of the owner, and com.example/… for the \
             domain",
        )),
        _ => Err(refused()),
    }
}

/// Says of a version that is published, or of all of them, how it stands.
fn mark(
    screen: Screen,
    publish: &Publish,
    status: Standing,
    record: &Value,
    registry: &Registry<'_>,
) -> Result<(), Failure> {
    let text = |key: &str| {
        record[key].as_str().filter(|text| !text.is_empty()).ok_or_else(|| {
            Failure::usage(format!(
                "--status is for a server that is published: give its {key}, as --record {key}=…"
            ))
        })
    };
    let name = text("name")?;
    let (path, shown) = if publish.all_versions {
        (String::new(), "all versions".to_owned())
    } else {
        let version = text("version")?;
        (format!("/versions/{}", encoded(version)), version.to_owned())
    };
    let path = format!("/v0.1/servers/{}{path}/status", encoded(name));
    let word = status.word();
    let mut body = json!({"status": word});
    if let Some(message) = &publish.message {
        body["statusMessage"] = message.as_str().into();
    }
    let told = format!("{} {}: {word} at {}", one_line(name), one_line(&shown), registry.url);
    if publish.dry_run {
        return screen.write(format!("would be {told}\n"));
    }
    let login = login::of(publish)?;
    Screen::said(told.clone());
    confirm(publish.yes)?;
    let token = login::token(registry, login)?;
    let (status, answer) = registry.send("PATCH", &path, &body, Some(&token))?;
    taken(registry, status, &answer)?;
    match screen.format.is_data() {
        true => screen.json(
            &json!({"registry": registry.url, "name": name, "version": shown, "status": word}).to_string(),
        ),
        false => screen.write(format!("{told}\n")),
    }
}

fn write(screen: Screen, record: &Value, url: &str, is_sent: bool, faults: &[String]) -> Result<(), Failure> {
    let text = |key: &str| one_line(record[key].as_str().unwrap_or_default());
    match screen.format {
        Format::Json | Format::Yaml => screen
            .json(&json!({"registry": url, "sent": is_sent, "record": record, "faults": faults}).to_string()),
        Format::Names => screen.names(&[text("name")]),
        Format::Text if is_sent => {
            screen.write(format!("{} {}: published at {}\n", text("name"), text("version"), one_line(url)))
        }
        Format::Text => {
            Screen::said(format!("this would be sent to {url}"));
            screen.write(json_text(&record.to_string(), |_| false))
        }
    }
}

/// The record of the folder, or one made of its package file, with what the command line says.
fn record(folder: &Path, publish: &Publish) -> Result<Value, Failure> {
    let path = folder.join(FILE);
    let mut record = match folders::read_given(&path, MOST_RECORD)? {
        Some(text) => serde_json::from_str(&text)
            .map_err(|error| Failure::usage(format!("{} is not valid JSON: {error}", path.display())))?,
        None => made(&described(folder)?.unwrap_or_default()),
    };
    let Some(members) = record.as_object_mut() else {
        return Err(Failure::usage(format!("{} is not an object", path.display())));
    };
    for word in &publish.record {
        let (name, text) = word.split_once('=').ok_or_else(|| {
            Failure::usage(format!(
                "--record {word}: there is no '='; write --record name=io.github.owner/name"
            ))
        })?;
        let json = Some(text).filter(|text| text.starts_with(['{', '[']));
        let value = json.and_then(|text| serde_json::from_str(text).ok()).unwrap_or_else(|| text.into());
        members.insert(name.to_owned(), value);
    }
    if let (Some(path), Some(url)) = (&publish.bundle, &publish.bundle_url) {
        let package = json!({"registryType": "mcpb", "identifier": url, "fileSha256": sha256(&checked_bytes(path)?),
            "transport": {"type": "stdio"}});
        match members.entry("packages").or_insert_with(|| json!([])) {
            Value::Array(list) => list.push(package),
            _ => return Err(Failure::usage("'packages' of the record is not a list")),
        }
    }
    Ok(record)
}

/// A record from a package file.
fn made(about: &Described) -> Value {
    let mut members = Map::new();
    members.insert("$schema".to_owned(), SCHEMA.into());
    let mut description = about.description.clone();
    if description.chars().count() > MOST_DESCRIPTION {
        description = description.chars().take(MOST_DESCRIPTION - 1).chain(['…']).collect();
    }
    for (key, text) in [
        ("name", &about.server_name),
        ("description", &description),
        ("version", &about.version),
        ("websiteUrl", &about.homepage),
    ] {
        if !text.is_empty() {
            members.insert(key.to_owned(), text.as_str().into());
        }
    }
    if !about.repository.is_empty() {
        let host = super::download::host_of(&about.repository);
        let source = host.strip_suffix(".com").filter(|source| ["github", "gitlab"].contains(source));
        let source = source.unwrap_or(&host);
        members.insert("repository".to_owned(), json!({"url": about.repository, "source": source}));
    }
    // A crate has to be compiled before it runs, which hosts do not do.
    if matches!(about.registry, "npm" | "pypi") && !about.name.is_empty() {
        let package = json!({"registryType": about.registry, "identifier": about.name, "version": about.version,
            "transport": {"type": "stdio"}});
        members.insert("packages".to_owned(), json!([package]));
    }
    Value::Object(members)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn about(server_name: &str, registry: &'static str) -> Described {
        Described {
            registry,
            name: "@me/y".to_owned(),
            version: "1.2.3".to_owned(),
            description: "d".repeat(300),
            repository: "https://github.com/me/y".to_owned(),
            server_name: server_name.to_owned(),
            ..Described::default()
        }
    }

    #[test]
    fn a_record_may_begin_with_a_byte_order_mark() {
        let folder = tempfile::tempdir().expect("a folder");
        std::fs::write(folder.path().join(FILE), "\u{feff}{\"name\": \"io.github.me/y\"}").expect("written");
        let record = record(folder.path(), &Publish::default()).expect("a record");
        assert_eq!(record["name"], "io.github.me/y");
    }

    #[test]
    fn a_package_becomes_a_record_that_lacks_only_what_the_person_says() {
        let record = made(&about("io.github.me/y", "npm"));
        assert_eq!(check(&record), []);
        assert_eq!(record["repository"]["source"], "github");
        assert_eq!(record["packages"][0]["identifier"], "@me/y");
        let lines: Vec<String> = check(&made(&about("", "npm"))).iter().map(Finding::line).collect();
        assert_eq!(lines, ["name is missing"]);
        let of_cargo = check(&made(&about("io.github.me/y", "cargo")));
        assert!(of_cargo.iter().any(|one| one.what.contains("no way to use")), "{of_cargo:?}");
    }
}
