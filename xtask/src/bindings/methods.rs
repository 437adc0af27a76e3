//! The method table, read from `crates/core/src/protocol/method.rs`.

use serde_json::{Value, json};

use crate::checkout::{Checkout, read};

/// One method.
#[derive(Debug, PartialEq)]
pub struct Method {
    /// The name of its constant: `TOOLS_LIST`.
    pub id: String,
    /// On the wire: `tools/list`.
    pub name: String,
    pub doc: String,
    pub is_notification: bool,
}

impl Method {
    /// As the templates see it.
    pub fn seen(&self) -> Value {
        json!({"id": self.id, "name": self.name, "doc": self.doc, "is_notification": self.is_notification})
    }
}

/// Reads the table.
///
/// # Errors
/// It is not there, or has another form.
pub fn read_all(checkout: &Checkout) -> Result<Vec<Method>, String> {
    parse(&read(&checkout.root.join("crates/core/src/protocol/method.rs"))?)
}

fn parse(text: &str) -> Result<Vec<Method>, String> {
    let table = text.split("\nmethods! {\n").nth(1).and_then(|it| it.split("\n}\n").next());
    let table = table.ok_or("crates/core/src/protocol/method.rs has no table `methods! {`")?;
    let mut methods = Vec::new();
    let mut doc: Vec<&str> = Vec::new();
    for line in table.lines().map(str::trim) {
        if let Some(text) = line.strip_prefix("/// ") {
            doc.push(text);
            continue;
        }
        let Some((id, rest)) = line.split_once(" = \"") else { continue };
        let Some(name) =
            rest.split('"').next().filter(|_| id.chars().all(|it| it.is_ascii_uppercase() || it == '_'))
        else {
            continue;
        };
        methods.push(Method {
            id: id.to_owned(),
            name: name.to_owned(),
            doc: doc.join(" "),
            is_notification: name.starts_with("notifications/"),
        });
        doc.clear();
    }
    if methods.is_empty() {
        Err("crates/core/src/protocol/method.rs has an empty table".to_owned())
    } else {
        Ok(methods)
    }
}
