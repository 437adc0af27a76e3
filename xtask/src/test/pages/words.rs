//! The words that the style in CONTRIBUTING.md forbids, found in pages, headers and sources.
//!
//! Vale would do the same, but its package on `PyPI` fetches the program from GitHub when it starts: a machine that reaches package
//! registries alone could not test.

/// A word or phrase that hides who does what, and what to write instead.
pub const FORBIDDEN: [(&str, &str); 12] = [
    ("whoever", "the thread that, the program that"),
    ("nobody", "no thread, no program, no person"),
    ("somebody", "another thread, a program, a person"),
    ("anew", "again"),
    ("afresh", "again"),
    ("news", "notifications, messages"),
    ("is none", "is invalid, is missing"),
    ("are none", "are invalid, are missing"),
    ("lets go", "releases"),
    ("let go", "release"),
    ("letting go", "releasing"),
    ("at heart", "in fact"),
];

/// Where a forbidden phrase stands: its line, from 1, and its row in [`FORBIDDEN`].
pub type Finding = (usize, &'static (&'static str, &'static str));

/// The forbidden phrases of a page or a header. In a page (Markdown), code does not count: it has names and quotes.
pub fn found(text: &str, is_page: bool) -> Vec<Finding> {
    let words = words(text, is_page);
    let mut findings = Vec::new();
    for (at, (line, _)) in words.iter().enumerate() {
        for row in &FORBIDDEN {
            let mut rest = words[at..].iter().map(|(_, word)| word.as_deref());
            // "There is none" is plain; "a handle that is none" is not.
            let is_plain =
                row.0.ends_with(" none") && at > 0 && matches!(words[at - 1].1.as_deref(), Some("there"));
            if !is_plain && row.0.split(' ').all(|part| rest.next().flatten() == Some(part)) {
                findings.push((*line, row));
            }
        }
    }
    findings
}

/// The words of a text in small letters, each with its line; `None` stands for punctuation, which ends a phrase.
fn words(text: &str, is_page: bool) -> Vec<(usize, Option<String>)> {
    let mut words = Vec::new();
    let mut is_block = false;
    for (line, text) in (1..).zip(text.lines()) {
        if is_page && text.trim_start().starts_with("```") {
            is_block = !is_block;
            continue;
        }
        if is_block {
            continue;
        }
        let parts = text.split('`').enumerate().filter(|(at, _)| !is_page || at % 2 == 0);
        for (at, part) in parts {
            if at > 0 {
                words.push((line, None));
            }
            let mut word = String::new();
            for c in part.chars().chain([' ']) {
                if c.is_alphabetic() || c == '_' {
                    word.push(c);
                    continue;
                }
                if !word.is_empty() {
                    // `None` is a value of Rust and Python: `x is None` is code.
                    let plain = if word == "None" { None } else { Some(word.to_lowercase()) };
                    words.push((line, plain));
                    word.clear();
                }
                // A comment's mark at the start of a line does not interrupt a phrase.
                if !(c.is_whitespace() || c == '*' || c == '/') {
                    words.push((line, None));
                }
            }
        }
    }
    words
}

#[cfg(test)]
mod tests {
    use super::found;

    fn phrases(text: &str, is_page: bool) -> Vec<(usize, &'static str)> {
        found(text, is_page).into_iter().map(|(line, row)| (line, row.0)).collect()
    }

    #[test]
    fn a_forbidden_word_is_found_with_its_line() {
        assert_eq!(phrases("One.\nWhoever waits,\nreads anew.\n", true), [(2, "whoever"), (3, "anew")]);
    }

    #[test]
    fn a_phrase_is_found_across_the_lines_of_a_comment() {
        assert_eq!(phrases(" * for a handle that is\n * none.\n", false), [(1, "is none")]);
        assert_eq!(phrases("/// a handle that is\n/// none\n", false), [(1, "is none")]);
    }

    #[test]
    fn parts_of_words_and_of_sentences_are_allowed() {
        assert_eq!(
            phrases("The newsletter is. None came: is `x` none? There is none. renews_anew\n", true),
            []
        );
    }

    #[test]
    fn a_value_of_a_language_is_not_prose() {
        assert_eq!(phrases("elif answer is None:\n# it is none\n", false), [(2, "is none")]);
    }

    #[test]
    fn code_of_a_page_is_not_prose() {
        assert_eq!(phrases("the event `tools.listed_anew`, not `whoever`\n```c\nnews = 1;\n```\n", true), []);
        assert_eq!(phrases("`whoever`\n", false), [(1, "whoever")]);
    }
}
