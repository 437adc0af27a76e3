//! Identifiers from names of servers: the same in every run, valid in every language, and no two alike.
//!
//! A name becomes words of `a` to `z` and digits; each language joins them in its style. What is not ASCII becomes the number of
//! the character, so that names in other scripts stay apart.

use std::collections::{HashMap, HashSet};

/// How many characters an identifier has at most, without what makes it unique.
const MOST: usize = 60;

/// The words of a name; never empty, and the first begins with a letter.
pub fn words(name: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut word = String::new();
    let mut length = 0;
    let mut before = ' ';
    for c in name.chars() {
        if length >= MOST {
            break;
        }
        let starts = c.is_ascii_uppercase() && (before.is_ascii_lowercase() || before.is_ascii_digit());
        if (starts || !(c.is_ascii_alphanumeric() || (!c.is_ascii() && c.is_alphanumeric())))
            && !word.is_empty()
        {
            words.push(std::mem::take(&mut word));
        }
        if c.is_ascii_alphanumeric() {
            word.push(c.to_ascii_lowercase());
            length += 1;
        } else if !c.is_ascii() && c.is_alphanumeric() {
            let number = format!("u{:x}", u32::from(c));
            length += number.len();
            word.push_str(&number);
        }
        before = c;
    }
    if !word.is_empty() {
        words.push(word);
    }
    match words.first_mut() {
        None => words.push("x".to_owned()),
        Some(first) if first.starts_with(|c: char| c.is_ascii_digit()) => first.insert(0, 'n'),
        Some(_) => {}
    }
    words
}

/// Gives names that differ in more than their case and their separators.
#[derive(Clone, Debug, Default)]
pub struct Names {
    taken: HashSet<String>,
    /// The next number behind each name, so that many equal names take no quadratic time.
    next: HashMap<String, u64>,
}

impl Names {
    pub fn with(taken: &[&str]) -> Names {
        Names { taken: taken.iter().map(|name| (*name).to_owned()).collect(), next: HashMap::new() }
    }

    /// These words, with a number behind them if they are taken.
    pub fn unique(&mut self, words: Vec<String>) -> Vec<String> {
        self.unique_with(words, &[""])
    }

    /// The same for words that stand with each of these ends, too; one that begins with `^` stands before them.
    pub fn unique_with(&mut self, mut words: Vec<String>, ends: &[&str]) -> Vec<String> {
        let base = words.concat();
        if self.take(&base, ends) {
            return words;
        }
        // A name that ends in a digit gets a letter between, so that `a1` and `a` with 1 stay apart.
        let joint = if base.ends_with(|c: char| c.is_ascii_digit()) { "v" } else { "" };
        for number in self.next.get(&base).copied().unwrap_or(2).. {
            let end = format!("{joint}{number}");
            if self.take(&format!("{base}{end}"), ends) {
                if let Some(last) = words.last_mut() {
                    last.push_str(&end);
                }
                self.next.insert(base, number + 1);
                break;
            }
        }
        words
    }

    fn take(&mut self, base: &str, ends: &[&str]) -> bool {
        let all: Vec<String> = ends
            .iter()
            .map(|end| {
                end.strip_prefix('^').map_or_else(|| format!("{base}{end}"), |start| format!("{start}{base}"))
            })
            .collect();
        let is_free = all.iter().all(|name| !self.taken.contains(name));
        if is_free {
            self.taken.extend(all);
        }
        is_free
    }
}

pub fn snake(words: &[String]) -> String {
    words.join("_")
}

pub fn pascal(words: &[String]) -> String {
    words.iter().map(|word| capital(word)).collect()
}

pub fn camel(words: &[String]) -> String {
    let mut text = String::new();
    for (place, word) in words.iter().enumerate() {
        text.push_str(&if place == 0 { word.clone() } else { capital(word) });
    }
    text
}

pub fn upper(words: &[String]) -> String {
    words.join("_").to_ascii_uppercase()
}

fn capital(word: &str) -> String {
    let mut characters = word.chars();
    characters
        .next()
        .map_or_else(String::new, |first| first.to_ascii_uppercase().to_string() + characters.as_str())
}

/// The identifier, with `_` behind it where the language has another use for it.
pub fn free(identifier: String, reserved: &[&str]) -> String {
    if reserved.contains(&identifier.as_str()) { identifier + "_" } else { identifier }
}

/// Names of files that Windows has another use for.
const DEVICES: [&str; 22] = [
    "con", "prn", "aux", "nul", "com1", "com2", "com3", "com4", "com5", "com6", "com7", "com8", "com9",
    "lpt1", "lpt2", "lpt3", "lpt4", "lpt5", "lpt6", "lpt7", "lpt8", "lpt9",
];

/// The name of a file or folder without its extension.
pub fn stem(words: &[String]) -> String {
    free(snake(words), &DEVICES)
}

#[cfg(test)]
mod tests {
    use super::super::reserved::C_AND_CPP;
    use super::*;

    #[test]
    fn names_become_words_that_are_valid_everywhere() {
        let joined = |name: &str| snake(&words(name));
        assert_eq!(joined("createIssue"), "create_issue");
        assert_eq!(joined("uids[]"), "uids");
        assert_eq!(joined("3d-view"), "n3d_view");
        assert_eq!(joined("größe"), "gru00f6u00dfe".replace("00", ""));
        assert_eq!(joined("../../etc/passwd"), "etc_passwd");
        assert_eq!(joined(""), "x");
        assert_eq!(joined("*/ \" \n"), "x");
        assert_eq!(joined("HTTPServer2Go"), "httpserver2_go");
        assert!(joined(&"a".repeat(10_000)).len() <= 70);
    }

    #[test]
    fn no_two_names_are_alike_in_any_style() {
        let mut names = Names::default();
        let made: Vec<String> = ["a-b", "a_b", "AB", "ab2", "ab", "ab22"]
            .iter()
            .map(|name| pascal(&names.unique(words(name))).to_lowercase())
            .collect();
        let distinct: HashSet<&String> = made.iter().collect();
        assert_eq!(distinct.len(), made.len(), "{made:?}");
    }

    #[test]
    fn reserved_words_and_devices_are_avoided() {
        assert_eq!(free("class".to_owned(), C_AND_CPP), "class_");
        assert_eq!(stem(&words("CON")), "con_");
        assert_eq!(camel(&words("get_user-name")), "getUserName");
        assert_eq!(upper(&words("get_user")), "GET_USER");
    }
}
