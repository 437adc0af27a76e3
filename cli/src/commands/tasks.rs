//! `tasks`, and `call --detach`: work that a server goes on with.

use super::calls::{wanted, write_result};
use super::lists::list;
use super::open;
use crate::arguments::{Common, Format, Place, Read, Tasks};
use crate::failure::Failure;
use crate::output::{STRONG, Screen, Text, one_line, styled, table, text};
use mcp::client::features::Request;
use mcp::client::json_text::{member, string};

pub fn tasks(screen: Screen, tasks: &Tasks, common: &Common) -> Result<(), Failure> {
    match tasks {
        Tasks::List(place) => all(screen, place, common),
        Tasks::Get(place) => {
            let (session, id) = one(place, common)?;
            let state = session.request(&Request::TasksGet { id: &id })?;
            write_task(screen, state.json())
        }
        Tasks::Cancel(place) => {
            let (session, id) = one(place, common)?;
            let state = session.request(&Request::TasksCancel { id: &id })?;
            match screen.format {
                Format::Text => screen.write(format!("the server was asked to cancel {}\n", one_line(&id))),
                Format::Names => screen.names(&[id]),
                _ => screen.json(state.json()),
            }
        }
        Tasks::Wait(read) => wait(screen, read, common),
    }
}

fn one(place: &Place, common: &Common) -> Result<(crate::session::Session, String), Failure> {
    let (session, rest) = open(place, common, 1)?;
    match rest.into_iter().next() {
        Some(id) => Ok((session, id)),
        None => Err(Failure::usage("no task is named; `mcp call --detach` writes the name of a task")),
    }
}

fn all(screen: Screen, place: &Place, common: &Common) -> Result<(), Failure> {
    let (session, _) = open(place, common, 0)?;
    let result = session.request(&Request::TasksList)?;
    let entries = list(result.json(), "tasks");
    let word =
        |entry: &str, name: &str| member(entry, name).and_then(string).unwrap_or_default().into_owned();
    match screen.format {
        Format::Json | Format::Yaml => screen.json(result.json()),
        Format::Names => screen.names(&entries.iter().map(|entry| word(entry, "taskId")).collect::<Vec<_>>()),
        Format::Text if entries.is_empty() => {
            Screen::said("the server has no tasks");
            Ok(())
        }
        Format::Text => {
            let row = |entry: &&str| {
                ["taskId", "status", "statusMessage", "createdAt"].map(|key| word(entry, key)).to_vec()
            };
            let rows: Vec<Vec<String>> = entries.iter().map(row).collect();
            screen.write(table(&["TASK", "STATUS", "MESSAGE", "CREATED"], &rows, screen.width()))
        }
    }
}

/// The state of a task.
pub fn write_task(screen: Screen, state: &str) -> Result<(), Failure> {
    // The answer of a call has the task in a member of its own.
    let task = member(state, "task").unwrap_or(state);
    let word = |name: &str| member(task, name).and_then(string).unwrap_or_default().into_owned();
    match screen.format {
        Format::Json | Format::Yaml => screen.json(task),
        Format::Names => screen.names(&[word("taskId")]),
        Format::Text => {
            let mut text = Text::default();
            for (name, key) in [
                ("task", "taskId"),
                ("status", "status"),
                ("message", "statusMessage"),
                ("created", "createdAt"),
                ("updated", "lastUpdatedAt"),
            ] {
                let value = word(key);
                if !value.is_empty() {
                    text.push(text![styled(STRONG, format!("{name:<8}")), " ", one_line(&value), "\n"]);
                }
            }
            screen.write(text)
        }
    }
}

fn wait(screen: Screen, read: &Read, common: &Common) -> Result<(), Failure> {
    let wanted = wanted(read.save.as_deref(), read.one)?;
    let (session, id) = one(&read.place, common)?;
    let result = session.request(&Request::TasksResult { id: &id })?;
    write_result(screen, &result, &id, wanted)
}
