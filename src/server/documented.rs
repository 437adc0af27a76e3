//! docs/reference/server-configuration.md and docs/reference/configuration.json say what the definitions of a server say.

use super::config::ServerKeys;
use super::endpoint_keys::{StreamKeys, UrlKeys};
use super::task_wishes::TaskWishes;
use crate::config::define::Definition as _;
use crate::config::documented::{compare, docs, dump, make, objects, row};
use std::path::PathBuf;

const HEAD: &str = "| key | type | default | meaning |\n|---|---|---|---|\n";

/// The files as they must be.
fn documents() -> Vec<(PathBuf, String)> {
    let definitions = objects([
        ("server", ServerKeys::describe("")),
        ("endpoint", <(StreamKeys, UrlKeys)>::describe("")),
        ("task", TaskWishes::describe("")),
    ]);
    let path = docs().join("server-configuration.md");
    let text = std::fs::read_to_string(&path).expect("the page");
    let mut page = text.split(HEAD).next().expect("a beginning").to_owned();
    for (name, about) in [
        ("server", ""),
        (
            "endpoint",
            "\n## Endpoints\n\nThe keys of an endpoint, the second argument of `mcp_server_serve`:\n\n",
        ),
        ("task", "\n## Tasks\n\nThe options of `mcp_request_start_task`:\n\n"),
    ] {
        page.extend([about, HEAD]);
        for key in definitions[name].as_array().expect("a list") {
            page.extend([&row(key), "\n"]);
        }
    }
    vec![dump(&definitions), (path, page)]
}

#[test]
fn the_page_has_every_key_with_its_bounds_and_default() {
    compare(documents());
}

/// Makes the files in the folder that the environment names, for `cargo xtask config`.
#[test]
#[ignore = "cargo xtask config runs it"]
fn the_documents_are_made_for_xtask() {
    make(documents());
}
