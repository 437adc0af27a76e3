//! `config check`: what of the files with servers, or of the one that is named, does not work, without starting anything unless that is asked for.

use super::overview;
use crate::arguments::{Check, Common, Format};
use crate::failure::Failure;
use crate::output::{Screen, counted, one_line, text};
use crate::servers::{Found, choose, found, ineffective, lacks, of_file};
use serde_json::{Value, json};

/// One finding.
struct Finding {
    file: String,
    server: Option<String>,
    what: String,
}

pub fn check(screen: Screen, check: &Check, common: &Common) -> Result<(), Failure> {
    let (servers, files) = match &common.config {
        Some(path) => (of_file(path)?, Vec::new()),
        None => found(),
    };
    let mut findings: Vec<Finding> = files
        .iter()
        .filter_map(|file| {
            let what = file.fault.clone()?;
            Some(Finding { file: file.path.display().to_string(), server: None, what })
        })
        .collect();
    for one in &servers {
        findings.extend(of_entry(one, &servers).into_iter().map(|what| about(one, what)));
    }
    if check.connect {
        for (name, file, what) in overview::failures(common)? {
            findings.push(Finding { file, server: Some(name), what });
        }
    }
    write(screen, &findings)?;
    match findings.len() {
        0 => Ok(()),
        1 => Err(Failure::found("1 finding")),
        count => Err(Failure::found(counted(count, "finding"))),
    }
}

fn about(one: &Found, what: String) -> Finding {
    Finding { file: one.path.display().to_string(), server: Some(one.name.clone()), what }
}

/// What is wrong with an entry.
fn of_entry(one: &Found, all: &[Found]) -> Vec<String> {
    let mut lines: Vec<String> = one.fault.iter().cloned().collect();
    if one.is_disabled {
        return lines;
    }
    lines.extend(ineffective(one));
    if lines.is_empty() {
        lines.extend(lacks(one));
    }
    let others = all.iter().take_while(|other| !std::ptr::eq(*other, one));
    let same = others.filter(|other| other.name == one.name && !other.is_disabled);
    if one.is_of_project {
        lines.extend(choose(all, &one.name).err().map(|failure| failure.text()));
    } else if let Some(other) = same.filter(|other| !other.is_of_project).last() {
        lines.push(format!("{} has a server of this name, too, and is used", other.path.display()));
    }
    lines
}

fn write(screen: Screen, findings: &[Finding]) -> Result<(), Failure> {
    match screen.format {
        Format::Json | Format::Yaml => {
            let list: Vec<Value> = findings
                .iter()
                .map(|one| json!({"file": one.file, "server": one.server, "what": one.what}))
                .collect();
            screen.json(&json!({ "findings": list }).to_string())
        }
        Format::Names => {
            screen.names(&findings.iter().filter_map(|one| one.server.clone()).collect::<Vec<_>>())
        }
        Format::Text if findings.is_empty() => {
            Screen::said("nothing is wrong with the files that have servers");
            Ok(())
        }
        Format::Text => {
            let line = |one: &Finding| {
                let server =
                    one.server.as_ref().map(|name| format!("{}: ", one_line(name))).unwrap_or_default();
                text![one_line(&one.file), ": ", server, one_line(&one.what), "\n"]
            };
            screen.write(findings.iter().map(line).collect::<crate::output::Text>())
        }
    }
}
