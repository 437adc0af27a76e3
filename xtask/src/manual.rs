//! Manual pages of section 3, made from the comments of `include/mcp.h`: one for each function, and `mcp(3)` for what holds for all.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::Path;

use serde_json::{Value, json};

use crate::checkout::{Checkout, folder_at, read, stem, write as write_file};
use crate::declared::{Function, functions};
use crate::dist::Version;
use crate::fill;
use crate::symbols;

/// Where the pages are, below a prefix.
pub const FOLDER: &str = "share/man/man3";

/// A page: the name of its file, and its text in the macros of man(7).
pub struct Page {
    pub file: String,
    pub text: String,
}

/// A page, and the one of what holds for all.
const TEMPLATE: &str = include_str!("manual.j2");

/// The programs that pages quote from. The tests compile and run them.
const PROGRAMS: [&str; 3] = ["examples/c", "examples/server", "stores"];

/// All pages, with `mcp.3` first.
pub fn pages(checkout: &Checkout) -> Result<Vec<Page>, String> {
    let since: BTreeMap<String, String> = symbols::versions(checkout)?.into_iter().collect();
    let mut programs = Vec::new();
    for folder in PROGRAMS {
        for path in checkout.files(folder, "c") {
            // The stores call the copy of the library that has loaded them, through a table of its functions.
            let text = read(&path)?
                .replace("worker->library.", "library->")
                .replace("library->store_", "mcp_store_");
            programs.push((format!("{folder}/{}.c", stem(&path)), text));
        }
    }
    made(&read(&checkout.header())?, &programs, &since, &Version::read(checkout)?.to_string())
}

/// `cargo xtask manual FOLDER`
pub fn write(checkout: &Checkout, folder: &Path) -> Result<(), String> {
    folder_at(folder)?;
    pages(checkout)?.iter().try_for_each(|page| write_file(&folder.join(&page.file), &page.text))
}

/// The most lines of an example program that a page quotes, and how many of them may be before the call.
const QUOTED: usize = 14;
const BEFORE: usize = 4;

/// Where an example program calls a function: the program, and the lines around the call, without what they all are indented by. Of several
/// places the first one in the shortest program, which has the least beside it.
fn quoted<'a>(name: &str, programs: &'a [(String, String)]) -> Option<(&'a str, Vec<&'a str>)> {
    let call = format!("{name}(");
    let is_call = |line: &str| {
        let at = line
            .find(&call)
            .filter(|at| !line[..*at].ends_with(|it: char| it == '_' || it.is_ascii_alphanumeric()));
        at.is_some() && line.starts_with(' ') && !line.trim_start().starts_with(['*', '/'])
    };
    let mut found: Vec<&(String, String)> =
        programs.iter().filter(|(_, text)| text.lines().any(is_call)).collect();
    found.sort_by_key(|(_, text)| text.len());
    let (file, text) = found.first()?;
    let lines: Vec<&str> = text.lines().collect();
    let at = lines.iter().position(|line| is_call(line))?;
    // A paragraph of the body of one function.
    let ends = |line: &&str| line.is_empty() || !line.starts_with(' ');
    let start = lines[..at].iter().rposition(&ends).map_or(0, |it| it + 1).max(at.saturating_sub(BEFORE));
    let end = lines[at..].iter().position(ends).map_or(lines.len(), |it| at + it).min(start + QUOTED);
    let part = &lines[start..end];
    let indent = part.iter().map(|line| line.len() - line.trim_start().len()).min().unwrap_or(0);
    Some((file, part.iter().map(|line| &line[indent..]).collect()))
}

fn made(
    header: &str,
    programs: &[(String, String)],
    since: &BTreeMap<String, String>,
    version: &str,
) -> Result<Vec<Page>, String> {
    let mut environment = fill::environment();
    environment.add_filter("plain", plain);
    environment.add_filter("body", |lines: Vec<String>| body(lines.iter().map(String::as_str)));
    environment.add_template("manual.j2", TEMPLATE).map_err(|error| format!("{error:#}"))?;
    let page = |name: &str, context: Value| -> Result<Page, String> {
        let text = environment.get_template("manual.j2").and_then(|template| template.render(context));
        Ok(Page { file: format!("{name}.3"), text: text.map_err(|error| format!("manual.j2: {error:#}"))? })
    };
    let all = functions(header);
    let statuses = statuses(header);
    let mut pages = vec![page("mcp", overview(header, &all, version)?)?];
    for function in &all {
        let since = since
            .get(&function.name)
            .ok_or_else(|| format!("include/mcp.symbols lacks {}", function.name))?;
        pages.push(page(&function.name, one(function, &statuses, programs, since, version))?);
    }
    Ok(pages)
}

/// What the header says of each status.
fn statuses(header: &str) -> BTreeMap<&str, String> {
    let parts = header.split("#define MCP_").skip(1).zip(header.split("#define MCP_"));
    let told = parts.filter_map(|(define, before)| {
        let name = define.split_whitespace().next()?;
        let comment = before.rsplit_once("/**\n")?.1.split_once(" */")?.0;
        let words: Vec<&str> = comment.lines().map(|line| line.trim_start_matches(" *").trim()).collect();
        Some((name, words.join(" ")))
    });
    told.filter(|(name, _)| name.starts_with("ERROR_")).collect()
}

/// Text that roff takes as it is.
fn plain(text: &str) -> String {
    let mut out = String::new();
    for sign in text.chars() {
        match sign {
            '\\' => out.push_str("\\e"),
            '-' => out.push_str("\\-"),
            '\'' => out.push_str("\\(aq"),
            '`' => out.push_str("\\(ga"),
            '^' => out.push_str("\\(ha"),
            '~' => out.push_str("\\(ti"),
            _ => out.push(sign),
        }
    }
    // A line that began with a dot or a quote would be a request.
    if out.starts_with('.') { format!("\\&{out}") } else { out }
}

/// Writes lines of a comment: paragraphs, lists and examples.
fn body<'a>(lines: impl IntoIterator<Item = &'a str>) -> String {
    let mut text = String::new();
    let (mut is_code, mut is_apart) = (false, false);
    for line in lines {
        if line.is_empty() {
            is_apart = true;
            continue;
        }
        let code = line.strip_prefix("    ");
        if is_code && code.is_none() {
            text.push_str(".EE\n.RE\n");
        }
        if code.is_some() && !is_code {
            text.push_str(".PP\n.RS 4\n.EX\n");
        } else if is_apart {
            text.push_str(if code.is_some() { "\n" } else { ".PP\n" });
        }
        (is_code, is_apart) = (code.is_some(), false);
        let line = code.unwrap_or_else(|| line.trim_start());
        match line.strip_prefix("- ") {
            Some(item) if !is_code => {
                let _ = writeln!(text, ".IP \\(bu 2\n{}", plain(item));
            }
            _ => {
                let _ = writeln!(text, "{}", plain(line));
            }
        }
    }
    if is_code {
        text.push_str(".EE\n.RE\n");
    }
    text
}

/// The sections that a comment is made of, each with its lines; those of parameters with their names.
fn sections(function: &Function) -> Value {
    let mut found =
        BTreeMap::from(["description", "returns", "threads", "examples"].map(|it| (it, Vec::new())));
    let mut parameters: Vec<(&str, Vec<&str>)> = Vec::new();
    let mut at = "description";
    for line in function.comment.iter().map(String::as_str) {
        let (name, rest) = line.split_once(": ").unwrap_or(("", ""));
        if function.parameters.iter().any(|parameter| parameter.name == name) {
            parameters.push((name, vec![rest.trim_start()]));
            at = "";
            continue;
        }
        // What follows a paragraph of these is of the description again.
        at = match line {
            _ if name == "Threads" => "threads",
            _ if line.starts_with("Returns ") => "returns",
            _ if line.starts_with("Example") && line.ends_with(':') => {
                at = "examples";
                continue;
            }
            "" if at != "examples" => "description",
            _ => at,
        };
        let plain = if name == "Threads" { rest } else { line };
        match (found.get_mut(at), parameters.last_mut()) {
            (Some(lines), _) if ["description", "examples"].contains(&at) => lines.push(plain),
            (Some(lines), _) | (None, Some((_, lines))) => lines.push(plain.trim_start()),
            (None, None) => {}
        }
    }
    let mut found = json!(found);
    found["parameters"] = json!(parameters);
    found
}

/// The first sentence of a function, for lists of pages.
fn summary(function: &Function) -> String {
    let paragraph: Vec<&str> =
        function.comment.iter().map(String::as_str).take_while(|line| !line.is_empty()).collect();
    let text = paragraph.join(" ");
    let first = text.split_once(". ").map_or(text.as_str(), |(first, _)| first);
    first.trim_end_matches('.').to_owned()
}

/// What the page of a function is made from.
fn one(
    function: &Function,
    statuses: &BTreeMap<&str, String>,
    programs: &[(String, String)],
    since: &str,
    version: &str,
) -> Value {
    let name = &function.name;
    let told = function.comment.join(" ");
    let words: Vec<&str> = told.split(|sign: char| sign != '_' && !sign.is_ascii_alphanumeric()).collect();
    let errors: Vec<_> =
        statuses.iter().filter(|(status, _)| words.contains(&format!("MCP_{status}").as_str())).collect();
    let is_other =
        |word: &&str| told.contains(&format!("{word}()")) && word.starts_with("mcp_") && word != name;
    let others: BTreeSet<&str> = words.iter().copied().filter(is_other).collect();
    json!({
        "function": {"name": name, "summary": summary(function), "declaration": function.declaration},
        "sections": sections(function),
        "errors": errors, "program": quoted(name, programs), "others": others, "since": since, "version": version,
    })
}

/// What holds for every function, and what functions there are.
fn overview(header: &str, all: &[Function], version: &str) -> Result<Value, String> {
    let contract = header.split_once("/*\n * THE CONTRACT ").and_then(|(_, rest)| rest.split_once("\n */"));
    let (contract, _) = contract.ok_or("include/mcp.h has no contract at its beginning")?;
    let lines: Vec<&str> = contract.lines().map(|line| line.trim_start_matches(" *").trim_start()).collect();
    let paragraphs = lines.split(|line| line.is_empty()).enumerate().map(|(number, paragraph)| {
        let first = paragraph.first().copied().unwrap_or_default();
        match first.split_once(". ").filter(|_| number > 0) {
            Some((subject, line)) => (subject, [&[line], &paragraph[1..]].concat()),
            None => ("", paragraph.to_vec()),
        }
    });
    let contract: Vec<_> = paragraphs.filter(|(_, lines)| !lines.is_empty()).collect();
    let all: Vec<_> = all.iter().map(|it| (&it.name, summary(it))).collect();
    Ok(json!({"function": null, "contract": contract, "all": all, "version": version}))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_quotes_the_paragraph_that_calls_its_function_from_the_shortest_program() {
        let long = "/* mcp_x() does it. */\nint main(void) {\n    int a = 0;\n\n    mcp_x(a); /* more */\n    return 0;\n}\n".to_owned();
        let short =
            "int f(void) {\n    int b = 1;\n        return mcp_x(b);\n}\nint mcp_xy(int);\n".to_owned();
        let programs = [("long.c".to_owned(), long), ("short.c".to_owned(), short)];
        let (file, lines) = quoted("mcp_x", &programs).expect("it is called");
        assert_eq!((file, lines), ("short.c", vec!["int b = 1;", "    return mcp_x(b);"]));
        assert_eq!(
            quoted("mcp_x", &programs[..1]).map(|(_, lines)| lines),
            Some(vec!["mcp_x(a); /* more */", "return 0;"])
        );
        assert!(quoted("mcp_xy", &programs).is_none() && quoted("x", &programs).is_none());
    }
}
