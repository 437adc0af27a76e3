//! Reads the named numbers out of the header.

/// One `#define` with the comment above it.
#[derive(Debug, PartialEq, Eq)]
pub struct Number {
    /// Without its prefix, as the library says it: `invalid_argument`.
    pub name: String,
    pub value: i32,
    pub says: String,
}

/// The tables of the header.
#[derive(Default)]
pub struct Numbers {
    pub statuses: Vec<Number>,
    pub kinds: Vec<Number>,
    pub states: Vec<Number>,
    pub levels: Vec<Number>,
    pub abi: i32,
}

impl Numbers {
    pub fn of(header: &str) -> Result<Self, String> {
        let mut numbers = Self::default();
        let mut comment: Vec<&str> = Vec::new();
        for line in header.lines() {
            let line = line.trim();
            if line == "/**" {
                comment.clear();
            } else if let Some(text) = line.strip_prefix("* ") {
                comment.push(text);
            } else if let Some((name, value)) =
                line.strip_prefix("#define MCP_").and_then(|define| define.split_once(' '))
            {
                numbers.take(name, value, &comment.join(" "))?;
            }
        }
        let tables = [&numbers.statuses, &numbers.kinds, &numbers.states, &numbers.levels];
        if numbers.abi == 0 || tables.iter().any(|table| table.is_empty()) {
            return Err("the header lacks statuses, kinds, states, log levels or its version".to_owned());
        }
        Ok(numbers)
    }

    fn take(&mut self, name: &str, value: &str, says: &str) -> Result<(), String> {
        let value: i32 =
            value.trim().parse().map_err(|_| format!("MCP_{name} is not a whole number but {value}"))?;
        if name == "ABI_VERSION" {
            self.abi = value;
            return Ok(());
        }
        let tables = [
            ("KIND_", &mut self.kinds),
            ("STATE_", &mut self.states),
            ("LOG_", &mut self.levels),
            ("", &mut self.statuses),
        ];
        for (prefix, table) in tables {
            if let Some(rest) = name.strip_prefix(prefix) {
                table.push(Number { name: rest.to_lowercase(), value, says: says.to_owned() });
                break;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::{Number, Numbers};

    const HEADER: &str = "\
#ifndef MCP_H\n#define MCP_H\n\
/**\n * The version.\n */\n#define MCP_ABI_VERSION 3\n\
/**\n * Success.\n */\n#define MCP_OK 0\n\
/**\n * An argument is wrong;\n * nothing was done.\n */\n#define MCP_INVALID_ARGUMENT -1\n\
/**\n * A reply.\n */\n#define MCP_KIND_REPLY 1\n\
/**\n * Ready.\n */\n#define MCP_STATE_READY 3\n\
/**\n * Odd.\n */\n#define MCP_LOG_WARN 2\n";

    #[test]
    fn every_number_goes_to_its_table_with_its_comment() -> Result<(), String> {
        let numbers = Numbers::of(HEADER)?;
        assert_eq!(numbers.abi, 3);
        let statuses: Vec<(&str, i32)> =
            numbers.statuses.iter().map(|it| (it.name.as_str(), it.value)).collect();
        assert_eq!(statuses, [("ok", 0), ("invalid_argument", -1)]);
        assert_eq!(numbers.statuses[1].says, "An argument is wrong; nothing was done.");
        let kind = Number { name: "reply".to_owned(), value: 1, says: "A reply.".to_owned() };
        assert_eq!(numbers.kinds, [kind]);
        assert_eq!((numbers.states.len(), numbers.levels.len()), (1, 1));
        Ok(())
    }

    #[test]
    fn a_header_without_a_table_or_with_a_number_that_is_none_is_refused() {
        assert!(Numbers::of("#define MCP_OK 0\n").is_err());
        assert!(Numbers::of(&HEADER.replace("MCP_OK 0", "MCP_OK zero")).is_err());
    }
}
