//! The README's examples are what a newcomer copies: a client and a server, short, the files in `examples/c`, and they work as
//! printed, together. Those of docs/guide/serving.md work too, each by itself.

use std::process::Command;

use super::Stage;
use crate::checkout::{read, write};
use crate::compiler;
use crate::machine::CC;
use crate::process;

const MOST_LINES: usize = 30;

pub fn run(stage: &mut Stage) -> Result<(), String> {
    let readme = read(&stage.checkout.root.join("README.md"))?;
    let blocks = c_blocks(&readme);
    let [client, server] = blocks[..] else {
        return Err(format!("README.md has {} ```c blocks; a client and a server are wanted", blocks.len()));
    };
    for (example, file) in [(client, "quickstart.c"), (server, "tool_server.c")] {
        let source = read(&stage.checkout.root.join("examples/c").join(file))?;
        let lines = example.lines().count();
        let result = if source.contains(example.trim()) || lines <= MOST_LINES {
            Ok(())
        } else {
            Err(format!("it has {lines} lines and is not examples/c/{file}"))
        };
        stage
            .tally
            .check(&format!("an example is examples/c/{file} or has at most {MOST_LINES} lines"), result);
    }
    stage.tally.check("the examples read long lists in linear time", is_linear(stage, client));
    if stage.tally.need(&CC, "the examples work").is_none() {
        return Ok(());
    }
    let result = works(stage, client, server);
    stage.tally.check("the examples compile and run as printed, together", result);
    let guide = read(&stage.checkout.root.join("docs/guide/serving.md"))?;
    let programs = c_blocks(&guide);
    if programs.is_empty() {
        return Err("docs/guide/serving.md has no ```c block".to_owned());
    }
    for (number, program) in programs.iter().enumerate() {
        let result = runs(stage, program, &format!("serving-{number}"));
        stage
            .tally
            .check(&format!("program {} of docs/guide/serving.md runs as printed", number + 1), result);
    }
    Ok(())
}

/// Compiles a program and runs it without arguments.
fn runs(stage: &Stage, program: &str, name: &str) -> Result<(), String> {
    if !program.contains("int main(void)") {
        return Err("it is no whole program, so that no test can run it".to_owned());
    }
    let source = stage.checkout.scratch("readme")?.join(format!("{name}.c"));
    write(&source, program)?;
    let built = compiler::program(stage.checkout, &stage.built()?, &source, name)?;
    process::run(&mut Command::new(&built), process::LIMIT, &built.with_extension("run"))?.done()
}

/// A lookup by number reads the whole list, so that a loop of them over 20,000 tools takes a minute. The README's program asks for all
/// pages of the list, too.
fn is_linear(stage: &Stage, example: &str) -> Result<(), String> {
    if !example.contains("mcp_client_list_tools") {
        return Err("README.md's program reads one page of tools only: use mcp_client_list_tools".to_owned());
    }
    let files = [("examples/c", "c"), ("examples/cpp", "cpp"), ("docs/guide", "md"), ("bindings", "md")];
    let mut sources: Vec<_> =
        files.iter().flat_map(|(folder, extension)| stage.checkout.files(folder, extension)).collect();
    sources.push(stage.checkout.root.join("README.md"));
    for source in sources {
        if looks_up_by_number(&read(&source)?) {
            return Err(format!("{} looks entries up by their number, one by one", source.display()));
        }
    }
    Ok(())
}

fn looks_up_by_number(source: &str) -> bool {
    const LISTS: [&str; 4] = ["tools", "resources", "resourceTemplates", "prompts"];
    let lookups = LISTS.iter().flat_map(|list| [format!("\"/{list}/%"), format!("\"/{list}/\" +")]);
    lookups.into_iter().any(|lookup| source.contains(&lookup))
}

/// Runs the client with the example server, and with the server that is printed beside it.
fn works(stage: &Stage, client: &str, server: &str) -> Result<(), String> {
    let built = stage.built()?;
    let scratch = stage.checkout.scratch("readme")?;
    let compiled = |name: &str, text: &str| {
        let source = scratch.join(format!("{name}.c"));
        write(&source, text)?;
        compiler::program(stage.checkout, &built, &source, &format!("readme-{name}"))
    };
    let client = compiled("client", client)?;
    let server = compiled("server", server)?;
    for (server, says) in [(&built.example_server, ""), (&server, "Hello from C")] {
        let mut command = Command::new(&client);
        command.arg(server);
        let finished = process::run(&mut command, process::LIMIT, &client.with_extension("run"))?.well()?;
        if finished.stdout.trim().is_empty() || !finished.stdout.contains(says) {
            return Err(format!("it printed {:?}", finished.stdout));
        }
    }
    Ok(())
}

/// The texts between ```` ```c ```` and the next fence.
fn c_blocks(readme: &str) -> Vec<&str> {
    let mut blocks = Vec::new();
    let mut rest = readme;
    while let Some((before, after)) = rest.split_once("```c\n") {
        let Some(end) = after.find("\n```") else { break };
        // A fence begins its line.
        if before.is_empty() || before.ends_with('\n') {
            blocks.push(&after[..=end]);
        }
        rest = &after[end..];
    }
    blocks
}

#[cfg(test)]
mod tests {
    use super::looks_up_by_number;

    #[test]
    fn a_lookup_by_number_is_found() {
        assert!(looks_up_by_number("snprintf(where, sizeof where, \"/tools/%d/name\", i);"));
        assert!(looks_up_by_number("list.get(\"/prompts/\" + std::to_string(i) + \"/name\")"));
        assert!(!looks_up_by_number("mcp_json_get(list, \"/tools/0/name\", &name, NULL);"));
    }
}
