//! `bindings/go/constants.go`.

use super::constants::{Constant, Constants};

const HEAD: &str = "\
// Code generated from include/mcp.h by `cargo xtask bindings`. DO NOT EDIT.

package mcp
";

pub fn text(constants: &Constants) -> String {
    let types = [
        (
            "Status",
            "is how something ended: 0 is success, positive is \"nothing went wrong, but\", negative is an error.",
            &constants.statuses,
        ),
        ("Kind", "is what a message is.", &constants.kinds),
        ("State", "is the state of a connection.", &constants.states),
        ("Topic", "is what a notification or a request is about.", &constants.topics),
    ];
    let mut text = HEAD.to_owned();
    for (name, comment, constants) in types {
        text += &[&format!("\n// {name} {comment}\ntype {name} int32\n"), &*group(name, constants)].concat();
    }
    text
}

/// One declaration a constant, so that gofmt has no columns to line up.
fn group(kind: &str, constants: &[Constant]) -> String {
    let one = |constant: &Constant| {
        let (name, value) = (constant.camel(), constant.value);
        let comment = in_go(&constant.comment);
        format!("\n// {kind}{name}: {comment}\nconst {kind}{name} {kind} = {value}\n")
    };
    constants.iter().map(one).collect()
}

/// Functions of C that comments name are others here.
fn in_go(comment: &str) -> String {
    comment
        .replace(": answer it with mcp_request_respond() or mcp_request_respond_error()", ", to be answered")
        .replace(" because mcp_queue_wake() asked for it", " because it was asked to")
}
