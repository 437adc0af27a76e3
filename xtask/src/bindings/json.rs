//! JSON of this project's own files: docs/reference/configuration.json and the official schemas. Members stay in their order.

/// One value.
#[derive(Clone, Debug, PartialEq)]
pub enum Json {
    Null,
    Flag(bool),
    /// As it is written.
    Number(String),
    Text(String),
    List(Vec<Json>),
    Object(Vec<(String, Json)>),
}

impl Json {
    /// Reads a whole text.
    ///
    /// # Errors
    /// At which byte something else was expected.
    pub fn parse(text: &str) -> Result<Json, String> {
        let mut reader = Reader { text, at: 0 };
        let value = reader.value(0)?;
        reader.space();
        if reader.at == text.len() { Ok(value) } else { Err(reader.wrong("the end")) }
    }

    pub fn get(&self, name: &str) -> Option<&Json> {
        self.members().iter().find(|(member, _)| member == name).map(|(_, value)| value)
    }

    pub fn text(&self) -> Option<&str> {
        if let Json::Text(text) = self { Some(text) } else { None }
    }

    pub fn members(&self) -> &[(String, Json)] {
        if let Json::Object(members) = self { members } else { &[] }
    }

    pub fn items(&self) -> &[Json] {
        if let Json::List(items) = self { items } else { &[] }
    }

    /// The text of a member that is a string.
    pub fn text_of(&self, name: &str) -> Option<&str> {
        self.get(name)?.text()
    }

    /// The strings of a member that is a list.
    pub fn texts_of(&self, name: &str) -> Vec<String> {
        let items = self.get(name).map(Json::items).unwrap_or_default();
        items.iter().filter_map(|item| item.text().map(str::to_owned)).collect()
    }
}

/// How deep values may nest.
const DEEPEST: usize = 100;

struct Reader<'a> {
    text: &'a str,
    at: usize,
}

impl Reader<'_> {
    fn wrong(&self, wanted: &str) -> String {
        format!("JSON: {wanted} is expected at byte {}", self.at)
    }

    fn space(&mut self) {
        let rest = &self.text[self.at..];
        self.at += rest.len() - rest.trim_start_matches([' ', '\n', '\r', '\t']).len();
    }

    /// Whether `mark` is next, which is then passed.
    fn takes(&mut self, mark: &str) -> bool {
        self.space();
        let is_next = self.text[self.at..].starts_with(mark);
        if is_next {
            self.at += mark.len();
        }
        is_next
    }

    fn needs(&mut self, mark: &str) -> Result<(), String> {
        if self.takes(mark) { Ok(()) } else { Err(self.wrong(mark)) }
    }

    fn value(&mut self, depth: usize) -> Result<Json, String> {
        if depth > DEEPEST {
            return Err(self.wrong("less depth"));
        }
        for (word, value) in [("null", Json::Null), ("true", Json::Flag(true)), ("false", Json::Flag(false))]
        {
            if self.takes(word) {
                return Ok(value);
            }
        }
        if self.takes("\"") {
            return self.string().map(Json::Text);
        }
        if self.takes("[") {
            let mut items = Vec::new();
            while !self.takes("]") {
                if !items.is_empty() {
                    self.needs(",")?;
                }
                items.push(self.value(depth + 1)?);
            }
            return Ok(Json::List(items));
        }
        if self.takes("{") {
            let mut members = Vec::new();
            while !self.takes("}") {
                if !members.is_empty() {
                    self.needs(",")?;
                }
                self.needs("\"")?;
                let name = self.string()?;
                self.needs(":")?;
                members.push((name, self.value(depth + 1)?));
            }
            return Ok(Json::Object(members));
        }
        let rest = &self.text[self.at..];
        let length = rest.find(|it: char| !it.is_ascii_alphanumeric() && !"+-.".contains(it));
        let number = &rest[..length.unwrap_or(rest.len())];
        if number.parse::<f64>().is_err() {
            return Err(self.wrong("a value"));
        }
        self.at += number.len();
        Ok(Json::Number(number.to_owned()))
    }

    /// What is left of a string, up to and with its end.
    fn string(&mut self) -> Result<String, String> {
        let mut text = String::new();
        let mut letters = self.text[self.at..].char_indices();
        while let Some((place, letter)) = letters.next() {
            match letter {
                '"' => {
                    self.at += place + 1;
                    return Ok(text);
                }
                '\\' => match letters.next().map(|(_, letter)| letter) {
                    Some('n') => text.push('\n'),
                    Some('t') => text.push('\t'),
                    Some('r') => text.push('\r'),
                    Some('b') => text.push('\u{8}'),
                    Some('f') => text.push('\u{c}'),
                    Some('u') => {
                        let digits: String = letters.by_ref().take(4).map(|(_, digit)| digit).collect();
                        let letter = u32::from_str_radix(&digits, 16).ok().and_then(char::from_u32);
                        text.push(
                            letter.ok_or_else(|| self.wrong("a character outside of surrogate pairs"))?,
                        );
                    }
                    Some(letter @ ('"' | '\\' | '/')) => text.push(letter),
                    _ => return Err(self.wrong("an escape")),
                },
                letter => text.push(letter),
            }
        }
        Err(self.wrong("the end of a string"))
    }
}

#[cfg(test)]
mod tests {
    use super::Json;

    #[test]
    fn values_are_read_in_their_order() -> Result<(), String> {
        let value = Json::parse(r#" {"b": [1, -2.5e3, true, null], "a": "x\"\u00e4\n", "c": {}} "#)?;
        let names: Vec<&str> = value.members().iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, ["b", "a", "c"]);
        assert_eq!(value.text_of("a"), Some("x\"ä\n"));
        let list = value.get("b").map(Json::items).unwrap_or_default();
        assert_eq!(list.get(1), Some(&Json::Number("-2.5e3".to_owned())));
        Ok(())
    }

    #[test]
    fn what_is_no_json_is_an_error() {
        for text in ["", "{", "[1 2]", "{\"a\"}", "\"a", "nul", "1 1", "\"\\x\"", &"[".repeat(200)] {
            assert!(Json::parse(text).is_err(), "{text}");
        }
    }
}
