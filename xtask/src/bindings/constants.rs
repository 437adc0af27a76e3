//! The numbers of the ABI, read from the header.

/// One `#define` with the comment before it.
#[derive(Debug, PartialEq)]
pub struct Constant {
    /// Without the prefix of its group: `INVALID_ARGUMENT`.
    pub name: String,
    pub value: i64,
    pub comment: String,
}

impl Constant {
    /// The name as `InvalidArgument`; abbreviations stay large.
    pub fn camel(&self) -> String {
        let word = |word: &str| match word {
            "OK" => word.to_owned(),
            _ => word[..1].to_owned() + &word[1..].to_lowercase(),
        };
        self.name.split('_').map(word).collect()
    }

    /// The name as the library says it: `invalid_argument`.
    pub fn lower(&self) -> String {
        self.name.to_lowercase()
    }
}

/// All of them, in groups.
#[derive(Debug, Default)]
pub struct Constants {
    /// The version of the ABI.
    pub abi: i64,
    pub statuses: Vec<Constant>,
    pub kinds: Vec<Constant>,
    pub states: Vec<Constant>,
    pub levels: Vec<Constant>,
    pub topics: Vec<Constant>,
    pub json: Vec<Constant>,
}

impl Constants {
    pub fn of(header: &str) -> Result<Self, String> {
        let mut all = Self::default();
        let mut comment = Vec::new();
        for line in header.lines() {
            if line == "/**" {
                comment.clear();
            } else if let Some(text) = line.strip_prefix(" * ") {
                comment.push(text);
            } else if let Some(define) = line.strip_prefix("#define MCP_") {
                let Some((name, value)) = define.split_once(' ').filter(|(name, _)| {
                    !name.contains('(') && !matches!(*name, "API" | "MUST_USE" | "STORE_ANY")
                }) else {
                    continue;
                };
                let value = value.parse().map_err(|_| format!("mcp.h: MCP_{name} is no number: {value}"))?;
                let comment = comment.join(" ");
                let (group, name) = match name.split_once('_') {
                    _ if name == "ABI_VERSION" => {
                        all.abi = value;
                        continue;
                    }
                    // Of structs that only C and C++ fill in.
                    _ if matches!(name, "TRANSPORT_VERSION" | "STORE_VERSION") => continue,
                    // For `#if`, and for mcp_features(), which the bindings do not pass on.
                    Some(("VERSION" | "FEATURE" | "CODE", _)) => continue,
                    Some(("KIND", rest)) => (&mut all.kinds, rest),
                    _ if name.starts_with("CLIENT_STATE_") => {
                        (&mut all.states, &name["CLIENT_STATE_".len()..])
                    }
                    Some(("ERROR", rest)) => (&mut all.statuses, rest),
                    Some(("LOG", rest)) => (&mut all.levels, rest),
                    Some(("TOPIC", rest)) => (&mut all.topics, rest),
                    Some(("JSON", rest)) => (&mut all.json, rest),
                    _ => (&mut all.statuses, name),
                };
                group.push(Constant { name: name.to_owned(), value, comment });
            }
        }
        for (what, group) in [("status", &all.statuses), ("kind", &all.kinds), ("state", &all.states)] {
            if group.is_empty() {
                return Err(format!("mcp.h defines no {what}; is its layout another?"));
            }
        }
        // Constants of a group that is not known here would count as statuses, whose numbers are taken.
        for (place, constant) in all.statuses.iter().enumerate() {
            if all.statuses[..place].iter().any(|other| other.value == constant.value) {
                let name = &constant.name;
                return Err(format!("mcp.h: MCP_{name} is no status; add its group to constants.rs"));
            }
        }
        Ok(all)
    }
}
