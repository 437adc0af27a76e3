//! The features of the crate: which there are, which are on by default, and what each brings with it. As cargo
//! says, so that a new feature is an option of the package without another list.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

/// `[features]` of a manifest: each feature with the others that it turns on.
pub struct Features {
    known: BTreeMap<String, Vec<String>>,
}

impl Features {
    /// Those of what cargo says of a package.
    pub fn of(package: &Value) -> Result<Self, String> {
        let known = serde_json::from_value(package["features"].clone());
        Ok(Self { known: known.map_err(|error| format!("cargo metadata: features: {error}"))? })
    }

    /// The features that a package may be asked for.
    pub fn names(&self) -> Vec<&str> {
        self.known.keys().map(String::as_str).filter(|name| *name != "default").collect()
    }

    /// Those asked for and everything that they turn on.
    pub fn enabled(&self, with_default: bool, asked: &[String]) -> Result<Vec<String>, String> {
        let mut open: Vec<&str> = asked.iter().map(String::as_str).collect();
        if with_default {
            open.extend(self.known.get("default").into_iter().flatten().map(String::as_str));
        }
        let mut on = BTreeSet::new();
        while let Some(name) = open.pop() {
            // `dep:hyper` and `rustls/ring` are about dependencies.
            if name.contains([':', '/']) {
                continue;
            }
            let Some(brings) = self.known.get(name) else {
                let all = self.names();
                let all = if all.is_empty() { "none".to_owned() } else { all.join(", ") };
                return Err(format!("there is no feature {name}; there are {all}"));
            };
            if on.insert(name.to_owned()) {
                open.extend(brings.iter().map(String::as_str));
            }
        }
        Ok(on.into_iter().collect())
    }
}
