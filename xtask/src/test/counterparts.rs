//! The comparison programs of the bindings are no longer than the same programs on the official SDKs, in `tests/counterparts`.

use std::path::Path;
use std::process::Command;
use std::time::Duration;

use super::Stage;
use super::visits::{self, Visits};
use crate::checkout::{Checkout, copy, folder_at, read};
use crate::peers::{Major, Npm, Python};
use crate::process;

const FOLDER: &str = "tests/counterparts";
const LIMIT: Duration = Duration::from_secs(60);

/// The Python client on the reference server, and the official client on the server.
pub fn python(checkout: &Checkout) -> Result<(), String> {
    let (npm, python) = (Npm::install(checkout)?, Python::install(checkout, Major::Two)?);
    let folder = checkout.root.join(FOLDER).join("python");
    let mut client = Command::new(python.interpreter());
    client.args(["-B", "-W", "ignore"]).arg(folder.join("everything.py")).args(npm.server("everything"));
    says(
        checkout,
        &mut client,
        "python",
        &["elicitation: ", "parallel: 100 of 100", "crash: transport", "reconnected"],
    )?;
    let mut client = Command::new(python.interpreter());
    client.arg("-B").arg(checkout.root.join("bindings/python/tests/official_client.py"));
    client.arg(python.interpreter()).arg("-B").arg(folder.join("server.py"));
    says(
        checkout,
        &mut client,
        "python-server",
        &["structured\n", "progress\n", "elicitation\n", "resource\n", "prompt\n"],
    )
}

/// The client for Node.js on the reference server.
pub fn node(checkout: &Checkout, node: &Path, npm: &Npm) -> Result<(), String> {
    // Node looks for packages from where a module is.
    let script = npm.folder().join("counterpart.mjs");
    copy(&checkout.root.join(FOLDER).join("node/everything.mjs"), &script)?;
    let mut client = Command::new(node);
    client.arg(script).args(npm.server("everything"));
    says(
        checkout,
        &mut client,
        "node",
        &["the server logged", "100 sums", "the server is gone: transport", "Echo: back"],
    )
}

/// A client on this library uses the server for Node.js in a package, and the same on the official SDK.
pub fn node_servers(stage: &mut Stage, node: &Path, npm: &Npm, package: &Path) -> Result<(), String> {
    let folder = stage.checkout.root.join(FOLDER).join("node");
    // Node looks for packages from where a module is.
    let (client, theirs) = (package.join("visit.mjs"), npm.folder().join("counterpart-server.mjs"));
    copy(&folder.join("visit.mjs"), &client)?;
    copy(&folder.join("server.mjs"), &theirs)?;
    let server = |script: &Path| [node, script].map(|word| word.display().to_string()).to_vec();
    let visits = Visits {
        language: "node",
        client: &|| {
            let mut command = Command::new(node);
            command.arg(&client);
            command
        },
        ours: server(&package.join("examples/server.mjs")),
        theirs: server(&theirs),
        place: str::to_owned,
        ends_well: true,
    };
    visits.check(stage);
    Ok(())
}

/// A client on this library uses the server for Python, and the same on the official SDK, with what the wheel installs.
pub fn python_servers(stage: &mut Stage, python: &Path, installed: &Path) -> Result<(), String> {
    let sdk = Python::install(stage.checkout, Major::Two)?;
    let root = &stage.checkout.root;
    let folder = root.join(FOLDER).join("python");
    let found = format!("PYTHONPATH={}", installed.display());
    let script = |python: &Path, script: &Path| {
        vec![python.display().to_string(), "-B".to_owned(), script.display().to_string()]
    };
    let ours = script(python, &root.join("bindings/python/examples/server.py"));
    let visits = Visits {
        language: "python",
        client: &|| {
            let mut command = Command::new(python);
            command.arg("-B").arg(folder.join("visit.py")).env("PYTHONPATH", installed);
            command
        },
        ours: [vec!["env".to_owned(), found], ours].concat(),
        theirs: script(sdk.interpreter(), &folder.join("server.py")),
        place: visits::url,
        ends_well: false,
    };
    visits.check(stage);
    Ok(())
}

/// A client on this library, compiled with the binding, uses two servers for Go, of this library and of the official SDK.
pub fn go_servers(stage: &mut Stage, client: &Path, ours: &Path, theirs: &Path) {
    let visits = Visits {
        language: "go",
        client: &|| Command::new(client),
        ours: vec![ours.display().to_string()],
        theirs: vec![theirs.display().to_string()],
        place: visits::url,
        ends_well: true,
    };
    visits.check(stage);
}

/// Compiles the Go programs into a folder, and runs the client on the reference server.
pub fn go(checkout: &Checkout, go: &Path, programs: &Path) -> Result<(), String> {
    folder_at(programs)?;
    let make = || {
        let mut build = Command::new(go);
        build.args(["build", "-o"]).arg(programs).arg("./...").env("CGO_ENABLED", "0");
        build.current_dir(checkout.root.join(FOLDER).join("go"));
        build
    };
    process::download(make, Duration::from_secs(300), &checkout.scratch("counterparts")?.join("go-build"))?;
    let mut client = Command::new(programs.join("compare"));
    client.args(Npm::install(checkout)?.server("everything"));
    says(
        checkout,
        &mut client,
        "go",
        &["elicitation: ", "two clients: 100 calls", "crash: the server was started again"],
    )
}

fn says(checkout: &Checkout, command: &mut Command, log: &str, words: &[&str]) -> Result<(), String> {
    process::run(command, LIMIT, &checkout.scratch("counterparts")?.join(log))?.says(words)
}

/// Counts every pair of the table again.
pub fn check(stage: &mut Stage) -> Result<(), String> {
    let root = &stage.checkout.root;
    let rows = rows(&read(&root.join(FOLDER).join("README.md"))?);
    if rows.is_empty() {
        return Err(format!("{FOLDER}/README.md has no table of programs"));
    }
    for row in rows {
        let result = counted(root, &row);
        stage.tally.check(&format!("{}: ours is no longer than on the official SDK", row.program), result);
    }
    Ok(())
}

/// A row of the table.
struct Row {
    program: String,
    ours: String,
    our_lines: usize,
    theirs: String,
    their_lines: usize,
}

/// The rows with two files and two numbers.
fn rows(page: &str) -> Vec<Row> {
    let row = |line: &str| {
        let cells: Vec<&str> =
            line.trim_matches('|').split('|').map(|cell| cell.trim().trim_matches('`')).collect();
        let [program, ours, our_lines, theirs, their_lines] = cells[..] else { return None };
        Some(Row {
            program: program.to_owned(),
            ours: ours.to_owned(),
            our_lines: our_lines.parse().ok()?,
            theirs: theirs.to_owned(),
            their_lines: their_lines.parse().ok()?,
        })
    };
    page.lines().filter_map(row).collect()
}

fn counted(root: &Path, row: &Row) -> Result<(), String> {
    let count = |path: &Path| {
        Ok::<usize, String>(lines(&read(path)?, path.extension().is_some_and(|kind| kind == "py")))
    };
    let ours = count(&root.join(&row.ours))?;
    let theirs = count(&root.join(FOLDER).join(&row.theirs))?;
    if (ours, theirs) != (row.our_lines, row.their_lines) {
        return Err(format!(
            "the table says {} and {}, but they have {ours} and {theirs}",
            row.our_lines, row.their_lines
        ));
    }
    if ours > theirs {
        Err(format!("{} has {ours} lines, {} {theirs}", row.ours, row.theirs))
    } else {
        Ok(())
    }
}

/// The lines with code. In Python a text that begins a line with three quotes is documentation.
fn lines(source: &str, is_python: bool) -> usize {
    let (line_comment, begin, end) = if is_python { ("#", "\"\"\"", "\"\"\"") } else { ("//", "/*", "*/") };
    let mut is_inside = false;
    let mut count = 0;
    for line in source.lines().map(str::trim) {
        if is_inside {
            is_inside = !line.contains(end);
        } else if let Some(rest) = line.strip_prefix(begin) {
            is_inside = !rest.contains(end);
        } else if !line.is_empty() && !line.starts_with(line_comment) {
            count += 1;
        }
    }
    count
}

#[cfg(test)]
mod tests {
    use super::{lines, rows};

    #[test]
    fn blank_lines_comments_and_documentation_do_not_count() {
        assert_eq!(lines("// a\n\n/* b\n c */\nd() // e\n/** f */\n\tg()\n", false), 2);
        assert_eq!(
            lines("\"\"\"a\n\nb\"\"\"\n# c\nd = 1  # e\n\ndef f():\n    \"\"\"g\"\"\"\n    h()\n", true),
            3
        );
    }

    #[test]
    fn a_row_has_two_files_and_two_numbers() {
        let page = "| program | ours | our lines | theirs | their lines |\n|---|---|---|---|---|\n| A | `b` | 1 | `c` | 2 |\n| a | b |\n";
        let found = rows(page);
        assert_eq!(found.len(), 1);
        assert_eq!((found[0].ours.as_str(), found[0].our_lines, found[0].their_lines), ("b", 1, 2));
    }
}
