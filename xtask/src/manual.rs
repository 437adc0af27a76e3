//! Manual pages of section 3, made from the comments of `include/mcp.h`: one for each function, and `mcp(3)` for what holds for all.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use crate::checkout::{Checkout, read};
use crate::declared::{Function, functions};
use crate::dist::Version;
use crate::symbols;

/// Where the pages are, below a prefix.
pub const FOLDER: &str = "share/man/man3";

/// A page: the name of its file, and its text in the macros of man(7).
pub struct Page {
    pub file: String,
    pub text: String,
}

/// All pages, with `mcp.3` first.
pub fn pages(checkout: &Checkout) -> Result<Vec<Page>, String> {
    let since: BTreeMap<String, String> = symbols::versions(checkout)?.into_iter().collect();
    made(&read(&checkout.header())?, &since, &Version::read(checkout)?.to_string())
}

fn made(header: &str, since: &BTreeMap<String, String>, version: &str) -> Result<Vec<Page>, String> {
    let all = functions(header);
    let statuses = statuses(header);
    let mut pages = vec![Page { file: "mcp.3".to_owned(), text: overview(header, &all, version)? }];
    for function in &all {
        let since = since
            .get(&function.name)
            .ok_or_else(|| format!("include/mcp.symbols lacks {}", function.name))?;
        let text = page(function, &statuses, since, version);
        pages.push(Page { file: format!("{}.3", function.name), text });
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
    // A line that began with a dot would be a request.
    if out.starts_with('.') { format!("\\&{out}") } else { out }
}

fn title(name: &str, version: &str) -> String {
    format!(
        ".\\\" Made from include/mcp.h by cargo xtask dist.\n.TH {name} 3 \"\" \"libmcp {version}\" \"C API of libmcp\"\n.SH NAME\n"
    )
}

/// Writes lines of a comment: paragraphs, lists and examples.
fn write_body<'a>(lines: impl IntoIterator<Item = &'a str>, text: &mut String) {
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
}

/// The sections that a comment is made of, each with its lines.
#[derive(Default)]
struct Sections<'a> {
    description: Vec<&'a str>,
    parameters: Vec<(&'a str, Vec<&'a str>)>,
    returns: Vec<&'a str>,
    threads: Vec<&'a str>,
    examples: Vec<&'a str>,
}

fn sections(function: &Function) -> Sections<'_> {
    enum At {
        Description,
        Parameter,
        Returns,
        Threads,
        Examples,
    }
    let mut found = Sections::default();
    let mut at = At::Description;
    for line in function.comment.iter().map(String::as_str) {
        let name = line.split_once(": ").map(|(name, rest)| (name, rest.trim_start()));
        let is_parameter = |name: &str| function.parameters.iter().any(|parameter| parameter.name == name);
        match name {
            Some((name, rest)) if is_parameter(name) => {
                found.parameters.push((name, vec![rest]));
                at = At::Parameter;
                continue;
            }
            Some(("Threads", rest)) => {
                found.threads.push(rest);
                at = At::Threads;
                continue;
            }
            _ if line.starts_with("Returns ") => at = At::Returns,
            _ if line.starts_with("Example") && line.ends_with(':') => {
                at = At::Examples;
                continue;
            }
            // What follows a paragraph of these is of the description again.
            _ if line.is_empty() && !matches!(at, At::Examples) => at = At::Description,
            _ => {}
        }
        match at {
            At::Description => found.description.push(line),
            At::Parameter => {
                if let Some((_, lines)) = found.parameters.last_mut() {
                    lines.push(line.trim_start());
                }
            }
            At::Returns => found.returns.push(line.trim_start()),
            At::Threads => found.threads.push(line.trim_start()),
            At::Examples => found.examples.push(line),
        }
    }
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

fn page(function: &Function, statuses: &BTreeMap<&str, String>, since: &str, version: &str) -> String {
    let name = &function.name;
    let found = sections(function);
    let mut text = title(name, version);
    let _ =
        writeln!(text, "{name} \\- {}\n.SH SYNOPSIS\n.nf\n.B #include <mcp.h>\n", plain(&summary(function)));
    for line in function.declaration.lines() {
        let _ = writeln!(text, ".B \"{}\"", plain(line));
    }
    text.push_str(".fi\n.SH DESCRIPTION\n");
    write_body(found.description, &mut text);
    for (parameter, lines) in found.parameters {
        let _ = writeln!(text, ".TP\n.I {parameter}");
        write_body(lines, &mut text);
    }
    if !found.returns.is_empty() {
        text.push_str(".SH RETURN VALUE\n");
        write_body(found.returns.iter().copied(), &mut text);
    }
    let told = function.comment.join(" ");
    let words: Vec<&str> = told.split(|sign: char| sign != '_' && !sign.is_ascii_alphanumeric()).collect();
    let errors: Vec<_> =
        statuses.iter().filter(|(status, _)| words.contains(&format!("MCP_{status}").as_str())).collect();
    if !errors.is_empty() {
        text.push_str(".SH ERRORS\n");
        for (status, what) in errors {
            let _ = writeln!(text, ".TP\n.B MCP_{status}\n{}", plain(what));
        }
    }
    for (heading, lines) in [("THREADS", found.threads), ("EXAMPLES", found.examples)] {
        if !lines.is_empty() {
            let _ = writeln!(text, ".SH {heading}");
            write_body(lines, &mut text);
        }
    }
    let _ = writeln!(text, ".SH SINCE\nlibmcp {since}\n.SH SEE ALSO\n.BR mcp (3)");
    let mut others: Vec<&str> = words
        .into_iter()
        .filter(|word| told.contains(&format!("{word}()")) && word.starts_with("mcp_"))
        .collect();
    others.sort_unstable();
    others.dedup();
    for other in others.into_iter().filter(|other| other != name) {
        let _ = writeln!(text, ".BR {other} (3)");
    }
    text
}

/// What holds for every function, and what functions there are.
fn overview(header: &str, all: &[Function], version: &str) -> Result<String, String> {
    let contract = header.split_once("/*\n * THE CONTRACT ").and_then(|(_, rest)| rest.split_once("\n */"));
    let (contract, _) = contract.ok_or("include/mcp.h has no contract at its beginning")?;
    let lines: Vec<&str> = contract.lines().map(|line| line.trim_start_matches(" *").trim_start()).collect();
    let mut text = title("mcp", version);
    text.push_str(
        "mcp \\- clients and servers of the Model Context Protocol\n.SH SYNOPSIS\n.nf\n.B #include <mcp.h>\n",
    );
    text.push_str(".fi\n.PP\nLink with \\-lmcp, or as\n.B pkg\\-config \\-\\-cflags \\-\\-libs mcp\nsays.\n.SH DESCRIPTION\n");
    for (number, paragraph) in lines.split(|line| line.is_empty()).enumerate() {
        let Some((first, rest)) = paragraph.split_first() else { continue };
        match first.split_once(". ").filter(|_| number > 0) {
            Some((subject, line)) => {
                let _ = writeln!(text, ".SS {}", plain(subject));
                write_body(std::iter::once(line).chain(rest.iter().copied()), &mut text);
            }
            None => {
                text.push_str("The contract ");
                write_body(paragraph.iter().copied(), &mut text);
            }
        }
    }
    text.push_str(".SH FUNCTIONS\n");
    for function in all {
        let _ = writeln!(text, ".TP\n.BR {} (3)\n{}", function.name, plain(&summary(function)));
    }
    text.push_str(".SH SEE ALSO\n.BR mcp (1)\n");
    Ok(text)
}
