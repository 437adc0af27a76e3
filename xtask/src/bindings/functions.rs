//! The functions of the ABI, read from the header.

use crate::declared;

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

/// The types of functions that have a name.
const FUNCTIONS: [&str; 2] = ["mcp_handler_t", "mcp_config_opened_t"];

/// All of them, in the order of the header.
///
/// # Errors
/// There is none.
pub fn of(header: &str) -> Result<Vec<Function>, String> {
    let all = declared::functions(header).into_iter().map(|it| {
        let is_function = |kind: &str| kind == "(*)" || FUNCTIONS.contains(&kind);
        let kind = |kind: String| if is_function(&kind) { FUNCTION.to_owned() } else { kind };
        Function {
            name: it.name,
            result: Some(it.returns).filter(|result| result != "void"),
            parameters: it.parameters.into_iter().map(|it| (it.name, kind(it.kind))).collect(),
        }
    });
    let all: Vec<Function> = all.collect();
    if all.is_empty() { Err("mcp.h declares no function".to_owned()) } else { Ok(all) }
}

/// The header without comments, and without preprocessor lines but for the numbers, which cffi takes.
pub fn declarations(header: &str) -> String {
    let mut text = String::new();
    let mut in_comment = false;
    let mut for_cpp = false;
    let mut in_macro = false;
    for line in header.lines() {
        let trimmed = line.trim();
        if in_macro {
            in_macro = trimmed.ends_with('\\');
        } else if in_comment || trimmed.starts_with("/*") {
            in_comment = !trimmed.ends_with("*/");
        } else if trimmed.starts_with("#ifdef __cplusplus") {
            for_cpp = true;
        } else if for_cpp {
            for_cpp = !trimmed.starts_with("#endif");
        } else if trimmed.starts_with('#') && trimmed.ends_with('\\') {
            in_macro = true;
        } else if is_number(trimmed) {
            text.extend([trimmed, "\n"]);
        } else if !trimmed.is_empty() && !trimmed.starts_with('#') && !ATTRIBUTES.contains(&trimmed) {
            text.extend([line.replace("MCP_API ", "").replace("MCP_MUST_USE ", "").as_str(), "\n"]);
        }
    }
    text
}

/// What stands before functions, on lines of their own where these are long.
const ATTRIBUTES: [&str; 2] = ["MCP_API", "MCP_MUST_USE"];

fn is_number(line: &str) -> bool {
    let words: Vec<&str> = line.split_whitespace().collect();
    matches!(words.as_slice(), ["#define", name, value] if name.starts_with("MCP_") && value.parse::<i64>().is_ok())
}
