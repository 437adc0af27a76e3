//! `config trust`: what the person approves of a project's files.

use crate::arguments::{Common, Format, Trust};
use crate::failure::{Failure, NOT_APPROVED};
use crate::output::{FAINT, Screen, one_line, styled};
use crate::servers::{Approval, Found, approve, faults, found, revoke};
use serde_json::{Value, json};

pub fn trust(screen: Screen, trust: &Trust, common: &Common) -> Result<(), Failure> {
    if common.config.is_some() {
        return Err(Failure::usage(
            "--config names a file, and its servers need no approval: leave one of both out",
        ));
    }
    let (all, files) = found();
    let of_project: Vec<&Found> = all.iter().filter(|one| one.is_of_project).collect();
    let meant = meant(&of_project, trust, &faults(&files))?;
    let (mut done, mut refused) = (Vec::new(), None);
    for one in meant {
        if trust.revoke {
            if revoke(one)? {
                done.push(one);
            } else {
                Screen::note(styled(FAINT, format!("{} was not approved", one_line(&one.name))));
            }
            continue;
        }
        let before = Approval::of(one)?;
        if before.is_enough() {
            Screen::note(styled(FAINT, format!("{} is approved already", one_line(&one.name))));
            continue;
        }
        match approve(one, &before) {
            Ok(_) => done.push(one),
            // The others can be approved all the same.
            Err(failure) if failure.exit == NOT_APPROVED => refused = Some(failure),
            Err(failure) => return Err(failure),
        }
    }
    write(screen, trust, &done)?;
    refused.map_or(Ok(()), Err)
}

/// The entries that are named; without names all of them, if a person can be asked about each.
fn meant<'a>(of_project: &[&'a Found], trust: &Trust, faults: &str) -> Result<Vec<&'a Found>, Failure> {
    let chosen = |name: &String| {
        // An entry that is disabled is not used, approved or not.
        let mut called = of_project.iter().filter(|one| one.is_called(name) && !one.is_disabled);
        called.next().copied().ok_or_else(|| {
            Failure::usage(format!(
                "no file of this project has a server '{name}' that is not disabled{}{faults}",
                super::did_you_mean(name, of_project.iter().map(|one| one.name.as_str()))
            ))
        })
    };
    if !trust.names.is_empty() {
        return trust.names.iter().map(chosen).collect();
    }
    let all: Vec<&Found> = of_project.iter().filter(|one| !one.is_disabled).copied().collect();
    if all.is_empty() {
        return Err(Failure::usage(format!("no file of this project has a server{faults}")));
    }
    if !trust.revoke && !Screen::can_ask() {
        let names: Vec<&str> = all.iter().map(|one| one.name.as_str()).collect();
        return Err(Failure::usage(format!(
            "without a terminal, name the servers that you approve; this project has {}",
            names.join(", ")
        )));
    }
    Ok(all)
}

fn write(screen: Screen, trust: &Trust, done: &[&Found]) -> Result<(), Failure> {
    let key = if trust.revoke { "revoked" } else { "approved" };
    match screen.format {
        Format::Json | Format::Yaml => {
            let entry = |one: &&Found| json!({"name": one.name, "path": one.path.display().to_string()});
            let list: Vec<Value> = done.iter().map(entry).collect();
            screen.json(&json!({ key: list }).to_string())
        }
        Format::Names => screen.names(&done.iter().map(|one| one.name.clone()).collect::<Vec<_>>()),
        Format::Text => {
            let line = |one: &&Found| {
                format!("{key}: {} in {}\n", one_line(&one.name), one_line(&one.path.display().to_string()))
            };
            screen.write(done.iter().map(line).collect::<String>())
        }
    }
}
