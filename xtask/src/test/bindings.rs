//! What the steps of the bindings share: the servers that their tests talk to, and how their test runners report.

use super::Stage;
use crate::machine::{NODE, NPM};
use crate::peers;
use crate::process::Finished;
use crate::release::Built;

/// The variables that name the servers. Without Node.js the reference server is left out, and the tests skip what needs it.
pub fn servers(stage: &mut Stage, built: &Built) -> Vec<(&'static str, String)> {
    let mut servers = vec![
        ("MCP_EXAMPLE_SERVER", built.example_server.display().to_string()),
        ("MCP_SCRIPTED_SERVER", built.scripted_server.display().to_string()),
        ("MCP_SCRIPTED_HTTP", built.scripted_http.display().to_string()),
    ];
    let what = "examples against server-everything";
    if stage.tally.need(&NODE, what).is_some() && stage.tally.need(&NPM, what).is_some() {
        match peers::command(stage.checkout, "npm", "@modelcontextprotocol/server-everything/dist/index.js") {
            Ok(command) => servers.push(("MCP_EVERYTHING_SERVER", array(&command))),
            Err(why) => stage.tally.fail(what, &why),
        }
    }
    servers
}

/// Counts the tests of a run that reports as `go test -v` does: `--- PASS: NAME`, and so on.
pub fn count(stage: &mut Stage, tests: &Finished) {
    let mut failed = false;
    let mut seen = false;
    for line in tests.stdout.lines() {
        let Some((how, name)) = line.strip_prefix("--- ").and_then(|line| line.split_once(": ")) else {
            continue;
        };
        // Go tells the time behind a name.
        let name = name.rsplit_once(" (").map_or(name, |(name, _)| name);
        seen = true;
        match how {
            "PASS" => stage.tally.pass(name),
            "SKIP" => stage.tally.skip(name, &story_of(&tests.stdout, name)),
            _ => {
                failed = true;
                stage.tally.fail(name, &story_of(&tests.stdout, name));
            }
        }
    }
    // It may also fail before the first test, between two, or after the last.
    if !seen || (!tests.succeeded() && !failed) {
        stage.tally.fail("the run of the tests", &tests.story());
    }
}

/// The lines of a test's report from its own heading to the next.
fn story_of(report: &str, name: &str) -> String {
    let heading = format!("=== RUN   {name}");
    let mut lines = report.lines().skip_while(|line| *line != heading);
    let mut story: Vec<&str> = lines.by_ref().take(1).collect();
    story.extend(
        lines.take_while(|line| !line.starts_with("=== RUN") || line.starts_with(&format!("{heading}/"))),
    );
    story.join("\n")
}

/// A JSON array of words. Paths of servers have no characters that JSON would escape but these two.
pub fn array(words: &[String]) -> String {
    let quoted: Vec<String> =
        words.iter().map(|word| format!("\"{}\"", word.replace('\\', "\\\\").replace('"', "\\\""))).collect();
    format!("[{}]", quoted.join(","))
}

#[cfg(test)]
mod tests {
    use super::story_of;

    #[test]
    fn a_failed_test_is_told_with_its_parts() {
        let report = "=== RUN   TestA\n--- PASS: TestA\n=== RUN   TestB\n=== RUN   TestB/one\n    x.go:1: wrong\n\
            --- FAIL: TestB\n=== RUN   TestC\n";
        assert_eq!(
            story_of(report, "TestB"),
            "=== RUN   TestB\n=== RUN   TestB/one\n    x.go:1: wrong\n--- FAIL: TestB"
        );
    }
}
