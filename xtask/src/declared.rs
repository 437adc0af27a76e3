//! The functions of `include/mcp.h`, as they are declared, with their comments.

/// A function of the C API.
pub struct Function {
    pub name: String,
    /// The type of its result.
    pub returns: String,
    pub parameters: Vec<Parameter>,
    /// The declaration, on as many lines as the header has it on, without `MCP_API` and with the semicolon.
    pub declaration: String,
    /// The lines of its comment, without their stars.
    pub comment: Vec<String>,
}

/// A parameter of a function.
pub struct Parameter {
    pub name: String,
    /// Its type, without its name; that of a pointer to a function is `(*)`.
    pub kind: String,
}

impl Parameter {
    /// Parses one, such as `const char *method`.
    fn parse(text: &str) -> Option<Parameter> {
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        if let Some((_, rest)) = text.split_once("(*") {
            let name = rest.split_once(')')?.0.to_owned();
            return Some(Parameter { name, kind: "(*)".to_owned() });
        }
        let start = text.rfind([' ', '*'])? + 1;
        Some(Parameter { name: text[start..].to_owned(), kind: text[..start].trim_end().to_owned() })
    }
}

/// All functions of a header, in its order.
pub fn functions(header: &str) -> Vec<Function> {
    let mut found = Vec::new();
    let mut rest = header;
    while let Some((before, after)) = rest.split_once("\nMCP_API") {
        let Some((declaration, next)) = after.split_once(';') else { break };
        found.extend(function(before, declaration.trim()));
        rest = next;
    }
    found
}

fn function(before: &str, declaration: &str) -> Option<Function> {
    let (head, parameters) = declaration.split_once('(')?;
    let name = head.rsplit([' ', '*']).next()?.to_owned();
    // Without what only warns, such as MCP_MUST_USE.
    let words = head.strip_suffix(&name)?.split_whitespace().filter(|word| !word.starts_with("MCP_"));
    let returns = words.collect::<Vec<_>>().join(" ");
    let parameters = parameters.strip_suffix(')')?;
    let comment = before.rsplit_once("/**\n")?.1.split_once(" */")?.0;
    let comment = comment.lines().map(|line| {
        let line = line.strip_prefix(" *").unwrap_or(line);
        line.strip_prefix(' ').unwrap_or(line).to_owned()
    });
    Some(Function {
        name,
        returns,
        parameters: top_level(parameters).into_iter().filter_map(Parameter::parse).collect(),
        declaration: format!("{declaration};"),
        comment: comment.collect(),
    })
}

/// The parts between commas that stand in no bracket.
fn top_level(text: &str) -> Vec<&str> {
    let (mut parts, mut depth, mut start) = (Vec::new(), 0_usize, 0);
    for (at, sign) in text.char_indices() {
        match sign {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            ',' if depth == 0 => {
                parts.push(&text[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.push(&text[start..]);
    parts
}
