//! What the built library exports is the list in `include/mcp.exports`, no more and no less, and every function of
//! the C ABI runs inside the guard that keeps a panic from the caller.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

use syn::visit::Visit;
use syn::{Expr, ItemFn, Stmt};

use super::{Stage, misuse};
use crate::checkout::read;
use crate::machine::{NM, READELF};
use crate::process;
use crate::source::{parsed, tokens, without_tests};

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
        let functions = functions(&text).map_err(|why| format!("{}: {why}", path.display()))?;
        found.extend(functions.into_iter().map(|function| (path.clone(), function)));
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

/// Every `extern "C" fn name(…) {…}` outside tests.
fn functions(text: &str) -> Result<Vec<Function>, String> {
    let file = parsed(without_tests(tokens(text)))?;
    let mut found = Found(Vec::new());
    found.visit_file(&file);
    Ok(found.0)
}

struct Found(Vec<Function>);

impl Visit<'_> for Found {
    fn visit_item_fn(&mut self, item: &ItemFn) {
        if item.sig.abi.is_some() {
            let name = &item.sig.ident;
            let is_guarded = is_one_guard_call(&item.block.stmts);
            self.0.push(Function { name: name.to_string(), line: name.span().start().line, is_guarded });
        }
    }
}

/// True for `guard(…)` and nothing else. It may be a function of a path and may have a name such as `guard_status`.
fn is_one_guard_call(body: &[Stmt]) -> bool {
    let [Stmt::Expr(Expr::Call(call), _)] = body else { return false };
    let Expr::Path(callee) = &*call.func else { return false };
    let name = callee.path.segments.last().map(|last| last.ident.to_string()).unwrap_or_default();
    name == "guard" || name.starts_with("guard_")
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::{compare, functions, symbols};

    fn guarded(body: &str) -> bool {
        let text =
            format!("#[unsafe(no_mangle)]\npub unsafe extern \"C\" fn mcp_f(a: i32) -> i32 {{ {body} }}");
        let found = functions(&text).expect("Rust");
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
        assert_eq!(functions(text).map(|found| found.len()), Ok(0));
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
