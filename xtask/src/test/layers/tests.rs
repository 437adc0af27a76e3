//! Sources that break a rule, and what the check says about them.

use std::path::PathBuf;

use super::{Rule, check, codes};

fn broken(files: &[(&str, &str)]) -> Vec<(Rule, String)> {
    let files: Vec<(PathBuf, String)> =
        files.iter().map(|(path, text)| (PathBuf::from(path), (*text).to_owned())).collect();
    check("src", &codes(&files).expect("Rust"))
        .into_iter()
        .map(|finding| (finding.rule, finding.to_string()))
        .collect()
}

fn rules(files: &[(&str, &str)]) -> Vec<Rule> {
    broken(files).into_iter().map(|(rule, _)| rule).collect()
}

#[test]
fn sources_that_keep_the_rules_pass() {
    let sources = [
        ("lib.rs", "//! | 1 | `json`, `engine` | x |\npub mod json; pub mod engine; pub use client::Client;"),
        ("json/mod.rs", "//! use crate::client;\npub fn f() -> &'static str { \"unsafe crate::ffi::x\" }"),
        (
            "engine/mod.rs",
            "//! * `calls`: calls\nuse crate::{json, protocol::Id}; mod calls; use self::calls::Call;",
        ),
        ("engine/calls.rs", "use super::super::protocol; use super::Engine;"),
        ("ffi/mod.rs", "use crate::client::Client; pub unsafe fn f() {}"),
        ("transport/process.rs", "pub fn f() { unsafe { g() } }"),
    ];
    assert_eq!(broken(&sources), []);
}

#[test]
fn an_import_from_a_layer_above_is_caught() {
    for code in [
        "use crate::client::Client;",
        "use crate::{json, client};",
        "use super::super::client;",
        "fn f() { crate::client::go() }",
        "#[cfg(test)] mod tests { use crate::client::Client; }",
    ] {
        assert_eq!(rules(&[("engine/calls.rs", code)]), [Rule::ImportsGoDown], "{code}");
    }
}

#[test]
fn modules_of_one_layer_do_not_import_each_other() {
    assert_eq!(rules(&[("auth/mod.rs", "use crate::engine::Engine;")]), [Rule::ImportsGoDown]);
    assert_eq!(rules(&[("engine/mod.rs", "use crate::auth::Token;")]), [Rule::ImportsGoDown]);
    assert_eq!(rules(&[("transport/http/mod.rs", "use crate::auth::Token; use crate::engine::X;")]), []);
}

#[test]
fn the_root_is_no_way_around() {
    assert_eq!(rules(&[("json/mod.rs", "use crate::Client;")]), [Rule::ImportsGoDown]);
    assert_eq!(rules(&[("json/mod.rs", "use super::*;")]), [Rule::ImportsGoDown]);
}

#[test]
fn a_module_without_a_layer_is_caught() {
    assert_eq!(rules(&[("helpers.rs", "")]), [Rule::ImportsGoDown]);
    assert_eq!(rules(&[("helpers/mod.rs", "")]), [Rule::ImportsGoDown]);
}

#[test]
fn a_finding_names_file_and_line() {
    let found = broken(&[("json/scan.rs", "\n\nuse crate::ffi::guard;")]);
    assert_eq!(found[0].1, "src/json/scan.rs:3: `json` (layer 1) may not import `ffi::guard` (layer 7)");
}

#[test]
fn a_file_that_asks_for_the_system_is_caught_and_one_that_chooses_is_not() {
    for code in [
        "#[cfg(target_os = \"linux\")] fn f() {}",
        "#[cfg(not(any(unix, test)))] fn f() {}",
        "fn f() -> bool { cfg!(windows) }",
        "fn f() { let x = cfg! ( all(feature = \"http\",\n target_vendor = \"apple\")); }",
        "#[cfg_attr(target_family = \"unix\", allow(x))] fn f() {}",
        "#[cfg(test)] mod tests { #[cfg(target_env = \"musl\")] fn f() {} }",
    ] {
        assert_eq!(rules(&[("transport/stack.rs", code)]), [Rule::SystemsAreConfined], "{code}");
        assert_eq!(rules(&[("transport/system/mod.rs", code)]), [], "{code}");
    }
    for code in [
        "#[cfg(target_arch = \"x86_64\")] fn f() {}",
        "#[cfg(test)] fn unix() { windows(target_os) }",
        "fn f() { cfg(); unix() }",
        "// cfg(unix)\nfn f() { g(\"cfg(windows)\") }",
        "fn cfg() {} fn g(windows: u8) {}",
    ] {
        assert_eq!(rules(&[("transport/stack.rs", code)]), [], "{code}");
    }
    assert!(
        broken(&[("json/a.rs", "\n#[cfg(unix)] fn f() {}")])[0].1.starts_with("src/json/a.rs:2: cfg(unix)")
    );
}

#[test]
fn files_of_tests_alone_need_no_list() {
    let list = "mod deep;";
    assert_eq!(rules(&[("json/scan.rs", "#[cfg(test)] mod tests;"), ("json/scan/tests/mod.rs", list)]), []);
    assert_eq!(rules(&[("json/mod.rs", "#[cfg(test)]\nmod tests;"), ("json/tests/mod.rs", list)]), []);
    assert_eq!(rules(&[("json/scan/mod.rs", list)]), [Rule::FoldersListTheirFiles]);
}

#[test]
fn a_folder_whose_list_of_files_is_not_true_is_caught() {
    let code = "mod calls; mod handshake; #[cfg(test)] mod tests;";
    let said = |head: &str| {
        let text = format!("{head}\n{code}");
        broken(&[("engine/mod.rs", &text)]).into_iter().map(|(_, said)| said).collect::<Vec<String>>()
    };
    assert_eq!(said("//! The files:\n//!\n//! * `calls`, `handshake`: both"), Vec::<String>::new());
    assert_eq!(said("//! * `calls`: calls\n//! * `handshake`: it\n//! * `tests`: too"), Vec::<String>::new());
    assert_eq!(
        said("//! * `calls`: what `handshake` follows\n//! * A rule: `x`"),
        [
            "src/engine/mod.rs:1: the first comment does not list `handshake`: add a row \"//! * `handshake`: what it is\""
        ]
    );
    assert_eq!(
        said("//! * `calls`: calls\n//! * `place`, `handshake`: it"),
        ["src/engine/mod.rs:1: the first comment lists `place`, which is no file or folder here"]
    );
    // A comment that is not the first lists nothing.
    assert_eq!(said("//! * `calls`: calls\n\n//! * `handshake`: it").len(), 1);
    assert_eq!(
        rules(&[("lib.rs", "//! | 1 | `json` | x |\npub mod json; pub mod ffi;")]),
        [Rule::FoldersListTheirFiles]
    );
}
