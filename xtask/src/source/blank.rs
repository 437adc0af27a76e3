//! Blanking out what is not code. Lines keep their numbers, so that a finding can be shown where it stands.

/// The text with the insides of comments, strings and characters replaced by spaces. The quotes stay.
pub fn code_only(text: &str) -> String {
    let mut scan = Scan { chars: text.chars().collect(), at: 0, out: String::with_capacity(text.len()) };
    while let Some(next) = scan.peek(0) {
        match (next, scan.peek(1)) {
            ('/', Some('/')) => scan.blank_while(|next| next != '\n'),
            ('/', Some('*')) => scan.block_comment(),
            ('"', _) => scan.string(),
            ('\'', _) => scan.quote(),
            _ if is_word(next) => scan.word(),
            _ => scan.keep(),
        }
    }
    scan.out
}

/// The code with everything under a `#[cfg(test)]` blanked out. Takes what `code_only` gives.
pub fn without_tests(code: &str) -> String {
    let mut out = code.to_owned();
    let mut from = 0;
    while let Some(found) = out[from..].find("#[cfg(") {
        let start = from + found;
        let Some(end) = out[start..].find(']').map(|length| start + length + 1) else { break };
        from = end;
        let condition = &out[start..end];
        let is_test = condition.split(|c: char| !is_word(c)).any(|word| word == "test");
        if is_test && !condition.contains("not(test") {
            let stop = end + item_length(&out[end..]);
            let blanked: String =
                out[start..stop].chars().map(|c| if c == '\n' { '\n' } else { ' ' }).collect();
            out.replace_range(start..stop, &blanked);
            from = start + blanked.len();
        }
    }
    out
}

/// How far the thing that begins here reaches: an item to its closing brace or semicolon, a field or a match arm to
/// its comma or the end of what it stands in.
fn item_length(code: &str) -> usize {
    const ITEMS: [&str; 9] = ["fn", "impl", "struct", "enum", "trait", "mod", "use", "type", "const"];
    let mut depth = 0_usize;
    let mut is_item = false;
    let mut word = String::new();
    for (at, c) in code.char_indices() {
        if is_word(c) {
            word.push(c);
            continue;
        }
        is_item |= depth == 0 && ITEMS.contains(&word.as_str());
        word.clear();
        match c {
            '{' | '(' | '[' => depth += 1,
            '}' | ')' | ']' if depth == 0 => return at,
            '}' if depth == 1 => return at + 1,
            '}' | ')' | ']' => depth -= 1,
            ';' if depth == 0 => return at + 1,
            ',' if depth == 0 && !is_item => return at + 1,
            _ => {}
        }
    }
    code.len()
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

struct Scan {
    chars: Vec<char>,
    at: usize,
    out: String,
}

impl Scan {
    fn peek(&self, ahead: usize) -> Option<char> {
        self.chars.get(self.at + ahead).copied()
    }

    fn keep(&mut self) {
        if let Some(c) = self.peek(0) {
            self.out.push(c);
            self.at += 1;
        }
    }

    fn blank(&mut self) {
        if let Some(c) = self.peek(0) {
            self.out.push(if c == '\n' { '\n' } else { ' ' });
            self.at += 1;
        }
    }

    fn blank_while(&mut self, goes_on: impl Fn(char) -> bool) {
        while self.peek(0).is_some_and(&goes_on) {
            self.blank();
        }
    }

    fn block_comment(&mut self) {
        let mut depth = 0_usize;
        while self.peek(0).is_some() {
            let step = match (self.peek(0), self.peek(1)) {
                (Some('/'), Some('*')) => {
                    depth += 1;
                    2
                }
                (Some('*'), Some('/')) => {
                    depth -= 1;
                    2
                }
                _ => 1,
            };
            (0..step).for_each(|_| self.blank());
            if depth == 0 {
                return;
            }
        }
    }

    fn string(&mut self) {
        self.keep();
        while let Some(c) = self.peek(0) {
            match c {
                '"' => return self.keep(),
                '\\' => {
                    self.blank();
                    self.blank();
                }
                _ => self.blank(),
            }
        }
    }

    /// A character, or the tick of a lifetime or label.
    fn quote(&mut self) {
        let is_character = self.peek(1) == Some('\\') || self.peek(2) == Some('\'');
        self.keep();
        if !is_character {
            return;
        }
        if self.peek(0) == Some('\\') {
            self.blank();
        }
        self.blank();
        self.blank_while(|c| c != '\'');
        self.keep();
    }

    /// A name or number, which may turn out to be the prefix of a string.
    fn word(&mut self) {
        let start = self.at;
        while self.peek(0).is_some_and(is_word) {
            self.keep();
        }
        let word: String = self.chars[start..self.at].iter().collect();
        if !matches!(word.as_str(), "r" | "br" | "cr") {
            return;
        }
        let hashes = self.chars[self.at..].iter().take_while(|&&c| c == '#').count();
        if self.peek(hashes) == Some('"') {
            self.raw_string(hashes);
        }
    }

    fn raw_string(&mut self, hashes: usize) {
        (0..=hashes).for_each(|_| self.keep());
        while let Some(c) = self.peek(0) {
            if c == '"' && (1..=hashes).all(|ahead| self.peek(ahead) == Some('#')) {
                (0..=hashes).for_each(|_| self.keep());
                return;
            }
            self.blank();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{code_only, without_tests};

    #[test]
    fn comments_are_blanked_and_lines_stay() {
        let code = code_only("a // b\n/* c /* d */\n e */ f");
        assert_eq!(code.lines().count(), 3);
        assert_eq!(code.split_whitespace().collect::<Vec<_>>(), ["a", "f"]);
    }

    #[test]
    fn strings_of_every_kind_are_blanked() {
        for text in [r#"x("a \" b") y"#, r##"x(r#"a " b"#) y"##, r#"x(b"a b") y"#, r##"x(cr#"a"#) y"##] {
            let code = code_only(text);
            assert!(!code.contains('a') && !code.contains(" b "), "{code}");
            assert!(code.starts_with('x') && code.ends_with('y'), "{code}");
        }
    }

    #[test]
    fn a_quote_may_be_a_character_or_a_lifetime() {
        assert_eq!(code_only("f::<'a>('\"') g"), "f::<'a>(' ') g");
        assert_eq!(code_only(r"f('\'', '\\', '\u{41}') g").split_whitespace().last(), Some("g"));
        assert_eq!(code_only("'outer: loop { b'{' }"), "'outer: loop { b' ' }");
    }

    #[test]
    fn raw_names_are_names() {
        assert_eq!(code_only("r#type r#match \"x\""), "r#type r#match \" \"");
    }

    #[test]
    fn test_modules_go_and_the_code_after_them_stays() {
        let code = "a\n#[cfg(test)]\nmod tests { fn f() { b } }\nc\n#[cfg(all(test, unix))]\nmod more;\nd";
        let words = without_tests(code);
        assert_eq!(words.split_whitespace().collect::<Vec<_>>(), ["a", "c", "d"]);
        assert_eq!(words.lines().count(), code.lines().count());
        assert!(without_tests("#[cfg(not(test))] fn f() {}").contains('f'));
    }

    #[test]
    fn a_test_only_field_ends_at_its_comma_and_a_function_does_not() {
        let field = without_tests("struct S { #[cfg(test)] seen: [u8; 2], kept: u8 } also");
        assert_eq!(
            field.split_whitespace().collect::<Vec<_>>(),
            ["struct", "S", "{", "kept:", "u8", "}", "also"]
        );
        let last = without_tests("struct S { #[cfg(test)] seen: u8 } also");
        assert_eq!(last.split_whitespace().collect::<Vec<_>>(), ["struct", "S", "{", "}", "also"]);
        assert_eq!(without_tests("#[cfg(test)] fn f<A, B>(a: A, b: B) -> (u8, u8) { c }").trim(), "");
    }
}
