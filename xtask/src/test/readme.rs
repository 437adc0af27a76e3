//! The README's example is what a newcomer copies: it is short, it is the file in `examples/c`, and it works as printed.

use std::process::Command;
use std::time::Duration;

use super::Stage;
use crate::checkout::{read, write};
use crate::compiler;
use crate::machine::CC;
use crate::process;

const LIMIT: Duration = Duration::from_secs(60);
const MOST_LINES: usize = 30;

pub fn run(stage: &mut Stage) -> Result<(), String> {
    let readme = read(&stage.checkout.root.join("README.md"))?;
    let example = first_c_block(&readme).ok_or("README.md has no ```c block")?;
    let quickstart = read(&stage.checkout.root.join("examples/c/quickstart.c"))?;
    let lines = example.lines().count();
    let is_quickstart = quickstart.contains(example.trim());
    let result = if is_quickstart || lines <= MOST_LINES {
        Ok(())
    } else {
        Err(format!("it has {lines} lines and is not examples/c/quickstart.c"))
    };
    stage.tally.check("the example is examples/c/quickstart.c or at most 30 lines", result);
    stage.tally.check("the examples read long lists in linear time", is_linear(stage, example));
    if stage.tally.need(&CC, "the example works").is_none() {
        return Ok(());
    }
    let result = works(stage, example);
    stage.tally.check("the example compiles and runs as printed", result);
    Ok(())
}

/// A lookup by number reads the whole list, so that a loop of them over 20,000 tools takes a minute. The README's program asks for all
/// pages of the list, too.
fn is_linear(stage: &Stage, example: &str) -> Result<(), String> {
    if !example.contains("mcp_tools_list") {
        return Err("README.md's program reads one page of tools only: use mcp_tools_list".to_owned());
    }
    let files = [("examples/c", "c"), ("examples/cpp", "cpp"), ("docs", "md"), ("bindings", "md")];
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

fn works(stage: &Stage, example: &str) -> Result<(), String> {
    let built = stage.built()?;
    let source = stage.checkout.scratch("readme")?.join("example.c");
    write(&source, example)?;
    let program = compiler::program(stage.checkout, &built, &source, "readme")?;
    let mut command = Command::new(&program);
    command.arg(&built.example_server);
    let finished = process::run(&mut command, LIMIT, &program.with_extension("run"))?;
    match (finished.succeeded(), finished.stdout.trim().is_empty()) {
        (true, false) => Ok(()),
        (true, true) => Err("it printed nothing".to_owned()),
        (false, _) => Err(finished.story()),
    }
}

/// The text between ```` ```c ```` and the next fence.
fn first_c_block(readme: &str) -> Option<&str> {
    let start = if readme.starts_with("```c\n") { 5 } else { readme.find("\n```c\n")? + 6 };
    let end = readme[start..].find("\n```")? + 1;
    Some(&readme[start..start + end])
}

#[cfg(test)]
mod tests {
    use super::{first_c_block, looks_up_by_number};

    #[test]
    fn a_lookup_by_number_is_found() {
        assert!(looks_up_by_number("snprintf(where, sizeof where, \"/tools/%d/name\", i);"));
        assert!(looks_up_by_number("list.get(\"/prompts/\" + std::to_string(i) + \"/name\")"));
        assert!(!looks_up_by_number("mcp_json_get(list, \"/tools/0/name\", &name, NULL);"));
    }

    #[test]
    fn the_first_c_block_is_taken_as_printed() {
        let readme = "# x\n```sh\ncc x.c\n```\n\n```c\nint main(void) {\n}\n```\n```c\nother\n```\n";
        assert_eq!(first_c_block(readme), Some("int main(void) {\n}\n"));
    }

    #[test]
    fn other_languages_are_no_c() {
        assert_eq!(first_c_block("```cpp\nint x;\n```\n"), None);
        assert_eq!(first_c_block("text"), None);
    }
}
