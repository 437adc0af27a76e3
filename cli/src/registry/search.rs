//! `search`: servers of a registry by words.

use super::api::Registry;
use super::record::Listed;
use crate::arguments::{Common, Format, Search};
use crate::failure::Failure;
use crate::folders::encoded;
use crate::output::{Screen, beginning, one_line, table};
use serde_json::{Value, json};

/// Records of a page, and the most pages that are read.
const PAGE: usize = 100;
const PAGES: usize = 5;
/// The shortest word that a registry searches.
const LEAST: usize = 3;
/// How much of a description is shown.
const SHOWN: usize = 200;

pub fn search(screen: Screen, search: &Search, common: &Common) -> Result<(), Failure> {
    let registry = Registry::of(search.registry.as_deref(), common)?;
    let words: Vec<String> =
        search.words.iter().flat_map(|word| word.split_whitespace()).map(str::to_lowercase).collect();
    let length = |word: &&String| word.chars().count();
    let asked = words.iter().max_by_key(length).filter(|word| length(word) >= LEAST).ok_or_else(|| {
        Failure::usage(format!(
            "the registry searches for words of at least {LEAST} characters in names; write a longer one"
        ))
    })?;
    let mut rows: Vec<Value> = Vec::new();
    let mut cursor = String::new();
    for page in 1..=PAGES {
        let behind = if cursor.is_empty() { String::new() } else { format!("&cursor={}", encoded(&cursor)) };
        let path = format!("/v0.1/servers?search={}&version=latest&limit={PAGE}{behind}", encoded(asked));
        let answer = registry.get(&path)?;
        let list = answer["servers"].as_array();
        let list =
            list.ok_or_else(|| Failure::unreached(format!("{}: the answer has no 'servers'", registry.url)))?;
        for one in list.iter().take(PAGE) {
            let one = Listed::of(one);
            let about =
                [one.text("name"), one.text("title"), one.text("description")].join(" ").to_lowercase();
            let is_meant = words.iter().all(|word| about.contains(word));
            if one.status != "deleted" && super::is_name(one.text("name")) && is_meant {
                rows.push(row(&one));
            }
        }
        answer["metadata"]["nextCursor"].as_str().unwrap_or_default().clone_into(&mut cursor);
        if cursor.is_empty() {
            break;
        }
        if page == PAGES {
            let read = PAGE * PAGES;
            Screen::said(format!(
                "there are more than {read} servers with '{}'; add a word",
                one_line(asked)
            ));
        }
    }
    write(screen, &registry.url, &rows)
}

/// What is shown of a server: no command, no header.
fn row(one: &Listed<'_>) -> Value {
    let of = |list: &str, key: &str| -> Vec<String> {
        let list = one.server[list].as_array().into_iter().flatten();
        let texts = list.filter_map(|one| one[key].as_str()).take(10);
        texts.map(|text| mcp::client::without_passwords(text).into_owned()).collect()
    };
    json!({"name": one.text("name"), "version": one.text("version"), "title": one.text("title"), "status": one.status,
        "description": one.text("description"), "packages": of("packages", "registryType"), "remotes": of("remotes", "url")})
}

fn write(screen: Screen, url: &str, rows: &[Value]) -> Result<(), Failure> {
    let text = |row: &Value, key: &str| row[key].as_str().unwrap_or_default().to_owned();
    match screen.format {
        Format::Json | Format::Yaml => screen.json(&json!({"registry": url, "servers": rows}).to_string()),
        Format::Names => screen.names(&rows.iter().map(|row| text(row, "name")).collect::<Vec<_>>()),
        Format::Text if rows.is_empty() => {
            Screen::said("no server has all of these words");
            Ok(())
        }
        Format::Text => {
            let line = |row: &Value| {
                let packages = row["packages"].as_array().into_iter().flatten().filter_map(Value::as_str);
                let is_remote = row["remotes"].as_array().is_some_and(|list| !list.is_empty());
                let mut how: Vec<&str> = is_remote.then_some("remote").into_iter().chain(packages).collect();
                how.dedup();
                let status = text(row, "status");
                let warning = if status == "active" { String::new() } else { format!("({status}) ") };
                let description = beginning(&one_line(&text(row, "description")), SHOWN);
                vec![
                    text(row, "name"),
                    text(row, "version"),
                    how.join(" "),
                    format!("{warning}{description}"),
                ]
            };
            let lines: Vec<Vec<String>> = rows.iter().map(line).collect();
            screen.write(table(&["NAME", "VERSION", "HOW", "DESCRIPTION"], &lines, screen.width()))
        }
    }
}
