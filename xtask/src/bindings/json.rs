//! JSON of this project's own files: docs/reference/configuration.json and the official schemas. Members come in the order of their
//! names.

use serde_json::Value;

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
    /// What `serde_json` says of it.
    pub fn parse(text: &str) -> Result<Json, String> {
        serde_json::from_str(text).map(Self::of).map_err(|error| format!("JSON: {error}"))
    }

    fn of(value: Value) -> Json {
        match value {
            Value::Null => Json::Null,
            Value::Bool(flag) => Json::Flag(flag),
            Value::Number(number) => Json::Number(number.to_string()),
            Value::String(text) => Json::Text(text),
            Value::Array(items) => Json::List(items.into_iter().map(Self::of).collect()),
            Value::Object(members) => {
                Json::Object(members.into_iter().map(|(name, value)| (name, Self::of(value))).collect())
            }
        }
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
