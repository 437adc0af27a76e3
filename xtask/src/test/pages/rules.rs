//! What a page names, and whether it is there. The files come as texts, so a test can show a page that lies.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

/// The files and folders by their path, with the names of the functions in them.
#[derive(Default)]
pub struct Tree {
    functions: BTreeMap<String, BTreeSet<String>>,
    /// Texts of the sources that could be taken for names of tests: keys of configurations and the like.
    texts: BTreeSet<String>,
}

impl Tree {
    /// A file, with its text if it is a source, or a folder.
    pub fn add(&mut self, path: &str, text: &str) {
        let words = text.split(|c: char| c.is_whitespace() || c == '(' || c == '<');
        let mut functions = BTreeSet::new();
        let (mut is_name, is_of_c) = (false, path.starts_with("tests/c/"));
        for word in words {
            if is_name {
                functions.insert(word.to_owned());
            }
            // A program in C may have several tests, each a function.
            is_name = ["fn", "func", "def"].contains(&word) || is_of_c && word == "void";
        }
        self.texts.extend(text.split('"').filter(|text| is_sentence(text)).map(str::to_owned));
        self.functions.insert(path.to_owned(), functions);
    }

    /// The tests and files that a page names and that are not there.
    ///
    /// A page names a file by its path from the root, a test in one as `src/file.rs::test`, and a C or C++ program, or a
    /// test wherever it is, by its name alone if it is a sentence, as it is written in its language. `p07_…` is short for one that
    /// begins so.
    pub fn missing(&self, page: &str) -> Vec<String> {
        code(page)
            .into_iter()
            .filter(|name| !self.has(name))
            .map(|name| format!("{name} is missing"))
            .collect()
    }

    fn has(&self, name: &str) -> bool {
        if let Some((path, test)) = name.split_once("::") {
            return !is_path(path) || self.functions.get(path).is_some_and(|known| known.contains(test));
        }
        if is_path(name) {
            return self.functions.contains_key(name.trim_end_matches('/'));
        }
        match name.strip_suffix('…') {
            Some(beginning) => self.tests().any(|test| test.starts_with(beginning)),
            None if is_sentence(name) => self.texts.contains(name) || self.tests().any(|test| test == name),
            None => !is_camel(name) || self.tests().any(|test| test == name),
        }
    }

    fn tests(&self) -> impl Iterator<Item = &str> {
        let programs = self.functions.keys().filter_map(|path| {
            let name = path.strip_prefix("tests/c/").or_else(|| path.strip_prefix("tests/cpp/"))?;
            name.strip_suffix(".c").or_else(|| name.strip_suffix(".cpp"))
        });
        programs.chain(self.functions.values().flatten().map(String::as_str))
    }
}

/// A path of this tree, unless it has a NAME to be filled in or stands for many.
fn is_path(name: &str) -> bool {
    let first = name.split('/').next().unwrap_or_default();
    super::FOLDERS.contains(&first)
        && first != name
        && !["NAME", "TARGET", "*"].iter().any(|open| name.contains(open))
}

/// What the functions of C libraries begin with that pages name: ours, and those that ours are compared with.
const OF_C: [&str; 2] = ["mcp_", "sqlite3_"];

/// What functions and constants of the C API begin with, as far as nothing else does.
const OF_THE_API: [&str; 23] = [
    "mcp_client_",
    "mcp_server_",
    "mcp_queue_",
    "mcp_message_",
    "mcp_request_",
    "mcp_value_",
    "mcp_builder_",
    "mcp_document_",
    "mcp_json_",
    "mcp_exchange_",
    "mcp_transport_",
    "mcp_config_",
    "mcp_call_",
    "mcp_log_",
    "MCP_ERROR_",
    "MCP_KIND_",
    "MCP_TOPIC_",
    "MCP_JSON_",
    "MCP_CLIENT_STATE_",
    "MCP_LOG_",
    "MCP_FEATURE_",
    "MCP_VERSION_",
    "MCP_CODE_",
];

/// The names of the C API in a page that the header has not. `symbols` has one at the beginning of each line.
pub fn unknown_symbols(page: &str, symbols: &str) -> Vec<String> {
    let known: BTreeSet<&str> = symbols.lines().filter_map(|line| line.split(' ').next()).collect();
    let words = page.split(|sign: char| sign != '_' && !sign.is_ascii_alphanumeric());
    let of_the_api =
        words.filter(|word| OF_THE_API.iter().any(|begin| word.starts_with(begin) && word != begin));
    // `mcp_builder_begin_` stands for several.
    let missing: BTreeSet<&str> =
        of_the_api.filter(|word| !known.contains(word) && !word.ends_with('_')).collect();
    missing.into_iter().map(|name| format!("{name} is not in include/mcp.h")).collect()
}

/// What keys of configurations there are: those of the table that `cargo xtask config` writes.
pub fn keys(table: &str) -> Result<BTreeSet<String>, String> {
    let table: Value =
        serde_json::from_str(table).map_err(|error| format!("the table of keys is no JSON: {error}"))?;
    let rows =
        table.as_object().into_iter().flat_map(|kinds| kinds.values()).filter_map(Value::as_array).flatten();
    Ok(rows.filter_map(|row| row["key"].as_str()).map(str::to_owned).collect())
}

/// The keys of sections of configurations in a page that no configuration has, such as `limits.frames`. Events of log records look as keys do.
pub fn unknown_keys(page: &str, keys: &BTreeSet<String>) -> Vec<String> {
    let sections: BTreeSet<&str> = keys.iter().filter_map(|key| Some(key.split_once('.')?.0)).collect();
    let is_word = |word: &str| !word.is_empty() && word.bytes().all(|b| b.is_ascii_lowercase() || b == b'_');
    let is_file = |name: &str| {
        ["rs", "py", "c", "go", "toml", "json"].iter().any(|end| name.ends_with(&format!(".{end}")))
    };
    let is_known = |name: &str| {
        let inner = format!("{name}.");
        keys.contains(name) || keys.iter().any(|key| key.starts_with(&inner))
    };
    let mut wrong: BTreeSet<&str> = code(page)
        .into_iter()
        .filter(|name| name.split_once('.').is_some_and(|(section, _)| sections.contains(section)))
        .filter(|name| name.split('.').all(is_word) && !is_file(name) && !is_known(name))
        .collect();
    let events = page.split_once("## Events for the logger").map_or("", |(_, events)| events);
    wrong.retain(|name| !events.contains(&format!("`{name}`")));
    wrong.into_iter().map(|name| format!("no configuration has the key {name}")).collect()
}

/// The options of the program `mcp` in the commands of a page that it does not have; `known` is the page of the program. A page may have
/// a table of further ones.
pub fn unknown_options(page: &str, known: &str) -> Vec<String> {
    let options = |text: &str| -> BTreeSet<String> {
        let words = text.split(|sign: char| sign != '-' && !sign.is_ascii_alphanumeric());
        let long = words.filter(|word| {
            word.strip_prefix("--").is_some_and(|it| it.starts_with(|c: char| c.is_ascii_lowercase()))
        });
        long.map(str::to_owned).collect()
    };
    // A page on one command may have a table of its options.
    let rows: Vec<&str> = page.lines().filter(|line| line.starts_with("| `-")).collect();
    let known = &options(known) | &options(&rows.join("\n"));
    let spans = page.lines().flat_map(|line| line.split('`'));
    // What follows ` -- ` is for the server.
    let commands = spans.flat_map(|span| span.split([';', '|', '#'])).filter_map(|command| {
        let command = command.trim_start_matches([' ', '$']).strip_prefix("mcp ")?;
        command
            .starts_with(|c: char| c.is_ascii_lowercase())
            .then(|| command.split(" -- ").next().unwrap_or_default())
    });
    let used: BTreeSet<String> = commands.flat_map(options).collect();
    used.difference(&known).map(|option| format!("the program mcp has no option {option}")).collect()
}

/// Four words or more, as tests are called and options are not. Functions of the library begin with its name.
fn is_sentence(name: &str) -> bool {
    let is_word = |word: &str| word.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit());
    name.split('_').count() >= 4
        && name.split('_').all(is_word)
        && !OF_C.iter().any(|prefix| name.starts_with(prefix))
}

/// As tests are called in Go and in Swift.
fn is_camel(name: &str) -> bool {
    let rest = name.strip_prefix("Test").or_else(|| name.strip_prefix("test"));
    rest.is_some_and(|rest| {
        rest.starts_with(|c: char| c.is_ascii_uppercase()) && rest.chars().all(|c| c.is_ascii_alphanumeric())
    })
}

/// What stands between backticks, outside of blocks.
fn code(page: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut in_block = false;
    for line in page.lines() {
        if line.starts_with("```") {
            in_block = !in_block;
        } else if !in_block {
            found.extend(line.split('`').skip(1).step_by(2));
        }
    }
    found
}

/// The demands of a page of tables that have an empty last cell, and the numbers that are left out. A section may begin a
/// new group at the next ten.
pub fn unanswered(page: &str) -> Vec<String> {
    let mut findings = Vec::new();
    let mut last: BTreeMap<&str, usize> = BTreeMap::new();
    for line in page.lines().filter(|line| line.starts_with('|')) {
        let cells: Vec<&str> = line.trim().trim_matches('|').split(" | ").map(str::trim).collect();
        let Some((section, number)) = cells.first().and_then(|id| id.rsplit_once('-')) else { continue };
        let Ok(number) = number.parse::<usize>() else { continue };
        let before = last.insert(section, number).unwrap_or(0);
        let begins_a_group = number > before && number % 10 == 0;
        if number != before + 1 && !begins_a_group {
            findings.push(format!("{section}-{number:02} comes after {section}-{before:02}"));
        }
        if cells.len() < 2 || cells.last().is_none_or(|answer| answer.is_empty()) {
            findings.push(format!("{section}-{number:02} has neither a test nor a reason"));
        }
    }
    if last.is_empty() {
        findings.push("there is no demand at all".to_owned());
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::{Tree, keys, unanswered, unknown_keys, unknown_options, unknown_symbols};

    fn tree() -> Tree {
        let mut tree = Tree::default();
        tree.add("src/json", "");
        tree.add("src/json/mod.rs", "#[test]\nfn text_is_text() {}\n    fn a_short_name_here<T>(x: T) {}");
        tree.add("tests/c/p07_a_frame_is_refused.c", "static void a_frame_is_taken_whole(char **argv) {");
        tree.add("tests/cpp/it_works_in_cpp.cpp", "");
        tree.add("bindings/go/a_test.go", "func TestItWorks(t *testing.T) {}\n");
        tree.add("bindings/python/tests/a.py", "    def test_that_it_works(self):\n");
        tree.add("src/keys.rs", "const KEY: &str = \"a_key_of_four\";");
        tree
    }

    #[test]
    fn what_is_there_may_be_named_in_every_way() {
        let page = "`src/json`, `src/json/`, `src/json/mod.rs::text_is_text`, `a_short_name_here`, \
                    `p07_a_frame_is_refused`, `a_frame_is_taken_whole`, `p07_…`, `it_works_in_cpp`, `tests/c/p07_a_frame_is_refused.c`, \
                    `TestItWorks`, `test_that_it_works`, `a_key_of_four`, `Testing`";
        assert_eq!(tree().missing(page), Vec::<String>::new());
    }

    #[test]
    fn what_is_not_there_is_told_by_its_name() {
        for name in [
            "src/xml",
            "src/json/mod.rs::text_is_no_text",
            "src/xml/mod.rs::text_is_text",
            "a_name_that_nobody_has",
            "p08_…",
            "tests/c/nothing.c",
            "TestItFails",
            "testItWorks",
        ] {
            assert_eq!(tree().missing(&format!("see `{name}`.")), [format!("{name} is missing")]);
        }
    }

    #[test]
    fn options_methods_functions_and_blocks_are_no_tests() {
        let page = "`timeout_ms`, `limits.frame_bytes`, `tools/list`, `mcp_queue_on_ready_now`, `tests/c/NAME.c`, `src/**`, \
                    `stderr_line_bytes`, `server/discover`, `Option::map`\n```c\n`a_name_that_nobody_has`\n```\n";
        assert_eq!(tree().missing(page), Vec::<String>::new());
    }

    #[test]
    fn a_name_of_the_api_that_is_not_there_is_told() {
        let symbols = "mcp_queue_new function 0.1\nMCP_ERROR_CLOSED number 0.1 -12\n";
        let page = "`mcp_queue_new()`, mcp_queue_*, MCP_ERROR_CLOSED, mcp_static, mcp_queue_, `mcp_queue_make`\nMCP_ERROR_OVER";
        let wrong = ["MCP_ERROR_OVER is not in include/mcp.h", "mcp_queue_make is not in include/mcp.h"];
        assert_eq!(unknown_symbols(page, symbols), wrong);
    }

    #[test]
    fn a_key_that_no_configuration_has_is_told() {
        let keys =
            keys(r#"{"client":[{"key":"limits.pages"},{"key":"auth.a.b"},{"key":"url"}]}"#).expect("a table");
        let page = "`limits.pages`, `auth.a`, `limits.rs`, `details.sent`, `limits.frames` and limits.x\n```\n`limits.y`\n```\n";
        assert_eq!(unknown_keys(page, &keys), ["no configuration has the key limits.frames"]);
        let events = "`auth.failed`\n\n## Events for the logger\n\n| `auth.failed` |\n";
        assert!(unknown_keys(events, &keys).is_empty() && !unknown_keys("`auth.failed`", &keys).is_empty());
    }

    #[test]
    fn an_option_that_the_program_does_not_have_is_told() {
        let known = "| `--into FILE` | and `--json` |";
        let page = "```sh\nmcp call a --json | jq --raw; mcp list --into x -- server --verbose\n$ mcp diff --jsn\n```\n`mcp tools --al`";
        assert_eq!(
            unknown_options(page, known),
            ["the program mcp has no option --al", "the program mcp has no option --jsn"]
        );
    }

    #[test]
    fn a_demand_without_an_answer_and_one_that_is_left_out_are_told() {
        let page = "| id | asks | test |\n|---|---|---|\n| A-01 | x | `t` |\n| A-02 | y | |\n| A-04 | z | not yet |\n| A-20 | z | no |\n";
        assert_eq!(unanswered(page), ["A-02 has neither a test nor a reason", "A-04 comes after A-02"]);
        assert_eq!(unanswered("| A-01 | x | `t` |\n| B-01 | y | later |\n"), Vec::<String>::new());
        assert_eq!(
            unanswered("| S-JR-01 | x | `t` |\n| S-JR-03 | x | |\n| S-LC-01 | y | later |\n"),
            ["S-JR-03 comes after S-JR-01", "S-JR-03 has neither a test nor a reason"]
        );
        assert_eq!(unanswered("nothing"), ["there is no demand at all"]);
    }
}
