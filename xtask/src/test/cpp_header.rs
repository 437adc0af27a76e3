//! What holds of `include/mcp.hpp` only: it compiles in every standard and mode that users have, says which standard it needs,
//! has every option of a call, refuses misuse, and is one header for files of different standards and compilers.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::checkout::{Checkout, read, write as write_file};
use crate::compiler;
use crate::process::{self, Finished};
use crate::release::Built;

/// The standards after the one in which everything else is compiled.
const LATER: [&str; 2] = ["c++20", "c++2b"];
const ALL: [&str; 3] = ["c++17", "c++20", "c++2b"];
const MODES: [&[&str]; 2] = [&[], &["-fno-exceptions", "-fno-rtti"]];

/// What the header says to a compiler for an older standard.
const NEEDS: &str = "mcp.hpp needs C++17 or later";

/// Compiles the header in the later standards, with and without exceptions and RTTI. The step `cpp` runs programs in C++17.
pub fn compiles_in_every_mode(checkout: &Checkout, program: &Path) -> Result<(), String> {
    for standard in LATER {
        for flags in MODES {
            let (unit, log) = unit(checkout, program, &format!("{standard}{}", flags.concat()))?;
            let mut command = compiler::command(checkout, program, standard);
            compiler::compile(command.args(flags).arg("-fsyntax-only").arg(unit), &log)?;
        }
    }
    Ok(())
}

/// A compiler for an older standard names the one that is necessary.
pub fn refuses_an_older_standard(checkout: &Checkout, program: &Path) -> Result<(), String> {
    let (unit, log) = unit(checkout, program, "c++14")?;
    let mut command: Command = compiler::command(checkout, program, "c++14");
    let finished = process::run(command.arg("-fsyntax-only").arg(unit), process::LIMIT, &log)?;
    if !finished.succeeded() && finished.stderr.contains(NEEDS) {
        return Ok(());
    }
    Err(format!("compiled as C++14, include/mcp.hpp does not say '{NEEDS}'\n{}", finished.story()))
}

/// What the statements of `refused.txt` use.
const MISUSE: &str =
    "mcp::client &client, mcp::server &server, mcp::dispatcher &dispatcher, mcp::object &object";
const USED: &str = "static_cast<void>(client), static_cast<void>(server), static_cast<void>(dispatcher), static_cast<void>(object);";

/// Each statement of `tests/cpp/header/refused.txt` is refused, with the word that stands before it; without any, the file compiles.
/// One file has them all, each in a function and with a line number of its own: the header is read once.
pub fn refuses_misuse(checkout: &Checkout, program: &Path) -> Result<(), String> {
    let text = read(&checkout.root.join("tests/cpp/header/refused.txt"))?;
    let statements = refused(&text)?;
    let all: Vec<&str> = statements.iter().map(|(_, statement)| *statement).collect();
    let without = check_misuse(checkout, program, "without", &vec![""; all.len()])?;
    if !without.succeeded() {
        return Err(format!("without the misuse it does not compile\n{}", without.story()));
    }
    let finished = check_misuse(checkout, program, "refused", &all)?;
    let is_refused = |number: usize, word: &str| {
        let place = format!("refused:{number}:");
        let mut lines = finished.stderr.lines();
        lines.any(|line| line.starts_with(&place) && line.contains("error:") && line.contains(word))
    };
    let accepted = (1..).zip(&statements).filter(|(number, (word, _))| !is_refused(*number, word));
    let wrong: Vec<String> = accepted
        .map(|(_, (word, statement))| format!("'{statement}' must be refused with '{word}'"))
        .collect();
    if wrong.is_empty() { Ok(()) } else { Err(format!("{}\n{}", wrong.join("\n"), finished.story())) }
}

/// What the compiler says of a function for each statement.
fn check_misuse(
    checkout: &Checkout,
    program: &Path,
    name: &str,
    statements: &[&str],
) -> Result<Finished, String> {
    let (unit, log) = unit(checkout, program, name)?;
    let functions = (1..).zip(statements).map(|(number, statement)| {
        let head = format!("void misuse_{number}({MISUSE})");
        format!("{head};\n{head} {{\n{USED}\n#line {number} \"refused\"\n{statement}\n}}\n")
    });
    let code = format!("#include <mcp.hpp>\n{}", functions.collect::<String>());
    write_file(&unit, &code)?;
    let mut command = compiler::command(checkout, program, "c++17");
    // The misuse must be refused, not that its variable is used no further; and Clang ends after twenty errors.
    command.args(["-Wno-unused-variable", "-fsyntax-only"]);
    if program.file_name().is_some_and(|name| name.to_string_lossy().contains("clang")) {
        command.arg("-ferror-limit=0");
    }
    process::run(command.arg(unit), process::LIMIT, &log)
}

/// The words and statements of `refused.txt`.
fn refused(text: &str) -> Result<Vec<(&str, &str)>, String> {
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    lines.map(|line| line.split_once(" | ").ok_or_else(|| format!("no ' | ' in '{line}'"))).collect()
}

const ASAN: &str = "-fsanitize=address";

/// What the first of the compilers can link for the pairs: with `AddressSanitizer` where its library is there. The objects of the others
/// call the same functions of it.
pub fn sanitizer(checkout: &Checkout, compilers: &[PathBuf]) -> Result<Option<&'static str>, String> {
    let Some(first) = compilers.first() else { return Ok(None) };
    let folder = checkout.scratch("header/asan")?;
    let unit = folder.join("unit.cpp");
    write_file(&unit, "int main() { return 0; }\n")?;
    let mut command = Command::new(first);
    command.arg(ASAN).arg(&unit).arg("-o").arg(folder.join("program"));
    Ok(process::run(&mut command, process::LIMIT, &folder.join("unit"))?.succeeded().then_some(ASAN))
}

/// The files of `tests/cpp/header`, compiled by each of the compilers for each standard, make one program in every pair, and it
/// runs. A file without exceptions does not link with one that has them.
pub fn is_one_header(
    checkout: &Checkout,
    compilers: &[PathBuf],
    built: &Built,
    sanitizer: Option<&str>,
) -> Result<(), String> {
    let mut kinds = Vec::new();
    for program in compilers {
        kinds.extend(ALL.iter().map(|standard| (program, *standard, None)));
    }
    let Some(first) = compilers.first() else { return Ok(()) };
    kinds.push((first, "c++17", Some("-fno-exceptions")));
    let objects: Vec<_> =
        ["made", "used"].into_iter().flat_map(|name| kinds.iter().map(move |kind| (name, *kind))).collect();
    let mut wrong = Vec::new();
    let compile = |(name, (program, standard, flag)): &(&str, Kind)| {
        // Only what makes things is compiled without exceptions.
        if *name == "used" && flag.is_some() {
            return Ok(());
        }
        let object = object(checkout, name, program, standard, *flag)?;
        let mut command = compiler::command(checkout, program, standard);
        let source = checkout.root.join("tests/cpp/header").join(name).with_extension("cpp");
        command.args(*flag).args(sanitizer).args(["-pthread", "-c"]).arg(source).arg("-o").arg(&object);
        compiler::compile(&mut command, &object.with_extension("compile"))
    };
    process::side_by_side(&objects, compile, |_, result| wrong.extend(result.err()));
    if !wrong.is_empty() {
        return Err(wrong.join("\n"));
    }
    let users = kinds.iter().filter(|(_, _, flag)| flag.is_none());
    let pairs: Vec<_> = users.flat_map(|user| kinds.iter().map(move |maker| (*maker, *user))).collect();
    let link = |user: &Kind| {
        // Each compiler links its own; with the sanitizer's library of one, that one does.
        let mut command = Command::new(if sanitizer.is_some() { first } else { user.0 });
        command.args(sanitizer);
        command
    };
    process::side_by_side(
        &pairs,
        |(maker, user)| links_and_runs(checkout, built, link(user), (*maker, *user)),
        |_, result| wrong.extend(result.err()),
    );
    if wrong.is_empty() { Ok(()) } else { Err(wrong.join("\n")) }
}

/// A compiler, a standard, and one more flag.
type Kind<'a> = (&'a PathBuf, &'a str, Option<&'a str>);

fn links_and_runs(
    checkout: &Checkout,
    built: &Built,
    mut link: Command,
    (maker, user): (Kind, Kind),
) -> Result<(), String> {
    let made = object(checkout, "made", maker.0, maker.1, maker.2)?;
    let used = object(checkout, "used", user.0, user.1, user.2)?;
    let (maker_name, user_name) = (crate::checkout::stem(&made), crate::checkout::stem(&used));
    let program = made.with_file_name(format!("{maker_name}-{user_name}"));
    link.arg(&made).arg(&used).arg("-o").arg(&program);
    let linked =
        process::run(compiler::link(&mut link, built), process::LIMIT, &program.with_extension("link"))?;
    if maker.2.is_some() {
        let refused = !linked.succeeded() && linked.stderr.contains("undefined");
        return if refused { Ok(()) } else { Err(format!("{maker_name} links with {user_name}")) };
    }
    if !linked.succeeded() {
        return Err(format!("{maker_name} does not link with {user_name}\n{}", linked.story()));
    }
    let finished = process::run(&mut Command::new(&program), process::LIMIT, &program.with_extension("run"))?;
    if finished.succeeded() {
        Ok(())
    } else {
        Err(format!("{maker_name}, {user_name}: {}", finished.story()))
    }
}

/// Where the object of a file is.
fn object(
    checkout: &Checkout,
    name: &str,
    program: &Path,
    standard: &str,
    flag: Option<&str>,
) -> Result<PathBuf, String> {
    let compiler = program.file_name().unwrap_or_default().to_string_lossy();
    let folder = checkout.scratch("header/pairs")?;
    // A name without a full stop, which would be taken for an extension.
    Ok(folder
        .join(format!("{name}-{compiler}-{standard}{}", flag.unwrap_or_default()).replace('.', "_") + ".o"))
}

/// A file that includes the header, and where its log is.
fn unit(checkout: &Checkout, program: &Path, name: &str) -> Result<(PathBuf, PathBuf), String> {
    let compiler = program.file_name().unwrap_or_default().to_string_lossy();
    let folder = checkout.scratch(&format!("header/{compiler}-{name}"))?;
    let unit = folder.join("unit.cpp");
    write_file(&unit, "#include <mcp.hpp>\n")?;
    Ok((unit, folder.join("unit")))
}

#[cfg(test)]
mod tests {
    use super::refused;

    #[test]
    fn a_statement_that_must_be_refused_stands_after_its_word() {
        assert_eq!(refused("# a | b\ndeleted | x(a | b);\n"), Ok(vec![("deleted", "x(a | b);")]));
        assert!(refused("x();\n").is_err());
    }
}
