//! The functions of the ABI, read from the header.

use super::python::declarations;

/// The type of a parameter that is a pointer to a function.
pub const FUNCTION: &str = "function";

/// One function, with the types of C.
#[derive(Debug, PartialEq)]
pub struct Function {
    pub name: String,
    /// None for `void`.
    pub result: Option<String>,
    /// Names and types, such as `config_json` and `const char *`.
    pub parameters: Vec<(String, String)>,
}

/// All of them, in the order of the header.
///
/// # Errors
/// A declaration of the header has a form that is not known here.
pub fn of(header: &str) -> Result<Vec<Function>, String> {
    parse(&declarations(header))
}

/// The functions among declarations of C.
fn parse(declarations: &str) -> Result<Vec<Function>, String> {
    let mut functions = Vec::new();
    let lines: Vec<&str> = declarations.lines().filter(|line| !line.starts_with('#')).collect();
    for declaration in lines.join(" ").split(';') {
        let declaration = declaration.split_whitespace().collect::<Vec<_>>().join(" ");
        let Some((head, rest)) = declaration.split_once('(') else { continue };
        let Some((result, name)) = split_name(head) else { continue };
        if declaration.starts_with("typedef") || !name.starts_with("mcp_") || result.is_empty() {
            continue;
        }
        let inner = rest.strip_suffix(')').ok_or_else(|| format!("mcp.h: {declaration:?} has no end"))?;
        let mut parameters = Vec::new();
        for parameter in split_outside(inner) {
            if parameter == "void" {
                continue;
            }
            // A pointer to a function: its name is inside.
            if let Some((_, rest)) = parameter.split_once("(*") {
                let name = rest.split(')').next().unwrap_or_default();
                parameters.push((name.to_owned(), FUNCTION.to_owned()));
                continue;
            }
            let (kind, name) =
                split_name(parameter).ok_or_else(|| format!("mcp.h: {parameter:?} has no name"))?;
            let kind = if FUNCTIONS.contains(&kind) { FUNCTION } else { kind };
            parameters.push((name.to_owned(), kind.to_owned()));
        }
        let result = Some(result.to_owned()).filter(|result| result != "void");
        functions.push(Function { name: name.to_owned(), result, parameters });
    }
    if functions.is_empty() { Err("mcp.h declares no function".to_owned()) } else { Ok(functions) }
}

/// The types of functions that have a name.
const FUNCTIONS: [&str; 2] = ["mcp_handler_t", "mcp_config_opened_t"];

/// `const char *name` as `const char *` and `name`.
fn split_name(text: &str) -> Option<(&str, &str)> {
    let text = text.trim();
    let start = text.rfind(|it: char| !it.is_ascii_alphanumeric() && it != '_')? + 1;
    Some((text[..start].trim(), &text[start..])).filter(|(_, name)| !name.is_empty())
}

/// What commas outside of parentheses separate.
fn split_outside(text: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let (mut depth, mut start) = (0, 0);
    for (place, letter) in text.char_indices() {
        match letter {
            '(' => depth += 1,
            ')' => depth -= 1,
            ',' if depth == 0 => {
                parts.push(text[start..place].trim());
                start = place + 1;
            }
            _ => {}
        }
    }
    parts.push(text[start..].trim());
    parts
}
