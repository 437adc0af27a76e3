//! What node's test runner says, in the Test Anything Protocol.

pub struct Results {
    pub tests: Vec<Test>,
    /// The runner came to its end, and ran something.
    pub is_whole: bool,
}

pub struct Test {
    pub name: String,
    pub passed: bool,
    pub is_skipped: bool,
    /// What it says about a failure.
    pub story: String,
}

/// The tests of the outermost level; those inside of one count with it.
pub fn results(text: &str) -> Results {
    let mut tests: Vec<Test> = Vec::new();
    let mut is_whole = false;
    for line in text.lines() {
        let passed = line.starts_with("ok ");
        if passed || line.starts_with("not ok ") {
            let name = line.split_once(" - ").map_or(line, |(_, name)| name);
            let (name, is_skipped) = match name.split_once(" # SKIP") {
                Some((name, _)) => (name, true),
                None => (name, false),
            };
            tests.push(Test { name: name.to_owned(), passed, is_skipped, story: String::new() });
        } else if line.starts_with("1..") {
            is_whole = !tests.is_empty();
        } else if let Some(failed) = tests.last_mut().filter(|test| !test.passed && line.starts_with(' ')) {
            failed.story.push_str(line);
            failed.story.push('\n');
        }
    }
    Results { tests, is_whole }
}

#[cfg(test)]
mod tests {
    use super::results;

    const TEXT: &str = "TAP version 13\n# Subtest: works\nok 1 - works\n  ---\n  duration_ms: 1\n  ...\n\
                        # Subtest: fails - badly\nnot ok 2 - fails - badly\n  ---\n  error: 'why'\n  ...\n\
                        ok 3 - later # SKIP not installed\n1..3\n# tests 3\n";

    #[test]
    fn each_test_has_its_name_and_its_end() {
        let results = results(TEXT);
        let ends: Vec<(&str, bool, bool)> =
            results.tests.iter().map(|it| (it.name.as_str(), it.passed, it.is_skipped)).collect();
        assert_eq!(ends, [("works", true, false), ("fails - badly", false, false), ("later", true, true)]);
        assert!(results.tests[1].story.contains("why"));
        assert!(results.tests[0].story.is_empty());
        assert!(results.is_whole);
    }

    #[test]
    fn a_run_that_broke_off_or_ran_nothing_is_not_whole() {
        assert!(!results("TAP version 13\nok 1 - works\n").is_whole);
        assert!(!results("TAP version 13\n1..0\n").is_whole);
    }
}
