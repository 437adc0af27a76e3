//! The functions of the C API against `docs/design/c-api.md`: each has one row that says why it is there, and a name by the rules.

use std::collections::BTreeSet;

use crate::checkout::{Checkout, read};

/// The table's heading.
const HEADING: &str = "## Every function";

/// Types that a name may begin with, and the first parameter that such a function then has.
const OBJECTS: [(&str, &str); 6] = [
    ("mcp_client_", "mcp_client_t *"),
    ("mcp_queue_", "mcp_queue_t *"),
    ("mcp_message_", "mcp_message_t *"),
    ("mcp_transport_", "mcp_transport_t *"),
    ("mcp_request_", "mcp_message_t *"),
    ("mcp_server_", "mcp_server_t *"),
];

/// Every exported function has one row in the table, and every row is about exported functions; the reference says what it is for.
pub fn have_a_reason(checkout: &Checkout) -> Result<(), String> {
    let page = read(&checkout.root.join("docs/design/c-api.md"))?;
    let exports = read(&checkout.exports())?;
    compare(&page, &exports)?;
    let reference = read(&checkout.root.join("docs/reference/functions.md"))?;
    let missing: Vec<&str> =
        exports.split_whitespace().filter(|name| !reference.contains(&format!("{name}()"))).collect();
    if missing.is_empty() {
        Ok(())
    } else {
        Err(format!("docs/reference/functions.md leaves out {}", missing.join(", ")))
    }
}

fn compare(page: &str, exports: &str) -> Result<(), String> {
    let (_, table) =
        page.split_once(HEADING).ok_or_else(|| format!("docs/design/c-api.md has no '{HEADING}'"))?;
    let table = table.split("\n## ").next().unwrap_or_default();
    let mut wrong = Vec::new();
    let mut told = BTreeSet::new();
    for row in table.lines().filter(|line| line.starts_with("| `mcp_")) {
        let cells: Vec<&str> = row.trim_matches('|').split('|').map(str::trim).collect();
        let &[names, why, ..] = cells.as_slice() else {
            wrong.push(format!("a row of docs/design/c-api.md has not two cells: {row}"));
            continue;
        };
        if why.is_empty() {
            wrong.push(format!("docs/design/c-api.md does not say why {names} is there"));
        }
        for name in names.split(", ").map(|name| name.trim_matches('`')) {
            if !told.insert(name) {
                wrong.push(format!("docs/design/c-api.md has {name} twice"));
            }
        }
    }
    let exports: BTreeSet<&str> = exports.split_whitespace().collect();
    wrong.extend(exports.difference(&told).map(|name| format!("{name} has no row in docs/design/c-api.md")));
    wrong.extend(
        told.difference(&exports).map(|name| format!("{name} is in docs/design/c-api.md and not exported")),
    );
    if wrong.is_empty() { Ok(()) } else { Err(wrong.join("\n")) }
}

/// The first word of a name is the object that the function is about: its first parameter.
pub fn begin_with_their_object(checkout: &Checkout) -> Result<(), String> {
    named_by_rule(&read(&checkout.header())?, &read(&checkout.exports())?)
}

fn named_by_rule(header: &str, exports: &str) -> Result<(), String> {
    let mut wrong = Vec::new();
    for name in exports.split_whitespace() {
        let Some((_, object)) = OBJECTS.iter().find(|(prefix, _)| name.starts_with(prefix)) else { continue };
        let declaration = header.lines().find_map(|line| {
            let (before, parameters) = line.split_once(&format!("{name}("))?;
            (!line.starts_with([' ', '/', '#']) && !before.is_empty()).then_some(parameters)
        });
        let Some(first) = declaration.and_then(|parameters| parameters.split([',', ')']).next()) else {
            wrong.push(format!("{name} is exported and not declared in include/mcp.h"));
            continue;
        };
        // What makes an object has none yet, and the name of a number is for a number.
        let is_made = name.split('_').any(|word| word == "new") || name.ends_with("_name");
        if !is_made && !first.trim_start_matches("const ").starts_with(object) {
            wrong.push(format!("{name} begins with '{first}', and its name with another object"));
        }
    }
    if wrong.is_empty() { Ok(()) } else { Err(wrong.join("\n")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAGE: &str = "# A\n\n## Every function\n\n| function | why |\n|---|---|\n\
        | `mcp_a`, `mcp_a_start` | to do a |\n| `mcp_b` | to do b |\n\n## Next\n\n| `mcp_c` | x |\n";

    #[test]
    fn a_function_without_a_row_is_found_and_so_is_a_row_without_a_function() {
        assert_eq!(compare(PAGE, "mcp_a\nmcp_a_start\nmcp_b\n"), Ok(()));
        let missing = compare(PAGE, "mcp_a\nmcp_a_start\nmcp_b\nmcp_c\n");
        assert_eq!(missing, Err("mcp_c has no row in docs/design/c-api.md".to_owned()));
        let gone = compare(PAGE, "mcp_a\nmcp_a_start\n");
        assert_eq!(gone, Err("mcp_b is in docs/design/c-api.md and not exported".to_owned()));
    }

    #[test]
    fn a_row_that_comes_twice_or_says_nothing_is_found() {
        let twice = PAGE.replace("| `mcp_b` | to do b |", "| `mcp_a` |  |");
        let told = compare(&twice, "mcp_a\nmcp_a_start\n").expect_err("both");
        assert!(told.contains("mcp_a twice") && told.contains("does not say why"), "{told}");
    }

    #[test]
    fn a_name_that_begins_with_another_object_is_found() {
        let header = "int mcp_client_x(mcp_client_t *client,\n    int y);\nint mcp_queue_x(mcp_client_t *client);\n\
            const char *mcp_message_x(const mcp_message_t *message);\nint mcp_client_new(const char *config);\n";
        assert_eq!(named_by_rule(header, "mcp_client_x mcp_message_x mcp_client_new"), Ok(()));
        assert!(named_by_rule(header, "mcp_queue_x").is_err_and(|why| why.contains("mcp_queue_x")));
        assert!(named_by_rule(header, "mcp_client_gone").is_err_and(|why| why.contains("not declared")));
    }
}
