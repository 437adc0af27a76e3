//! `docs/reference/compatibility.md`, made from what a run has shown.

use std::collections::{BTreeMap, BTreeSet};

use super::cases::{FEATURES, REVISIONS, TRANSPORTS, Transport};

/// Transport, feature and revision, with the letters of the servers that have shown it.
pub type Shown = BTreeMap<(&'static str, String, &'static str), BTreeSet<char>>;

const HEAD: &str = "\
# Compatibility

After reading this page you know which features of which servers work with libmcp, at which revision and over which transport. To repeat
the run and write this page:

```sh
cargo xtask compatibility
```

Every cell is a run: the same C program with the same assertions (`tests/interop/matrix.c`) uses the feature of a server at a revision that
the key `protocol` fixes. `cargo xtask test --only compatibility` fails when a run has another result.

| letter | server |
|---|---|
| E | *everything*, the reference server of the protocol, from npm |
| F | *filesystem*, the reference server, from npm, with its folders given as roots |
| 1 | a server made with the official Python SDK 1.x (`tests/servers/python/features.py`); its tasks are the SDK's |
| 2 | the same file with the official Python SDK 2.x; its tasks are ours (`tasks.py` beside it), written as an extension of the SDK |
| T | a server made with the official TypeScript SDK 2.x (`tests/servers/typescript/server.mjs`); its skills are the SDK's |
| X | our own: the example server, over HTTP the test server without its faults, for tasks and skills the one over stdio |

Which versions of them is written down in `tests/interop`. A dash says that the revision does not have the feature, an empty cell
that none of these servers offers it there. [Tasks](../guide/tasks.md) are called, watched, fetched by their name and cancelled; of
[skills](../guide/skills.md) two files are loaded and checked. [Tool modes](tool-modes.md) are no part of the protocol: the servers only let a
tool say that it is stateful, and tell what they are sent.
";

/// The page.
pub fn of(shown: &Shown) -> String {
    let tables = TRANSPORTS.map(|(transport, title)| {
        let note = match transport {
            Transport::Sse => {
                "HTTP+SSE is the transport of 2024-11-05. Servers that have kept it speak later revisions over it.\n\n"
            }
            Transport::Stdio | Transport::Http => "",
        };
        let rows: Vec<String> = FEATURES.iter().map(|(feature, since)| row(shown, title, feature, since)).collect();
        let head = format!("| feature | {} |\n|---|{}", REVISIONS.join(" | "), "---|".repeat(REVISIONS.len()));
        format!("\n## {title}\n\n{note}{head}\n{}", rows.concat())
    });
    format!("{HEAD}{}", tables.concat())
}

fn row(shown: &Shown, title: &'static str, feature: &str, since: &str) -> String {
    let cells = REVISIONS.map(|revision| {
        let letters = shown.get(&(title, feature.to_owned(), revision));
        match letters {
            _ if revision < since => " – |".to_owned(),
            None => " |".to_owned(),
            Some(letters) => {
                let letters: Vec<String> = letters.iter().map(char::to_string).collect();
                format!(" {} |", letters.join(" "))
            }
        }
    });
    format!("| {feature} |{}\n", cells.concat())
}
