//! The features of the crate: which there are, which are on by default, and what each brings with it. Read from the
//! manifest, so that a new feature is an option of the package without another list.

use std::collections::{BTreeMap, BTreeSet};

/// `[features]` of a manifest: each feature with the others that it turns on.
pub struct Features {
    known: BTreeMap<String, Vec<String>>,
}

impl Features {
    pub fn parse(manifest: &str) -> Self {
        let mut known: BTreeMap<String, Vec<String>> = BTreeMap::new();
        let mut current: Option<String> = None;
        let section = manifest.split("\n[features]\n").nth(1).unwrap_or_default();
        for line in section.lines().take_while(|line| !line.starts_with('[')) {
            let line = line.split('#').next().unwrap_or_default();
            let list = match line.split_once('=') {
                Some((name, list)) => {
                    current = Some(name.trim().trim_matches('"').to_owned());
                    list
                }
                None => line,
            };
            if let Some(name) = &current {
                let strings = list.split('"').skip(1).step_by(2).map(str::to_owned);
                known.entry(name.clone()).or_default().extend(strings);
            }
        }
        Self { known }
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
