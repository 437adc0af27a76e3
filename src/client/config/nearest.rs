//! The known name that a mistyped one most likely means.

/// The nearest of `known` to `name`; `None` when nothing is known.
pub(super) fn nearest<'a>(name: &str, known: &'a [String]) -> Option<&'a str> {
    let lower = name.to_lowercase();
    known.iter().min_by_key(|candidate| distance(&lower, &candidate.to_lowercase())).map(String::as_str)
}

/// Levenshtein distance.
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, from) in a.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, to) in b.iter().enumerate() {
            let substituted = diagonal + usize::from(from != *to);
            diagonal = row[j + 1];
            row[j + 1] = substituted.min(row[j] + 1).min(row[j + 1] + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slip_finds_its_word() {
        let known: Vec<String> = ["command", "args", "timeouts"].iter().map(ToString::to_string).collect();
        assert_eq!(nearest("comand", &known), Some("command"));
        assert_eq!(nearest("timeout", &known), Some("timeouts"));
        assert_eq!(nearest("ARGS", &known), Some("args"));
        assert_eq!(nearest("x", &[]), None);
    }
}
