//! `completion`, `manual`: written from the same definitions as the help.

use crate::arguments::{Arguments, Completion, Manual};
use crate::failure::Failure;
use crate::output::Screen;
use clap::CommandFactory as _;
use std::path::Path;

pub fn completion(screen: Screen, completion: &Completion) -> Result<(), Failure> {
    let shell = completion.shell.to_string();
    let name = completion.name.as_str();
    let shells = clap_complete::env::Shells::builtins();
    let completer = shells
        .completer(&shell)
        .ok_or_else(|| Failure::usage(format!("there is no completion for the shell '{shell}'")))?;
    let mut script = Vec::new();
    completer
        .write_registration("COMPLETE", name, name, name, &mut script)
        .map_err(|error| Failure::machine(format!("cannot make the script: {error}")))?;
    screen.own(&script)
}

pub fn manual(screen: Screen, manual: &Manual) -> Result<(), Failure> {
    let mut program = Arguments::command();
    program.build();
    if let Some(folder) = &manual.into {
        std::fs::create_dir_all(folder).map_err(|error| unwritten(folder, &error))?;
        write(folder, "mcp", program.clone())?;
        for command in program.get_subcommands() {
            write_below(folder, "mcp", command)?;
        }
        return Ok(());
    }
    let page = match &manual.command {
        None => page(program),
        Some(wanted) => {
            let command = program.get_subcommands().find(|command| {
                command.get_name() == wanted || command.get_all_aliases().any(|alias| alias == wanted)
            });
            let command = command.ok_or_else(|| {
                let names: Vec<&str> = program.get_subcommands().map(clap::Command::get_name).collect();
                let near = super::did_you_mean(wanted, names.iter().copied());
                let all = if near.is_empty() { format!("; there are {}", names.join(", ")) } else { near };
                Failure::usage(format!("there is no command '{wanted}'{all}"))
            })?;
            page(titled(command.clone(), &format!("mcp-{wanted}")))
        }
    };
    screen.own(&page.map_err(|error| Failure::machine(format!("cannot make the page: {error}")))?)
}

/// The page of a command, and those of the commands below it.
fn write_below(folder: &Path, above: &str, command: &clap::Command) -> Result<(), Failure> {
    let name = format!("{above}-{}", command.get_name());
    write(folder, &name, titled(command.clone(), &name))?;
    command.get_subcommands().try_for_each(|inner| write_below(folder, &name, inner))
}

/// A page of a command has a name of its own, as `git-commit` has.
fn titled(command: clap::Command, name: &str) -> clap::Command {
    command.display_name(name.to_owned()).version(env!("CARGO_PKG_VERSION"))
}

fn page(command: clap::Command) -> std::io::Result<Vec<u8>> {
    let mut page = Vec::new();
    let source = format!("mcp {}", env!("CARGO_PKG_VERSION"));
    clap_mangen::Man::new(command).manual("mcp").source(source).render(&mut page)?;
    Ok(page)
}

fn write(folder: &Path, name: &str, command: clap::Command) -> Result<(), Failure> {
    let path = folder.join(format!("{name}.1"));
    page(command).and_then(|page| std::fs::write(&path, page)).map_err(|error| unwritten(&path, &error))
}

fn unwritten(path: &Path, error: &std::io::Error) -> Failure {
    Failure::machine(format!("cannot write {}: {error}", path.display()))
}
