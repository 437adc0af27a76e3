//! `config import`: servers of other programs, copied into a file of this one.

use crate::arguments::{Common, Format, Import};
use crate::failure::Failure;
use crate::folders;
use crate::output::{FAINT, Screen, one_line, styled};
use crate::servers::{Found, choose, faults, found, hidden_by, masked, own_file, permit};
use serde_json::{Map, Value, json};

/// The most bytes of the file.
const MOST_BYTES: u64 = 16 * 1024 * 1024;

pub fn import(screen: Screen, import: &Import, common: &Common) -> Result<(), Failure> {
    if common.config.is_some() {
        return Err(Failure::usage(
            "--config names a file from which servers are read; the file that is written is named by --into",
        ));
    }
    let path = match &import.into {
        Some(path) => path.clone(),
        None => own_file().ok_or_else(|| {
            Failure::machine("there is no folder for configurations: HOME is not set; use --into")
        })?,
    };
    let shown = path.display().to_string();
    let text = folders::read(&path, MOST_BYTES)?.unwrap_or_else(|| "{}".to_owned());
    let mut file: Map<String, Value> = serde_json::from_str(&text).map_err(|error| {
        Failure::usage(format!("{shown} is not a JSON object: {error}; it is left as it is"))
    })?;
    if let Some(why) = hidden_by(&path, &Value::Object(file.clone()), "mcpServers") {
        return Err(Failure::usage(format!("{shown}: {why}; it is left as it is")));
    }
    let servers = file.entry("mcpServers").or_insert_with(|| json!({}));
    let Some(servers) = servers.as_object_mut() else {
        return Err(Failure::usage(format!(
            "\"mcpServers\" in {shown} is not an object; it is left as it is"
        )));
    };
    let (all, files) = found();
    let mut imported = Vec::new();
    for one in meant(&all, &import.names, &faults(&files))? {
        if one.is_disabled {
            Screen::note(styled(FAINT, format!("{} is disabled", one_line(&one.name))));
            continue;
        }
        if one.path == path || servers.contains_key(&one.name) {
            Screen::note(styled(FAINT, format!("{} is there already", one_line(&one.name))));
            continue;
        }
        permit(one, Screen::can_ask())?;
        match one.portable() {
            Ok(config) => {
                imported.push((one.name.clone(), one.source, masked(&config)));
                servers.insert(one.name.clone(), Value::Object(config));
            }
            Err(why) => Screen::said(format!("{} is left out: {}", one_line(&one.name), one_line(&why))),
        }
    }
    if !imported.is_empty() {
        folders::replace(&path, &format!("{:#}\n", Value::Object(file)))?;
    }
    let names: Vec<String> = imported.iter().map(|(name, ..)| name.clone()).collect();
    match screen.format {
        Format::Json | Format::Yaml => {
            let entry = |(name, source, config): &(String, &str, Map<String, Value>)| json!({"name": name, "from": source, "config": config});
            let imported: Vec<Value> = imported.iter().map(entry).collect();
            screen.json(&json!({"file": shown, "imported": imported}).to_string())
        }
        Format::Names => screen.names(&names),
        Format::Text if names.is_empty() => {
            Screen::said("nothing is imported");
            Ok(())
        }
        Format::Text => screen.write(format!("{shown}: {}\n", one_line(&names.join(", ")))),
    }
}

/// The entries that are named, or without names all of the person's own: what a project brings becomes the person's only by its name.
fn meant<'a>(all: &'a [Found], names: &[String], faults: &str) -> Result<Vec<&'a Found>, Failure> {
    if names.is_empty() {
        let (of_project, own): (Vec<&Found>, Vec<&Found>) = all.iter().partition(|one| one.is_of_project);
        if !of_project.is_empty() {
            let names: Vec<String> =
                of_project.iter().map(|one| format!("project:{}", one_line(&one.name))).collect();
            Screen::said(format!(
                "what this project brings is imported only by its name: {}",
                names.join(", ")
            ));
        }
        return Ok(own.into_iter().filter(|one| !one.is_disabled).collect());
    }
    let chosen = |name: &String| {
        let missing = || {
            let near = super::did_you_mean(name, all.iter().map(|one| one.name.as_str()));
            Failure::usage(format!("no file of a program has a server '{name}'{near}{faults}"))
        };
        choose(all, name)?.ok_or_else(missing)
    };
    names.iter().map(chosen).collect()
}
