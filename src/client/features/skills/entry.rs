//! The entry of a skill: which files it has, how large they are and what they hash to. The rules are those of the extension's
//! page on skill entries.

use crate::json;
use crate::skill::MAIN;
use serde_json::{Map, Value};
use std::collections::HashSet;

/// A file of a skill.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct File {
    pub(super) uri: String,
    /// What the entry says of it; `None` in a dynamic skill.
    pub(super) promise: Option<Promise>,
}

/// What an entry says of a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Promise {
    pub(super) size: u64,
    /// SHA-256 of its bytes.
    pub(super) digest: [u8; 32],
}

/// The entry of one skill.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Entry {
    /// The URI of its `SKILL.md`.
    pub(super) uri: String,
    pub(super) front_matter: Map<String, Value>,
    /// Its files; `None` for a dynamic skill.
    files: Option<Vec<File>>,
}

impl Entry {
    /// Reads an entry, or the result of `skills/get` with the entry in it.
    ///
    /// # Errors
    /// What is wrong with it, in words.
    pub(super) fn read(text: &str, depth: usize) -> Result<Entry, String> {
        json::scan_value(text.as_bytes(), depth).map_err(|error| format!("the entry is no JSON: {error}"))?;
        let mut value: Value =
            serde_json::from_str(text).map_err(|error| format!("the entry is no usable JSON: {error}"))?;
        if value.get("uri").is_none()
            && let Some(skill) = value.get_mut("skill").filter(|skill| skill.is_object())
        {
            value = skill.take();
        }
        let Value::Object(mut entry) = value else { return Err("the entry is no JSON object".to_owned()) };
        let Some(Value::String(uri)) = entry.remove("uri") else {
            return Err("the entry has no text 'uri'".to_owned());
        };
        let Some(Value::Object(front_matter)) = entry.remove("frontmatter") else {
            return Err(format!("the entry of {uri} has no object 'frontmatter'"));
        };
        let fields = (front_matter.get("name"), front_matter.get("description"));
        let (Some(Value::String(name)), Some(Value::String(_))) = fields else {
            return Err(format!("the front matter of {uri} lacks the text 'name' or 'description'"));
        };
        let root = root(&uri).ok_or_else(|| format!("{uri} is not the URI of a {MAIN} in a folder"))?;
        let folder = root.rsplit('/').next().unwrap_or_default();
        if folder != name {
            return Err(format!("{uri} is in the folder '{folder}', and the skill's name is '{name}'"));
        }
        let files = match entry.remove("resources") {
            Some(Value::String(word)) if word == "dynamic" => None,
            Some(Value::Array(list)) => Some(read_files(&list, &uri, root)?),
            _ => return Err(format!("'resources' of {uri} is neither a list of files nor \"dynamic\"")),
        };
        Ok(Entry { uri, front_matter, files })
    }

    pub(super) fn is_dynamic(&self) -> bool {
        self.files.is_none()
    }

    /// How many files it has, and their bytes. A dynamic skill does not say.
    pub(super) fn weight(&self) -> (usize, u64) {
        let files = self.files.as_deref().unwrap_or_default();
        let sizes = files.iter().filter_map(|file| file.promise.as_ref()).map(|promise| promise.size);
        (files.len(), sizes.fold(0, u64::saturating_add))
    }

    /// Its `SKILL.md`.
    pub(super) fn main(&self) -> File {
        let listed = self.files.iter().flatten().find(|file| file.uri == self.uri);
        listed.cloned().unwrap_or_else(|| File { uri: self.uri.clone(), promise: None })
    }

    /// The file at a path relative to the skill's folder, or at a URI.
    ///
    /// # Errors
    /// The skill has no such file, in words.
    pub(super) fn file(&self, path: &str) -> Result<File, String> {
        let root = root(&self.uri).unwrap_or_default();
        let Some(files) = &self.files else {
            let uri = match path.strip_prefix(root).and_then(|rest| rest.strip_prefix('/')) {
                Some(rest) if is_plain(rest) => path.to_owned(),
                Some(_) => return Err(format!("'{path}' leads out of the skill {}", self.uri)),
                None => format!("{root}/{}", self.resolve(path)?),
            };
            return Ok(File { uri, promise: None });
        };
        if let Some(file) = files.iter().find(|file| file.uri == path) {
            return Ok(file.clone());
        }
        let wanted = self.resolve(path)?;
        let within = |file: &File| file.uri.get(root.len() + 1..).map(str::to_owned).unwrap_or_default();
        if let Some(file) = files.iter().find(|file| within(file) == wanted) {
            return Ok(file.clone());
        }
        // A text names 'my notes.md' where a URI has 'my%20notes.md'.
        let decoded = decode(&wanted);
        let mut same = files.iter().filter(|file| decode(&within(file)) == decoded);
        match (same.next(), same.next()) {
            (Some(file), None) => Ok(file.clone()),
            _ => Err(format!("the entry of {} lists no file '{path}'", self.uri)),
        }
    }

    /// A relative path without '.' and '..'.
    fn resolve(&self, path: &str) -> Result<String, String> {
        let leaves = || format!("'{path}' leads out of the skill {}", self.uri);
        if path.starts_with('/') || path.contains("://") || path.contains('\\') {
            return Err(leaves());
        }
        let mut segments: Vec<&str> = Vec::new();
        for segment in path.split('/') {
            match decode(segment).as_slice() {
                b"" | b"." => {}
                b".." => drop(segments.pop().ok_or_else(leaves)?),
                _ => segments.push(segment),
            }
        }
        if segments.is_empty() || path.ends_with('/') {
            return Err(format!("'{path}' is no file of the skill {}", self.uri));
        }
        Ok(segments.join("/"))
    }
}

/// The URI of a skill's folder.
fn root(uri: &str) -> Option<&str> {
    let root = uri.strip_suffix(MAIN)?.strip_suffix('/')?;
    let (scheme, rest) = root.split_once("://")?;
    (!scheme.is_empty() && !rest.is_empty() && !rest.ends_with('/')).then_some(root)
}

fn read_files(list: &[Value], uri: &str, root: &str) -> Result<Vec<File>, String> {
    let mut seen = HashSet::new();
    let mut files = Vec::with_capacity(list.len());
    for listed in list {
        let Some(Value::String(place)) = listed.get("uri") else {
            return Err(format!("a file in the entry of {uri} has no text 'uri'"));
        };
        let within = place.strip_prefix(root).and_then(|rest| rest.strip_prefix('/'));
        if !within.is_some_and(is_plain) {
            return Err(format!("{place} is not within the skill {uri}"));
        }
        if !seen.insert(place.as_str()) {
            return Err(format!("{place} is in the entry of {uri} twice"));
        }
        let Some(size) = listed.get("size").and_then(Value::as_u64) else {
            return Err(format!("{place} has no 'size' in bytes"));
        };
        let digest = listed.get("digest").and_then(Value::as_str).and_then(read_digest);
        let Some(digest) = digest else {
            return Err(format!(
                "the digest of {place} is not \"sha256:\" and 64 lowercase hexadecimal digits"
            ));
        };
        files.push(File { uri: place.clone(), promise: Some(Promise { size, digest }) });
    }
    if !seen.contains(uri) {
        return Err(format!("the entry of {uri} does not list the {MAIN} itself"));
    }
    Ok(files)
}

fn read_digest(text: &str) -> Option<[u8; 32]> {
    let hex = text.strip_prefix("sha256:")?.as_bytes();
    let mut digest = [0; 32];
    if hex.len() != 2 * digest.len() {
        return None;
    }
    for (byte, pair) in digest.iter_mut().zip(hex.chunks_exact(2)) {
        *byte = digit(pair[0])? << 4 | digit(pair[1])?;
    }
    Some(digest)
}

/// A lowercase hexadecimal digit.
fn digit(letter: u8) -> Option<u8> {
    match letter {
        b'0'..=b'9' => Some(letter - b'0'),
        b'a'..=b'f' => Some(letter - b'a' + 10),
        _ => None,
    }
}

/// Whether a path has names only: none is empty, '.' or '..', however they are written.
fn is_plain(path: &str) -> bool {
    !path.contains('\\')
        && path.split('/').all(|segment| !matches!(decode(segment).as_slice(), b"" | b"." | b".."))
}

/// What percent-encoded text stands for.
fn decode(text: &str) -> Vec<u8> {
    let mut decoded = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((first, after)) = rest.split_first() {
        let pair = after.get(..2).filter(|_| *first == b'%');
        let byte = pair.and_then(|pair| {
            Some(digit(pair[0].to_ascii_lowercase())? << 4 | digit(pair[1].to_ascii_lowercase())?)
        });
        decoded.push(byte.unwrap_or(*first));
        rest = if byte.is_some() { &after[2..] } else { after };
    }
    decoded
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn digest() -> String {
        format!("sha256:{}", "0a".repeat(32))
    }

    fn entry(uri: &str, name: &str, files: &[&str]) -> Value {
        let files: Vec<Value> =
            files.iter().map(|uri| json!({"uri": uri, "digest": digest(), "size": 7})).collect();
        json!({"uri": uri, "frontmatter": {"name": name, "description": "d"}, "resources": files})
    }

    fn read(value: &Value) -> Result<Entry, String> {
        Entry::read(&value.to_string(), 64)
    }

    const URI: &str = "skill://a/pdf/SKILL.md";

    #[test]
    fn an_entry_stands_alone_or_in_the_result_that_brought_it() {
        let plain = entry(URI, "pdf", &[URI, "skill://a/pdf/x/y.md"]);
        let read_plain = read(&plain).expect("an entry");
        assert_eq!(read_plain.weight(), (2, 14));
        assert_eq!(read(&json!({"resultType": "complete", "skill": plain})), Ok(read_plain));
    }

    #[test]
    fn an_entry_that_breaks_a_rule_is_none() {
        let broken = |change: &dyn Fn(&mut Value), why: &str| {
            let mut value = entry(URI, "pdf", &[URI, "skill://a/pdf/x.md"]);
            change(&mut value);
            let error = read(&value).expect_err(why);
            assert!(error.contains(why), "{error}");
        };
        broken(&|value| value["uri"] = 7.into(), "no text 'uri'");
        broken(&|value| value["uri"] = "skill://SKILL.md".into(), "not the URI of a SKILL.md");
        broken(&|value| value["uri"] = "skill://a/pdf/other.md".into(), "not the URI of a SKILL.md");
        broken(&|value| value["frontmatter"] = "name: pdf".into(), "no object 'frontmatter'");
        broken(&|value| value["frontmatter"] = json!({"name": "pdf"}), "'description'");
        broken(&|value| value["frontmatter"]["name"] = "pfd".into(), "in the folder 'pdf'");
        broken(&|value| value["resources"] = "static".into(), "neither a list of files nor \"dynamic\"");
        broken(&|value| drop(value.as_object_mut().map(|entry| entry.remove("resources"))), "neither a list");
        broken(
            &|value| value["resources"][0]["uri"] = "skill://a/pdf/z".into(),
            "does not list the SKILL.md",
        );
        broken(&|value| value["resources"][1]["uri"] = URI.into(), "twice");
        broken(&|value| value["resources"][1]["size"] = (-1).into(), "no 'size'");
        broken(&|value| value["resources"][1]["size"] = 1.5.into(), "no 'size'");
        broken(&|value| value["resources"][1]["digest"] = "sha256:00".into(), "64 lowercase");
        broken(
            &|value| value["resources"][1]["digest"] = digest().to_uppercase().replace("SHA", "sha").into(),
            "64 lowercase",
        );
        for outside in [
            "skill://a/x.md",
            "skill://a/pdf/../x.md",
            "skill://a/pdf/%2e%2E/x",
            "skill://a/pdf//x",
            "skill://a/pdfx/y",
        ] {
            broken(&|value| value["resources"][1]["uri"] = outside.into(), "not within the skill");
        }
        assert!(Entry::read("[1]", 64).is_err() && Entry::read("{", 64).is_err());
        assert!(
            Entry::read(&entry(URI, "pdf", &[URI]).to_string(), 2).is_err_and(|why| why.contains("no JSON"))
        );
    }

    #[test]
    fn a_path_leads_to_a_listed_file_only() {
        let listed = ["skill://a/pdf/SKILL.md", "skill://a/pdf/x/y.md", "skill://a/pdf/my%20notes.md"];
        let entry = read(&entry(URI, "pdf", &listed)).expect("an entry");
        let found = |path: &str| entry.file(path).map(|file| file.uri);
        for (path, file) in [
            ("x/y.md", listed[1]),
            ("./x/y.md", listed[1]),
            ("x/z/../y.md", listed[1]),
            (listed[1], listed[1]),
            ("my notes.md", listed[2]),
            ("my%20notes.md", listed[2]),
            ("SKILL.md", listed[0]),
        ] {
            assert_eq!(found(path).as_deref(), Ok(file), "{path}");
        }
        for path in ["../b/x.md", "x/../../y", "%2e%2e/b", "/etc/passwd", "file:///etc/passwd", "x\\y.md"] {
            assert!(found(path).is_err_and(|why| why.contains("leads out")), "{path}");
        }
        for path in ["", ".", "x", "x/", "z.md", "X/y.md", "x/y.md#part"] {
            assert!(found(path).is_err(), "{path}");
        }
    }

    #[test]
    fn a_dynamic_skill_has_every_file_within_its_folder() {
        let mut value = entry(URI, "pdf", &[]);
        value["resources"] = "dynamic".into();
        let entry = read(&value).expect("an entry");
        assert!(entry.is_dynamic() && entry.main().promise.is_none());
        assert_eq!(entry.file("x/y.md").map(|file| file.uri).as_deref(), Ok("skill://a/pdf/x/y.md"));
        assert_eq!(entry.file("skill://a/pdf/z").map(|file| file.uri).as_deref(), Ok("skill://a/pdf/z"));
        for path in ["../x", "skill://a/pdf/../x", "skill://a/x", "file:///x"] {
            assert!(entry.file(path).is_err(), "{path}");
        }
    }
}
