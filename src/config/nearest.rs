//! The known name that a mistyped one most likely means.

/// The nearest of `known` to `name`, if it is so near that it may well be meant: what differs by a letter or two, by
/// underscores and capitals, or by the unit `_ms` alone.
pub(crate) fn nearest<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let plain = simplified(name);
    let most = match plain.len() {
        0 | 1 => 0,
        2..=5 => 1,
        _ => 2,
    };
    let distance_to = |candidate: &str| {
        let without_unit = candidate.strip_suffix("_ms").unwrap_or(candidate);
        distance(&plain, &simplified(candidate)).min(distance(&plain, &simplified(without_unit)))
    };
    let found = known.into_iter().map(|candidate| (distance_to(candidate), candidate));
    found
        .min_by_key(|(distance, _)| *distance)
        .filter(|(distance, _)| *distance <= most)
        .map(|(_, name)| name)
}

/// Without what people write in different ways: `callMs` is `call_ms`.
fn simplified(name: &str) -> Vec<char> {
    name.chars().filter(|letter| !matches!(letter, '_' | '-' | ' ')).flat_map(char::to_lowercase).collect()
}

/// How many letters must be put in, left out or changed, or swapped with their neighbours.
fn distance(a: &[char], b: &[char]) -> usize {
    let mut before: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=b.len()).collect();
    for (i, from) in a.iter().enumerate() {
        let mut row = vec![i + 1];
        for (j, to) in b.iter().enumerate() {
            let substituted = last[j] + usize::from(from != to);
            let mut least = substituted.min(last[j + 1] + 1).min(row[j] + 1);
            if i > 0 && j > 0 && *from == b[j - 1] && a[i - 1] == *to {
                least = least.min(before[j - 1] + 1);
            }
            row.push(least);
        }
        before = std::mem::replace(&mut last, row);
    }
    last[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    const KNOWN: [&str; 8] = ["command", "args", "env", "cwd", "stderr", "timeouts", "call_ms", "url"];

    #[test]
    fn a_slip_finds_its_word() {
        for (slip, meant) in [
            ("comand", "command"),
            ("commnad", "command"),
            ("timeout", "timeouts"),
            ("time_outs", "timeouts"),
            ("ARGS", "args"),
            ("arg", "args"),
            ("callMs", "call_ms"),
            ("call", "call_ms"),
            ("ur", "url"),
            ("evn", "env"),
        ] {
            assert_eq!(nearest(slip, KNOWN), Some(meant), "{slip}");
        }
    }

    #[test]
    fn a_word_of_its_own_finds_none() {
        for word in ["headers", "disabled", "envFile", "x", "", "trust", "httpUrl", "e", "description"] {
            assert_eq!(nearest(word, KNOWN), None, "{word}");
        }
        assert_eq!(nearest("command", []), None);
    }
}
