//! What a read brought, against what the entry says of the file.

use super::entry::{Entry, File};
use crate::client::Message;
use crate::engine::{Error, Status};
use crate::json::{self, Kind};
use crate::skill;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use std::borrow::Cow;

/// The check of one file.
#[derive(Debug)]
pub(in crate::client::features) struct Check {
    operation: &'static str,
    entry: Entry,
    file: File,
    most_bytes: usize,
}

/// Why a file is not handed over: which check it failed, and how.
struct Failure {
    check: &'static str,
    why: String,
}

impl Check {
    pub(super) fn new(operation: &'static str, entry: Entry, file: File, most_bytes: usize) -> Check {
        Check { operation, entry, file, most_bytes }
    }

    /// The parameters that read the file.
    pub(in crate::client::features) fn params(&self) -> String {
        format!("{{\"uri\":{}}}", json::quote(&self.file.uri))
    }

    /// Gives the result, or the error of a file that is not what the entry says. The error has nothing of the file in it.
    pub(in crate::client::features) fn run(&self, message: Message) -> Message {
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
    pub(in crate::client::features) fn passes(&self, result: &str) -> bool {
        self.judge(result).is_ok()
    }

    fn judge(&self, result: &str) -> Result<(), Failure> {
        let fails = |check, why| Err(Failure { check, why });
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
        compared.map_err(|why| Failure { check: "frontmatter", why })
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
    use super::super::check_of;
    use super::*;
    use crate::client::config::features::SkillLimits;
    use crate::client::features::Request;
    use serde_json::{Value, json};

    const URI: &str = "skill://pdf/SKILL.md";
    const TEXT: &str = "---\nname: pdf\ndescription: d\n---\n\nText.\n";
    const FILE: &str = "skill://pdf/logo.png";
    const BYTES: &[u8] = b"\x89PNG\0\xff";

    fn promise(uri: &str, bytes: &[u8]) -> Value {
        let digits: Vec<String> = skill::sha256(bytes).iter().map(|byte| format!("{byte:02x}")).collect();
        let hex = digits.concat();
        json!({"uri": uri, "size": bytes.len(), "digest": format!("sha256:{hex}")})
    }

    fn entry() -> Value {
        json!({"uri": URI, "frontmatter": {"name": "pdf", "description": "d"},
            "resources": [promise(URI, TEXT.as_bytes()), promise(FILE, BYTES)]})
    }

    fn check(entry: &Value, path: Option<&str>) -> Result<Check, Error> {
        let entry = entry.to_string();
        let request = match path {
            None => Request::SkillLoad { entry: &entry },
            Some(path) => Request::SkillRead { entry: &entry, path },
        };
        Ok(check_of(&request, 64, SkillLimits { files: 3, bytes: 100 }, true)?.expect("a check"))
    }

    fn failed(check: &Check, result: &str) -> Option<(&'static str, String)> {
        check.judge(result).err().map(|failure| (failure.check, failure.why))
    }

    fn text(text: &str) -> String {
        json!({"contents": [{"uri": URI, "text": text}]}).to_string()
    }

    #[test]
    fn a_file_that_is_what_the_entry_says_passes() {
        let load = check(&entry(), None).expect("a check");
        assert_eq!(load.params(), r#"{"uri":"skill://pdf/SKILL.md"}"#);
        assert_eq!(failed(&load, &text(TEXT)), None);
        let blob = STANDARD.encode(TEXT);
        assert_eq!(failed(&load, &json!({"contents": [{"uri": URI, "blob": blob}]}).to_string()), None);
        let read = check(&entry(), Some("logo.png")).expect("a check");
        let blob = STANDARD.encode(BYTES);
        assert_eq!(failed(&read, &json!({"contents": [{"uri": FILE, "blob": blob}]}).to_string()), None);
    }

    #[test]
    fn size_goes_first_then_the_digest_then_the_front_matter() {
        let load = check(&entry(), None).expect("a check");
        let of = |result: &str| failed(&load, result).map(|(check, _)| check);
        assert_eq!(of(&text(&format!("{TEXT}more"))), Some("size"));
        assert_eq!(of(&text(&TEXT.replace("Text", "Evil"))), Some("digest"));
        let mut other = entry();
        let tampered = TEXT.replace(": d", ": e");
        other["resources"][0] = promise(URI, tampered.as_bytes());
        let load = check(&other, None).expect("a check");
        let (name, why) = failed(&load, &text(&tampered)).expect("a failure");
        assert!(name == "frontmatter" && why.contains("/description is e"), "{why}");
        let read = check(&other, Some("SKILL.md")).expect("a check");
        assert_eq!(failed(&read, &text(&tampered)).map(|(check, _)| check), Some("frontmatter"));
    }

    #[test]
    fn a_result_that_two_readers_could_take_differently_fails() {
        let load = check(&entry(), None).expect("a check");
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
        let mut large = entry();
        large["resources"][1]["size"] = 100.into();
        let error = check(&large, None).expect_err("too many bytes");
        assert_eq!((error.status, error.details["files"].clone()), (Status::TooLarge, 2.into()));
        large["resources"][1]["size"] = u64::MAX.into();
        assert_eq!(check(&large, None).map_err(|error| error.status).err(), Some(Status::TooLarge));
        let mut many = entry();
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
        let mut dynamic = entry();
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
