//! Skills that a server publishes (extension `io.modelcontextprotocol/skills`): a file is given to the application only if it
//! matches the entry of the skill, and only what was requested is read.
//!
//! An entry comes from `skills/list` or `skills/get` by way of the application, which keeps it while it acts on the skill. So
//! the library keeps nothing of its own that could differ from what the user agreed to.

use super::Request;
use crate::client::Message;
use crate::client::config::keys::SkillLimits;
use crate::engine::{Error, Status};
use crate::json::{self, Kind};
use crate::skill::{self, MAIN};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Map, Value};
use std::borrow::Cow;
use std::collections::HashSet;

/// The check that goes with a request for a skill's file; `None` for every other request. Nothing has been sent by then: an
/// invalid entry, a skill that is too large and a file that it does not have end here.
///
/// # Errors
/// `INVALID_ARGUMENT`, `TOO_LARGE`, `UNSUPPORTED` for a dynamic skill without `allow_dynamic`.
pub(super) fn check_of(
    request: &Request<'_>,
    depth: usize,
    limits: SkillLimits,
    allow_dynamic: bool,
) -> Result<Option<SkillCheck>, Error> {
    let (operation, entry, path) = match request {
        Request::SkillLoad { entry } => ("skill_load", entry, None),
        Request::SkillRead { entry, path } => ("skill_read", entry, Some(*path)),
        _ => return Ok(None),
    };
    let invalid = |why: String| {
        Error::new(Status::InvalidArgument, operation, format!("{why}. Nothing was read"))
            .with("check", "entry")
    };
    let entry = SkillEntry::read(entry, depth).map_err(invalid)?;
    if entry.is_dynamic() && !allow_dynamic {
        let why = format!(
            "the files of {} are \"dynamic\": the server gives no sizes and digests to check them by. Nothing was read; \
             with the option allow_dynamic they are read unchecked",
            entry.uri
        );
        return Err(Error::new(Status::Unsupported, operation, why)
            .with("uri", entry.uri)
            .with("check", "digest"));
    }
    let (files, bytes) = entry.weight();
    if files > limits.files || bytes > limits.bytes as u64 {
        let why = format!(
            "{} has {files} files of {bytes} bytes, and limits.skill_files and limits.skill_bytes allow {} of {}. \
             Nothing was read",
            entry.uri, limits.files, limits.bytes
        );
        let error = Error::new(Status::TooLarge, operation, why).with("uri", entry.uri);
        return Err(error.with("files", files).with("bytes", bytes));
    }
    let file = match path {
        None => entry.main(),
        Some(path) => entry.file(path).map_err(|why| {
            let message =
                format!("{why}. Nothing was read; a skill that has changed has a new entry (skills/get)");
            Error::new(Status::InvalidArgument, operation, message)
                .with("check", "listed")
                .with("skill", entry.uri.clone())
                .with("path", path)
        })?,
    };
    Ok(Some(SkillCheck::new(operation, entry, file, limits.bytes)))
}

/// A file of a skill.
#[derive(Clone, PartialEq, Eq, Debug)]
struct SkillFile {
    uri: String,
    /// What the entry says of it; `None` in a dynamic skill.
    promise: Option<Promise>,
}

/// What an entry says of a file.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Promise {
    size: u64,
    /// SHA-256 of its bytes.
    digest: [u8; 32],
}

/// The entry of one skill.
#[derive(Clone, PartialEq, Debug)]
struct SkillEntry {
    /// The URI of its `SKILL.md`.
    uri: String,
    front_matter: Map<String, Value>,
    /// Its files; `None` for a dynamic skill.
    files: Option<Vec<SkillFile>>,
}

impl SkillEntry {
    /// Reads an entry, or the result of `skills/get` with the entry in it.
    ///
    /// # Errors
    /// What is wrong with it, in words.
    fn read(text: &str, depth: usize) -> Result<SkillEntry, String> {
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
        Ok(SkillEntry { uri, front_matter, files })
    }

    fn is_dynamic(&self) -> bool {
        self.files.is_none()
    }

    /// How many files it has, and their bytes. A dynamic skill does not say.
    fn weight(&self) -> (usize, u64) {
        let files = self.files.as_deref().unwrap_or_default();
        let sizes = files.iter().filter_map(|file| file.promise.as_ref()).map(|promise| promise.size);
        (files.len(), sizes.fold(0, u64::saturating_add))
    }

    /// Its `SKILL.md`.
    fn main(&self) -> SkillFile {
        let listed = self.files.iter().flatten().find(|file| file.uri == self.uri);
        listed.cloned().unwrap_or_else(|| SkillFile { uri: self.uri.clone(), promise: None })
    }

    /// The file at a path relative to the skill's folder, or at a URI.
    ///
    /// # Errors
    /// The skill has no such file, in words.
    fn file(&self, path: &str) -> Result<SkillFile, String> {
        let root = root(&self.uri).unwrap_or_default();
        let Some(files) = &self.files else {
            let uri = match path.strip_prefix(root).and_then(|rest| rest.strip_prefix('/')) {
                Some(rest) if is_plain(rest) => path.to_owned(),
                Some(_) => return Err(format!("'{path}' leads out of the skill {}", self.uri)),
                None => format!("{root}/{}", self.resolve(path)?),
            };
            return Ok(SkillFile { uri, promise: None });
        };
        if let Some(file) = files.iter().find(|file| file.uri == path) {
            return Ok(file.clone());
        }
        let wanted = self.resolve(path)?;
        let within = |file: &SkillFile| file.uri.get(root.len() + 1..).map(str::to_owned).unwrap_or_default();
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

fn read_files(list: &[Value], uri: &str, root: &str) -> Result<Vec<SkillFile>, String> {
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
        files.push(SkillFile { uri: place.clone(), promise: Some(Promise { size, digest }) });
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

/// The check of one file.
#[derive(Debug)]
pub(super) struct SkillCheck {
    operation: &'static str,
    entry: SkillEntry,
    file: SkillFile,
    most_bytes: usize,
}

/// Why a file is not handed over: which check it failed, and how.
struct SkillMismatch {
    check: &'static str,
    why: String,
}

impl SkillCheck {
    fn new(operation: &'static str, entry: SkillEntry, file: SkillFile, most_bytes: usize) -> SkillCheck {
        SkillCheck { operation, entry, file, most_bytes }
    }

    /// The parameters that read the file.
    pub(in self::super) fn params(&self) -> String {
        format!("{{\"uri\":{}}}", json::quote(&self.file.uri))
    }

    /// Gives the result, or the error of a file that is not what the entry says. The error has nothing of the file in it.
    pub(in self::super) fn run(&self, message: Message) -> Message {
        let Err(failure) = self.judge(message.json()) else { return message };
        let status = if failure.check == "bound" { Status::TooLarge } else { Status::Protocol };
        let hint = match failure.check {
            "bound" => "",
            _ => ". It may have changed since: skills/get gives its entry again",
        };
        let error = Error::new(
            status,
            self.operation,
            format!("{} is not handed over: {}{hint}", self.file.uri, failure.why),
        )
        .with("check", failure.check)
        .with("skill", self.entry.uri.as_str())
        .with("uri", self.file.uri.as_str())
        .with("sent", true);
        Message::failed(message.client(), message.call(), message.tag(), &error)
    }

    /// Whether a result may be handed over.
    pub(in self::super) fn passes(&self, result: &str) -> bool {
        self.judge(result).is_ok()
    }

    fn judge(&self, result: &str) -> Result<(), SkillMismatch> {
        let fails = |check, why| Err(SkillMismatch { check, why });
        let bytes = match content(result) {
            Ok(bytes) => bytes,
            Err(why) => return fails("content", why),
        };
        match &self.file.promise {
            Some(promise) => {
                if bytes.len() as u64 != promise.size {
                    let why = format!("it has {} bytes, and the entry says {}", bytes.len(), promise.size);
                    return fails("size", why);
                }
                if skill::sha256(&bytes) != promise.digest {
                    return fails("digest", "its SHA-256 digest is not the one in the entry".to_owned());
                }
            }
            None if bytes.len() > self.most_bytes => {
                let why = format!(
                    "it has {} bytes, and limits.skill_bytes allows {}",
                    bytes.len(),
                    self.most_bytes
                );
                return fails("bound", why);
            }
            None => {}
        }
        if self.file.uri != self.entry.uri {
            return Ok(());
        }
        let compared = match std::str::from_utf8(&bytes) {
            Ok(document) => skill::compare(document, &self.entry.front_matter),
            Err(_) => Err("the file is no UTF-8 text".to_owned()),
        };
        compared.map_err(|why| SkillMismatch { check: "frontmatter", why })
    }
}

/// The bytes of the one file in a result.
///
/// A name that occurs twice is refused, since what is checked here must be what every reader finds.
fn content(result: &str) -> Result<Cow<'_, [u8]>, String> {
    let contents = only(result, "contents")?.filter(|contents| json::kind(contents) == Some(Kind::Array));
    let Some(contents) = contents else { return Err("the result has no 'contents'".to_owned()) };
    let mut files = json::elements(contents);
    let (Some(file), None) = (files.next(), files.next()) else {
        let count = json::count(contents).unwrap_or(0);
        return Err(format!("the result has {count} contents, and a file is one"));
    };
    match (only(file, "text")?, only(file, "blob")?) {
        (Some(text), None) => match json::string(text) {
            Some(Cow::Borrowed(text)) => Ok(Cow::Borrowed(text.as_bytes())),
            Some(Cow::Owned(text)) => Ok(Cow::Owned(text.into_bytes())),
            None => Err("its 'text' is no text".to_owned()),
        },
        (None, Some(blob)) => {
            let blob = json::string(blob).ok_or("its 'blob' is no text")?;
            STANDARD
                .decode(blob.as_bytes())
                .map(Cow::Owned)
                .map_err(|error| format!("its 'blob' is no Base64: {error}"))
        }
        _ => Err("it has not one of 'text' and 'blob'".to_owned()),
    }
}

/// The one member of that name.
fn only<'a>(object: &'a str, name: &str) -> Result<Option<&'a str>, String> {
    let quoted = |written: &str| format!("\"{written}\"");
    let mut named = json::members(object).filter(|(written, _)| {
        *written == name || json::string(&quoted(written)).is_some_and(|decoded| decoded == name)
    });
    match (named.next(), named.next()) {
        (found, None) => Ok(found.map(|(_, value)| value)),
        (_, Some(_)) => Err(format!("the result has '{name}' twice")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::client::config::keys::SkillLimits;
    use crate::client::features::Request;
    use serde_json::{Value, json};

    fn digest() -> String {
        format!("sha256:{}", "0a".repeat(32))
    }

    fn entry(uri: &str, name: &str, files: &[&str]) -> Value {
        let files: Vec<Value> =
            files.iter().map(|uri| json!({"uri": uri, "digest": digest(), "size": 7})).collect();
        json!({"uri": uri, "frontmatter": {"name": name, "description": "d"}, "resources": files})
    }

    fn read(value: &Value) -> Result<SkillEntry, String> {
        SkillEntry::read(&value.to_string(), 64)
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
        assert!(SkillEntry::read("[1]", 64).is_err() && SkillEntry::read("{", 64).is_err());
        assert!(
            SkillEntry::read(&entry(URI, "pdf", &[URI]).to_string(), 2)
                .is_err_and(|why| why.contains("no JSON"))
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

    const PDF_URI: &str = "skill://pdf/SKILL.md";
    const TEXT: &str = "---\nname: pdf\ndescription: d\n---\n\nText.\n";
    const FILE: &str = "skill://pdf/logo.png";
    const BYTES: &[u8] = b"\x89PNG\0\xff";

    fn promise(uri: &str, bytes: &[u8]) -> Value {
        let digits: Vec<String> = skill::sha256(bytes).iter().map(|byte| format!("{byte:02x}")).collect();
        let hex = digits.concat();
        json!({"uri": uri, "size": bytes.len(), "digest": format!("sha256:{hex}")})
    }

    fn pdf_entry() -> Value {
        json!({"uri": PDF_URI, "frontmatter": {"name": "pdf", "description": "d"},
            "resources": [promise(PDF_URI, TEXT.as_bytes()), promise(FILE, BYTES)]})
    }

    fn check(entry: &Value, path: Option<&str>) -> Result<SkillCheck, Error> {
        let entry = entry.to_string();
        let request = match path {
            None => Request::SkillLoad { entry: &entry },
            Some(path) => Request::SkillRead { entry: &entry, path },
        };
        Ok(check_of(&request, 64, SkillLimits { files: 3, bytes: 100 }, true)?.expect("a check"))
    }

    fn failed(check: &SkillCheck, result: &str) -> Option<(&'static str, String)> {
        check.judge(result).err().map(|failure| (failure.check, failure.why))
    }

    fn text(text: &str) -> String {
        json!({"contents": [{"uri": PDF_URI, "text": text}]}).to_string()
    }

    #[test]
    fn a_file_that_is_what_the_entry_says_passes() {
        let load = check(&pdf_entry(), None).expect("a check");
        assert_eq!(load.params(), r#"{"uri":"skill://pdf/SKILL.md"}"#);
        assert_eq!(failed(&load, &text(TEXT)), None);
        let blob = STANDARD.encode(TEXT);
        assert_eq!(failed(&load, &json!({"contents": [{"uri": PDF_URI, "blob": blob}]}).to_string()), None);
        let read = check(&pdf_entry(), Some("logo.png")).expect("a check");
        let blob = STANDARD.encode(BYTES);
        assert_eq!(failed(&read, &json!({"contents": [{"uri": FILE, "blob": blob}]}).to_string()), None);
    }

    #[test]
    fn size_goes_first_then_the_digest_then_the_front_matter() {
        let load = check(&pdf_entry(), None).expect("a check");
        let of = |result: &str| failed(&load, result).map(|(check, _)| check);
        assert_eq!(of(&text(&format!("{TEXT}more"))), Some("size"));
        assert_eq!(of(&text(&TEXT.replace("Text", "Evil"))), Some("digest"));
        let mut other = pdf_entry();
        let tampered = TEXT.replace(": d", ": e");
        other["resources"][0] = promise(PDF_URI, tampered.as_bytes());
        let load = check(&other, None).expect("a check");
        let (name, why) = failed(&load, &text(&tampered)).expect("a failure");
        assert!(name == "frontmatter" && why.contains("/description is e"), "{why}");
        let read = check(&other, Some("SKILL.md")).expect("a check");
        assert_eq!(failed(&read, &text(&tampered)).map(|(check, _)| check), Some("frontmatter"));
    }

    #[test]
    fn a_result_that_two_readers_could_take_differently_fails() {
        let load = check(&pdf_entry(), None).expect("a check");
        let good = Value::from(TEXT).to_string();
        for result in [
            "{}".to_owned(),
            r#"{"contents":[]}"#.to_owned(),
            format!(r#"{{"contents":[{{"text":{good}}},{{"text":"and more"}}]}}"#),
            format!(r#"{{"contents":[{{"text":"evil","text":{good}}}]}}"#),
            format!(r#"{{"contents":[{{"t\u0065xt":"evil","text":{good}}}]}}"#),
            format!(r#"{{"contents":[{{"text":"evil"}}],"contents":[{{"text":{good}}}]}}"#),
            format!(r#"{{"contents":[{{"text":{good},"blob":""}}]}}"#),
            r#"{"contents":[{"text":7}]}"#.to_owned(),
            r#"{"contents":[{"blob":"%%"}]}"#.to_owned(),
            r#"{"contents":[{"uri":"x"}]}"#.to_owned(),
            r#"{"contents":{"text":"x"}}"#.to_owned(),
        ] {
            assert_eq!(failed(&load, &result).map(|(check, _)| check), Some("content"), "{result}");
        }
    }

    #[test]
    fn a_skill_that_is_too_large_is_not_begun() {
        let mut large = pdf_entry();
        large["resources"][1]["size"] = 100.into();
        let error = check(&large, None).expect_err("too many bytes");
        assert_eq!((error.status, error.details["files"].clone()), (Status::TooLarge, 2.into()));
        large["resources"][1]["size"] = u64::MAX.into();
        assert_eq!(check(&large, None).map_err(|error| error.status).err(), Some(Status::TooLarge));
        let mut many = pdf_entry();
        for name in ["a", "b"] {
            many["resources"]
                .as_array_mut()
                .expect("a list")
                .push(promise(&format!("skill://pdf/{name}"), b""));
        }
        assert_eq!(check(&many, Some("a")).map_err(|error| error.status).err(), Some(Status::TooLarge));
    }

    #[test]
    fn of_a_dynamic_skill_size_and_front_matter_are_looked_at() {
        let mut dynamic = pdf_entry();
        dynamic["resources"] = "dynamic".into();
        let load = check(&dynamic, None).expect("a check");
        assert_eq!(failed(&load, &text(TEXT)), None);
        assert_eq!(failed(&load, &text(&"x".repeat(101))).map(|(check, _)| check), Some("bound"));
        assert_eq!(failed(&load, &text("no front matter")).map(|(check, _)| check), Some("frontmatter"));
        let read = check(&dynamic, Some("x")).expect("a check");
        assert_eq!(failed(&read, &text("no front matter")), None);
        let text = dynamic.to_string();
        let request = Request::SkillLoad { entry: &text };
        let error = check_of(&request, 64, SkillLimits::default(), false).expect_err("not asked for");
        assert_eq!(error.status, Status::Unsupported);
    }
}
