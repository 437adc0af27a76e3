//! What the built library exports is the list in `include/mcp.exports`, no more and no less, and every function of
//! the C ABI runs inside the guard that keeps a panic from the caller.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

use super::{Stage, misuse};
use crate::checkout::read;
use crate::machine::{NM, READELF};
use crate::process;
use crate::source::{Token, code_only, tokens, without_tests};

pub fn run(stage: &mut Stage) -> Result<(), String> {
    let list = read(&stage.checkout.exports())?;
    let listed: BTreeSet<&str> = list.lines().collect();
    guards(stage, &listed)?;
    misuse::run(stage)?;

    let name = "the library exports exactly what include/mcp.exports lists";
    let Some(nm) = stage.tally.need(&NM, name) else { return Ok(()) };
    let built = stage.built()?;
    let mut command = Command::new(nm);
    command
        .args(if cfg!(target_os = "macos") { ["-g", "-U"] } else { ["-D", "--defined-only"] })
        .arg(&built.library);
    let log = stage.checkout.scratch("exports")?.join("nm");
    let finished = process::run(&mut command, process::LIMIT, &log)?.well()?;
    let exported = symbols(&finished.stdout);
    stage.tally.check(name, compare(&exported, &listed));
    if cfg!(target_os = "linux") { stays(stage) } else { Ok(()) }
}

/// `dlclose` must not unmap a library whose threads may still run.
fn stays(stage: &mut Stage) -> Result<(), String> {
    let name = "dlclose leaves the library in place (-z nodelete)";
    let Some(readelf) = stage.tally.need(&READELF, name) else { return Ok(()) };
    let library = stage.built()?.library;
    let log = stage.checkout.scratch("exports")?.join("readelf");
    let finished = process::run(Command::new(readelf).arg("-d").arg(library), process::LIMIT, &log)?;
    let result = if finished.stdout.contains("NODELETE") { Ok(()) } else { Err(finished.story()) };
    stage.tally.check(name, result);
    Ok(())
}

/// The defined dynamic symbols in what nm prints, without version and, on macOS, the underscore.
fn symbols(nm: &str) -> BTreeSet<&str> {
    nm.lines()
        .filter_map(|line| line.split_whitespace().last()?.split('@').next())
        .map(|symbol| if cfg!(target_os = "macos") { symbol.trim_start_matches('_') } else { symbol })
        .collect()
}

/// Whether a library exports what is listed, and nothing else.
pub fn compare(exported: &BTreeSet<&str>, listed: &BTreeSet<&str>) -> Result<(), String> {
    if listed.is_empty() {
        return Err("the list is empty".to_owned());
    }
    let missing = listed.difference(exported).map(|symbol| format!("{symbol} is listed but not exported"));
    let foreign = exported.difference(listed).map(|symbol| format!("{symbol} is exported but not listed"));
    let wrong: Vec<String> = missing.chain(foreign).collect();
    let again = "`cargo xtask header` writes include/mcp.exports again";
    if wrong.is_empty() { Ok(()) } else { Err(format!("{}\n{again}", wrong.join("\n"))) }
}

fn guards(stage: &mut Stage, listed: &BTreeSet<&str>) -> Result<(), String> {
    let mut found = Vec::new();
    for path in stage.checkout.files("src/ffi", "rs") {
        let text = read(&path)?;
        found.extend(functions(&text).into_iter().map(|function| (path.clone(), function)));
    }
    let open: Vec<String> = found
        .iter()
        .filter(|(_, function)| !function.is_guarded)
        .map(|(path, function)| place(path, function))
        .collect();
    let result = if open.is_empty() { Ok(()) } else { Err(open.join("\n")) };
    stage.tally.check(&format!("all {} functions of the C ABI run inside guard(…)", found.len()), result);

    // Otherwise a function made by a macro, which this scanner cannot see, would go unguarded without a word.
    let seen: BTreeSet<&str> = found.iter().map(|(_, function)| function.name.as_str()).collect();
    let unseen: Vec<&str> = listed.difference(&seen).copied().collect();
    let result = if unseen.is_empty() { Ok(()) } else { Err(format!("not found: {}", unseen.join(", "))) };
    stage.tally.check("the source of every export is found", result);
    Ok(())
}

fn place(path: &Path, function: &Function) -> String {
    format!("{}:{}: {} does not run inside guard(…)", path.display(), function.line, function.name)
}

struct Function {
    name: String,
    line: usize,
    is_guarded: bool,
}

/// Every `extern "C" fn name(…) {…}` outside tests. A function pointer's type has no name and is not one.
fn functions(text: &str) -> Vec<Function> {
    let code = without_tests(&code_only(text));
    let words = tokens(&code);
    let mut found = Vec::new();
    for at in 0..words.len() {
        // `extern`, two quotes, `fn`, the name
        let [first, second, third, fourth, fifth] = [0, 1, 2, 3, 4].map(|ahead| words.get(at + ahead));
        let (Some(first), Some(second), Some(third), Some(fourth), Some(fifth)) =
            (first, second, third, fourth, fifth)
        else {
            break;
        };
        let quote = Token::Sign('"');
        let is_extern = first.token == Token::Word("extern") && second.token == quote && third.token == quote;
        if let (true, Token::Word("fn"), Token::Word(name)) = (is_extern, fourth.token, fifth.token) {
            let is_guarded = body(&code[fifth.end..]).is_some_and(is_one_guard_call);
            found.push(Function { name: name.to_owned(), line: fifth.line, is_guarded });
        }
    }
    found
}

/// The function's body without its braces; a declaration without one has none.
fn body(code: &str) -> Option<&str> {
    let open = code.find(['{', ';'])?;
    let inside = code[open..].strip_prefix('{')?;
    Some(&inside[..closing(inside, '{', '}')?])
}

/// True for `guard(…)` and nothing else. It may be a method of a path and may have a name such as `guard_status`.
fn is_one_guard_call(body: &str) -> bool {
    let body = body.trim();
    let Some((callee, rest)) = body.split_once('(') else { return false };
    let is_path = callee.chars().all(|c| c.is_alphanumeric() || c == '_' || c == ':');
    let is_guard =
        callee.rsplit("::").next().is_some_and(|name| name == "guard" || name.starts_with("guard_"));
    let after = closing(rest, '(', ')').map(|end| rest[end + 1..].trim());
    is_path && is_guard && matches!(after, Some("" | ";"))
}

/// Where the bracket is closed that was open before this text.
fn closing(text: &str, open: char, close: char) -> Option<usize> {
    let mut depth = 1;
    for (at, c) in text.char_indices() {
        if c == open {
            depth += 1;
        } else if c == close {
            depth -= 1;
            if depth == 0 {
                return Some(at);
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::{compare, functions, symbols};

    fn guarded(body: &str) -> bool {
        let text =
            format!("#[unsafe(no_mangle)]\npub unsafe extern \"C\" fn mcp_f(a: i32) -> i32 {{ {body} }}");
        let found = functions(&text);
        assert_eq!(found.len(), 1, "{text}");
        assert_eq!((found[0].name.as_str(), found[0].line), ("mcp_f", 2));
        found[0].is_guarded
    }

    #[test]
    fn a_body_that_is_one_guard_call_is_guarded() {
        assert!(guarded("guard(MCP_ERROR_INTERNAL, || { f(a); ')'; \")\" })"));
        assert!(guarded("super::guard::guard_status(client, |it| { it.go(a) })"));
    }

    #[test]
    fn work_outside_the_guard_is_caught() {
        assert!(!guarded("f(a)"));
        assert!(!guarded("let x = f(a); guard(1, || x)"));
        assert!(!guarded("guard(1, || x) + f(a)"));
        assert!(!guarded("/* guard( */ f(a)"));
        assert!(!guarded("unguarded(1, || x)"));
    }

    #[test]
    fn function_pointers_and_tests_are_no_functions_of_the_abi() {
        let text = "fn f(log: Option<unsafe extern \"C\" fn(user: *mut c_void)>) {}\n\
                    #[cfg(test)] mod tests { extern \"C\" fn callback() { go() } }";
        assert_eq!(functions(text).len(), 0);
    }

    #[test]
    fn missing_and_foreign_exports_are_named() {
        let exported = symbols("0000000000001000 T mcp_a@@MCP_1\n0000000000001010 T rust_x\n");
        let error = compare(&exported, &BTreeSet::from(["mcp_a", "mcp_b"])).err().unwrap_or_default();
        assert!(
            error.starts_with("mcp_b is listed but not exported\nrust_x is exported but not listed\n"),
            "{error}"
        );
        assert!(compare(&exported, &BTreeSet::new()).is_err());
    }
}
