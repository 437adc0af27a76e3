//! `config import`: servers of other programs, copied into a file of this one.

use crate::arguments::{Common, Format, Import};
use crate::failure::Failure;
use crate::folders;
use crate::output::{FAINT, Screen, one_line, styled};
use crate::servers::{found, masked, own_file};
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
        Failure::usage(format!("{shown} is no JSON object: {error}; it is left as it is"))
    })?;
    let servers = file.entry("mcpServers").or_insert_with(|| json!({}));
    let Some(servers) = servers.as_object_mut() else {
        return Err(Failure::usage(format!("\"mcpServers\" in {shown} is no object; it is left as it is")));
    };
    let all = found().0;
    let is_meant = |one: &crate::servers::Found, name: &String| {
        one.name == *name || format!("{}:{}", one.source, one.name) == *name
    };
    if let Some(name) = import.names.iter().find(|name| !all.iter().any(|one| is_meant(one, name))) {
        return Err(Failure::usage(format!("no file of a program has a server '{name}'")));
    }
    let mut imported = Vec::new();
    for one in all.iter().filter(|one| one.path != path && !one.is_disabled) {
        if !import.names.is_empty() && !import.names.iter().any(|name| is_meant(one, name)) {
            continue;
        }
        if servers.contains_key(&one.name) {
            Screen::note(&styled(FAINT, &format!("{} is there already", one_line(&one.name))));
            continue;
        }
        match one.portable() {
            Ok(config) => {
                imported.push((one.name.clone(), one.source, masked(&config)));
                servers.insert(one.name.clone(), Value::Object(config));
            }
            Err(why) => Screen::note(&format!("{} is left out: {}", one_line(&one.name), one_line(&why))),
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
            Screen::note("nothing is imported");
            Ok(())
        }
        Format::Text => screen.write(&format!("{shown}: {}\n", one_line(&names.join(", ")))),
    }
}
