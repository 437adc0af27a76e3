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
