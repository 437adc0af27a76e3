//! The functions of the C API against `docs/reference/functions.md`: a row of its tables says what each is for, and its name keeps to the
//! rules of `docs/design/c-api.md`.

use std::collections::BTreeSet;

use crate::checkout::{Checkout, read};

/// The page with the rows.
const PAGE: &str = "docs/reference/functions.md";

/// Types that a name may begin with, and the first parameter that such a function then has.
const OBJECTS: [(&str, &str); 6] = [
    ("mcp_client_", "mcp_client_t *"),
    ("mcp_queue_", "mcp_queue_t *"),
    ("mcp_message_", "mcp_message_t *"),
    ("mcp_transport_", "mcp_transport_t *"),
    ("mcp_request_", "mcp_message_t *"),
    ("mcp_server_", "mcp_server_t *"),
];

/// Every exported function has a row in the tables, and every function of a row is exported.
pub fn have_a_reason(checkout: &Checkout) -> Result<(), String> {
    compare(&read(&checkout.root.join(PAGE))?, &read(&checkout.exports())?)
}

fn compare(page: &str, exports: &str) -> Result<(), String> {
    let mut wrong = Vec::new();
    let mut told = BTreeSet::new();
    for row in page.lines().filter(|line| line.starts_with('|')) {
        let (what, rest) = row.trim_matches('|').split_once('|').unwrap_or((row, ""));
        // What stands before its parentheses.
        let names = rest.split("()").filter_map(|before| before.rsplit([' ', '`']).next());
        let names: Vec<&str> = names.filter(|name| name.starts_with("mcp_")).collect();
        if what.trim().is_empty() && !names.is_empty() {
            wrong.push(format!("{PAGE} does not say what {} is for", names.join(", ")));
        }
        told.extend(names);
    }
    let exports: BTreeSet<&str> = exports.split_whitespace().collect();
    wrong.extend(exports.difference(&told).map(|name| format!("{name} has no row in {PAGE}")));
    wrong.extend(told.difference(&exports).map(|name| format!("{name} is in {PAGE} and not exported")));
    if wrong.is_empty() { Ok(()) } else { Err(wrong.join("\n")) }
}

/// The page with the functions that went.
const GONE: &str = "docs/history/functions.md";

/// Every function that the page of functions that went names first is not exported, and each one to use instead is.
pub fn have_a_successor(checkout: &Checkout) -> Result<(), String> {
    succeeded(&read(&checkout.root.join(GONE))?, &read(&checkout.exports())?)
}

fn succeeded(page: &str, exports: &str) -> Result<(), String> {
    let exports: BTreeSet<&str> = exports.split_whitespace().collect();
    let rows = page.lines().filter_map(|line| line.strip_prefix("| mcp_"));
    let mut wrong = Vec::new();
    for row in rows {
        let mut names = row
            .split("()")
            .filter_map(|before| before.rsplit([' ', '`']).next())
            .map(|it| it.trim_start_matches("mcp_"));
        let gone = names.next().unwrap_or_default();
        let instead: Vec<&str> =
            names.filter(|name| exports.contains(format!("mcp_{name}").as_str())).collect();
        if exports.contains(format!("mcp_{gone}").as_str()) {
            wrong.push(format!("{GONE} says that mcp_{gone} went, and it is exported"));
        }
        if instead.is_empty() {
            wrong.push(format!("{GONE} names no function that is exported instead of mcp_{gone}"));
        }
    }
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

    const ROWS: &str = "# A\n\nmcp_c()\n\n| what | C | C++ |\n|---|---|---|\n| do a | mcp_a() | `a` |\n\
        | do b | mcp_b() | |\n";

    #[test]
    fn a_function_without_a_row_is_found_and_so_is_a_row_without_a_function() {
        assert_eq!(compare(ROWS, "mcp_a\nmcp_b\n"), Ok(()));
        let missing = compare(ROWS, "mcp_a\nmcp_b\nmcp_c\n");
        assert_eq!(missing, Err("mcp_c has no row in docs/reference/functions.md".to_owned()));
        let gone = compare(ROWS, "mcp_a\n");
        assert_eq!(gone, Err("mcp_b is in docs/reference/functions.md and not exported".to_owned()));
    }

    #[test]
    fn a_function_that_went_has_another_one_in_its_place() {
        let page = "| gone | instead |\n|---|---|\n| mcp_c() | mcp_a() with `x` |\n";
        assert_eq!(succeeded(page, "mcp_a\nmcp_b\n"), Ok(()));
        assert!(
            succeeded(page, "mcp_a\nmcp_c\n")
                .is_err_and(|why| why.contains("mcp_c went, and it is exported"))
        );
        assert!(succeeded(page, "mcp_b\n").is_err_and(|why| why.contains("instead of mcp_c")));
    }

    #[test]
    fn a_row_that_says_nothing_is_found() {
        let told = compare(&ROWS.replace("do b", ""), "mcp_a\nmcp_b\n");
        assert_eq!(told, Err("docs/reference/functions.md does not say what mcp_b is for".to_owned()));
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
