//! `servers`: what other programs have configured, with secrets masked.

use crate::arguments::{Common, Format, Servers};
use crate::failure::Failure;
use crate::output::{FAINT, Screen, Text, one_line, styled, table, text};
use crate::servers::{Approval, File, Found, found, masked, of_file};
use serde_json::{Value, json};

pub fn servers(screen: Screen, options: &Servers, common: &Common) -> Result<(), Failure> {
    let (mut list, files) = match &common.config {
        Some(path) => (of_file(path)?, Vec::new()),
        None => found(),
    };
    if let Some(name) = &options.name {
        if !list.iter().any(|one| one.is_called(name)) {
            let near = super::did_you_mean(name, list.iter().map(|one| one.name.as_str()));
            return Err(Failure::usage(format!("no file of a program has a server '{name}'{near}")));
        }
        list.retain(|one| one.is_called(name));
    }
    for file in &files {
        if let Some(fault) = &file.fault {
            Screen::said(format!("{} cannot be used: {}", file.path.display(), one_line(fault)));
        }
    }
    match screen.format {
        Format::Json | Format::Yaml => {
            let mut all = json!({"servers": list.iter().map(as_json).collect::<Vec<_>>()});
            if options.files {
                all["files"] = files.iter().map(file_as_json).collect();
            }
            screen.json(&all.to_string())
        }
        Format::Names => screen.names(&list.into_iter().map(|one| one.name).collect::<Vec<_>>()),
        Format::Text => {
            if list.is_empty() {
                Screen::said(
                    "no file of a program here has a server; --files shows where they were looked for",
                );
            } else {
                let rows: Vec<Vec<String>> = list.iter().map(row).collect();
                screen.write(table(&["NAME", "FROM", "SERVER"], &rows, screen.width()))?;
            }
            let lines = files.iter().filter(|_| options.files).map(|file| {
                let line = format!("{} {}", file.source, file.path.display());
                let line =
                    if file.is_there { line.into() } else { styled(FAINT, format!("{line} (not there)")) };
                text![line, "\n"]
            });
            let lines: Text = lines.collect();
            if lines.is_empty() { Ok(()) } else { screen.write(text!["\n", lines]) }
        }
    }
}

fn row(one: &Found) -> Vec<String> {
    let config = masked(&one.written());
    let text = |key: &str| config.get(key).and_then(Value::as_str).unwrap_or_default().to_owned();
    let mut server = if config.contains_key("url") { text("url") } else { text("command") };
    for argument in
        config.get("args").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str)
    {
        server.push(' ');
        server.push_str(argument);
    }
    for (key, what) in [("env", "variables"), ("headers", "headers")] {
        if let Some(Value::Object(object)) =
            config.get(key).filter(|it| it.as_object().is_some_and(|it| !it.is_empty()))
        {
            let names: Vec<&str> = object.keys().map(String::as_str).collect();
            server = format!("{server} ({what}: {})", names.join(", "));
        }
    }
    if one.is_disabled {
        server.push_str(" (disabled)");
    }
    if !is_approved(one) {
        server.push_str(" (of this project, not approved)");
    }
    vec![one.name.clone(), one.source.to_owned(), server]
}

fn as_json(one: &Found) -> Value {
    json!({
        "name": one.name,
        "from": one.source,
        "path": one.path.display().to_string(),
        "disabled": one.is_disabled,
        "project": one.is_of_project,
        "approved": is_approved(one),
        "config": masked(&one.written()),
    })
}

/// Whether it may be used without a question.
fn is_approved(one: &Found) -> bool {
    Approval::of(one).is_ok_and(|approval| approval.is_enough())
}

fn file_as_json(file: &File) -> Value {
    json!({
        "from": file.source,
        "path": file.path.display().to_string(),
        "found": file.is_there,
        "fault": file.fault,
    })
}
