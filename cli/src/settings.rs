//! What a bundle or a record of a registry asks the person for before its server can be started: settings, given with `--input NAME=VALUE` or
//! asked at the terminal.

use crate::failure::Failure;
use crate::output::{STRONG, Screen, Text, one_line, styled, text};
use crate::questions;
use std::collections::BTreeMap;

/// The values of a setting.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Given {
    One(String),
    Many(Vec<String>),
}

impl Given {
    pub fn is_empty(&self) -> bool {
        match self {
            Given::One(text) => text.is_empty(),
            Given::Many(list) => list.is_empty(),
        }
    }

    /// Each value by itself.
    pub fn each(&self) -> &[String] {
        match self {
            Given::One(text) => std::slice::from_ref(text),
            Given::Many(list) => list,
        }
    }
}

/// What a value is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Kind {
    #[default]
    Text,
    Number,
    Boolean,
    /// A file or folder.
    Path,
}

/// One of them. Its texts are those of the bundle or the registry.
#[derive(Clone, Debug, Default)]
pub struct Setting {
    pub key: String,
    pub title: String,
    pub description: String,
    pub kind: Kind,
    pub is_required: bool,
    pub default: Option<Given>,
    pub is_secret: bool,
    pub is_multiple: bool,
    pub choices: Vec<String>,
    /// The least and the most of a number.
    pub limits: (Option<f64>, Option<f64>),
}

/// What values are for.
#[derive(Clone, Copy)]
pub enum Use<'a> {
    /// A server that is started now, or a file that may have secrets.
    Now,
    /// A file in which secrets are references to variables of the environment; `None` where that has no form for one.
    File(&'a dyn Fn(&str) -> Option<String>),
}

/// The values of settings.
#[derive(Debug, Default)]
pub struct Answers {
    pub values: BTreeMap<String, Given>,
    /// The variables of the environment that have to be set, and for which setting.
    pub variables: Vec<(String, String)>,
    /// The references in the values, as they are written.
    pub references: Vec<String>,
}

/// The most values of one setting.
const MOST_VALUES: usize = 100;

impl Setting {
    /// The same, secret if its name says so: others forget to. What has a default or choices, or is not text, is not secret.
    pub fn secret_by_name(mut self) -> Setting {
        let is_plain = self.kind == Kind::Text && self.default.is_none() && self.choices.is_empty();
        self.is_secret |= is_plain && crate::redact::is_named_secret(&self.key);
        self
    }

    /// The values in a text: of several they are a JSON list, or one.
    fn values(&self, text: &str) -> Result<Given, String> {
        let list: Option<Vec<String>> = text
            .starts_with('[')
            .then(|| serde_json::from_str(text).ok())
            .flatten()
            .filter(|_| self.is_multiple);
        let list = list.unwrap_or_else(|| vec![text.to_owned()]);
        if list.len() > MOST_VALUES {
            return Err(format!("has {} values, and {MOST_VALUES} are possible", list.len()));
        }
        let mut values = Vec::with_capacity(list.len());
        for value in list {
            values.push(self.checked(value)?);
        }
        match (self.is_multiple, values.pop()) {
            (false, Some(value)) => Ok(Given::One(value)),
            (_, last) => {
                values.extend(last);
                Ok(Given::Many(values))
            }
        }
    }

    /// One value, as the server gets it. A secret is in no error.
    fn checked(&self, value: String) -> Result<String, String> {
        let shown = if self.is_secret { "the value".to_owned() } else { format!("'{value}'") };
        match self.kind {
            _ if value.contains('\0') => return Err(format!("{shown} has a null byte in it")),
            Kind::Number => {
                let number = value.parse::<f64>().ok().filter(|number| number.is_finite());
                let number = number.ok_or_else(|| format!("{shown} is not a number"))?;
                if let Some(least) = self.limits.0.filter(|least| number < *least) {
                    return Err(format!("{shown} is less than {least}"));
                }
                if let Some(most) = self.limits.1.filter(|most| number > *most) {
                    return Err(format!("{shown} is more than {most}"));
                }
            }
            Kind::Boolean => match value.to_ascii_lowercase().as_str() {
                "y" | "yes" | "true" => return Ok("true".to_owned()),
                "n" | "no" | "false" => return Ok("false".to_owned()),
                _ => return Err(format!("{shown} is neither true nor false")),
            },
            Kind::Path => {
                // The server may run in another folder, and no shell has read this.
                let value = with_home(value, std::env::var("HOME").ok().as_deref());
                let whole = std::path::absolute(&value);
                return whole.map_or(Ok(value), |path| Ok(path.display().to_string()));
            }
            Kind::Text => {}
        }
        if !self.choices.is_empty() && !self.choices.contains(&value) {
            return Err(format!("{shown} is not among {}", self.choices.join(", ")));
        }
        Ok(value)
    }

    /// What the person is asked: texts of others have no line breaks that could pass for lines of this program.
    fn question(&self) -> String {
        let title = if self.title.is_empty() { &self.key } else { &self.title };
        let mut about = Vec::new();
        match self.kind {
            Kind::Number => about.push("number".to_owned()),
            Kind::Boolean => about.push("yes or no".to_owned()),
            Kind::Path => about.push("path".to_owned()),
            Kind::Text => {}
        }
        if self.is_multiple {
            about.push("one, or several as a JSON list".to_owned());
        }
        if !self.choices.is_empty() {
            about.push(self.choices.iter().map(|one| one_line(one)).collect::<Vec<_>>().join(" | "));
        }
        if self.is_required {
            about.push("required".to_owned());
        }
        let mut question = one_line(title);
        if !about.is_empty() {
            question = format!("{question} ({})", about.join(", "));
        }
        if !self.description.is_empty() {
            question = format!("{question} – {}", one_line(&self.description));
        }
        if let Some(default) = self.default.as_ref().filter(|_| !self.is_secret) {
            let default: Vec<String> = default.each().iter().map(|one| one_line(one)).collect();
            question = format!("{question} [{}]", default.join(", "));
        }
        question + ": "
    }

    /// What the person writes; `None` where that is nothing.
    fn ask(&self) -> Result<Option<Given>, Failure> {
        for _ in 0..ATTEMPTS {
            let question = self.question();
            let line =
                if self.is_secret { questions::hidden(&question)? } else { questions::read(&question)? };
            let line = line.ok_or_else(Failure::interrupted)?;
            if line.is_empty() {
                match &self.default {
                    None if self.is_required => Screen::note("  it is required"),
                    other => return Ok(other.clone()),
                }
                continue;
            }
            match self.values(&line) {
                Ok(values) => return Ok(Some(values)),
                Err(why) => Screen::note(format!("  {}", one_line(&why))),
            }
        }
        Err(Failure::usage(format!("'{}' has no value that fits", self.key)))
    }
}

/// A path with the folder of the person in the place of a `~` at its beginning.
fn with_home(path: String, home: Option<&str>) -> String {
    let rest = path.strip_prefix('~').filter(|rest| rest.is_empty() || rest.starts_with('/'));
    match (rest, home.filter(|home| !home.is_empty())) {
        (Some(rest), Some(home)) => format!("{}{rest}", home.trim_end_matches('/')),
        _ => path,
    }
}

/// How often a person may correct a value.
const ATTEMPTS: u32 = 5;

/// The variable of the environment for a secret of a server.
pub fn variable_of(server: &str, name: &str) -> String {
    let letter = |c: char| if c.is_ascii_alphanumeric() { c.to_ascii_uppercase() } else { '_' };
    let name: String = format!("{server}_{name}").chars().map(letter).collect();
    if name.starts_with(|c: char| c.is_ascii_digit()) { format!("_{name}") } else { name }
}

/// The values of all settings for a server that is kept under a name. A secret is kept as a reference, unless its value is wanted; then it is
/// never asked for here.
pub fn gather(
    server: &str,
    settings: &[Setting],
    given: &BTreeMap<&str, &str>,
    used: Use<'_>,
    asks: bool,
) -> Result<Answers, Failure> {
    if let Some(name) = given.keys().find(|name| !settings.iter().any(|one| one.key == **name)) {
        let known = settings.iter().map(|one| one.key.as_str());
        let near = crate::commands::did_you_mean(name, known.clone());
        let has: Vec<String> = known.map(one_line).collect();
        let has = if has.is_empty() {
            "it asks for nothing".to_owned()
        } else {
            format!("it asks for {}", has.join(", "))
        };
        return Err(Failure::usage(format!("--input {name}: '{server}' does not ask for this; {has}{near}")));
    }
    let mut all = Answers::default();
    let mut missing = Vec::new();
    for setting in settings {
        let wrong = |why: String| Failure::usage(format!("--input {}: {why}", setting.key));
        let own =
            given.get(setting.key.as_str()).map(|text| setting.values(text).map_err(wrong)).transpose()?;
        if let Use::File(reference) = used
            && setting.is_secret
        {
            if own.is_some() || setting.is_required {
                let is_reference =
                    |own: &Given| own.each().iter().all(|one| crate::servers::is_reference(one));
                let kept = match own.filter(is_reference) {
                    Some(own) => own,
                    None => {
                        let variable = variable_of(server, &setting.key);
                        let reference = Given::One(reference(&variable).ok_or_else(|| {
                            Failure::usage("this file takes no variables, and a secret is not written into it: leave out --to")
                        })?);
                        all.variables.push((variable, one_line(&setting.key)));
                        reference
                    }
                };
                all.references.extend(kept.each().iter().cloned());
                all.values.insert(setting.key.clone(), kept);
            }
            continue;
        }
        let value = match own {
            Some(own) => Some(own),
            None if asks => setting.ask()?,
            None => setting.default.clone(),
        };
        match value.filter(|value| !value.is_empty()) {
            Some(value) => {
                all.values.insert(setting.key.clone(), value);
            }
            None if setting.is_required => missing.push(setting.key.as_str()),
            None => {}
        }
    }
    if missing.is_empty() {
        return Ok(all);
    }
    let fix: Vec<String> = missing.iter().map(|key| format!("--input {key}=VALUE")).collect();
    Err(Failure::usage(format!("'{server}' needs {}: give {}", missing.join(", "), fix.join(" "))))
}

/// A command as a shell would read it, so that a blank in a word does not look like the end of it.
pub fn in_words(words: &[String]) -> String {
    let quoted = words.iter().map(|word| {
        let plain = |c: char| c.is_ascii_alphanumeric() || "${}/._-+:=@,%*<>".contains(c);
        // `${…}` is a reference here, which no shell reads.
        let is_plain = !word.is_empty() && word.chars().all(plain);
        if is_plain { word.clone() } else { shlex::try_quote(word).unwrap_or(word.into()).into_owned() }
    });
    quoted.collect::<Vec<_>>().join(" ")
}

/// Rows of a name and a text of others, for the person.
pub fn write_rows(rows: &[(&str, String)]) {
    let mut all = Text::default();
    for (name, value) in rows {
        let name = format!("{name:10}");
        all.push(text![styled(STRONG, name), one_line(value), "\n"]);
    }
    Screen::note(all.trimmed());
}

/// Asks whether to go on; without a terminal the command line has the answer.
pub fn confirm(is_said: bool) -> Result<(), Failure> {
    if is_said {
        return Ok(());
    }
    if !Screen::can_ask() {
        return Err(Failure::usage(
            "without a terminal, --yes says that this is what you want; --dry-run shows the change alone",
        ));
    }
    if crate::questions::yes("Go on? [y/N] ")? {
        return Ok(());
    }
    Err(Failure::usage("nothing was changed"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn setting(key: &str, kind: Kind) -> Setting {
        Setting { key: key.to_owned(), kind, ..Setting::default() }
    }

    const NOW: bool = false;
    const FILE: bool = true;

    fn values(settings: &[Setting], given: &[(&str, &str)], is_file: bool) -> Result<String, String> {
        let given = given.iter().copied().collect();
        let reference = |variable: &str| Some(format!("${{{variable}}}"));
        let used = if is_file { Use::File(&reference) } else { Use::Now };
        let all = gather("my-notes", settings, &given, used, false).map_err(|failure| failure.text())?;
        let each = |(key, value): (&String, &Given)| match value {
            Given::One(one) => format!("{key}={one}"),
            Given::Many(list) => format!("{key}={list:?}"),
        };
        let variables = all.variables.iter().map(|(variable, _)| format!("set {variable}"));
        Ok(all.values.iter().map(each).chain(variables).collect::<Vec<_>>().join(" "))
    }

    #[test]
    fn values_fit_their_settings() {
        let number = Setting { limits: (Some(1.0), Some(9.0)), ..setting("n", Kind::Number) };
        let choice = Setting { choices: vec!["a".to_owned(), "b".to_owned()], ..setting("c", Kind::Text) };
        let many = Setting { is_multiple: true, ..setting("m", Kind::Text) };
        let settings = [number, choice, many, setting("b", Kind::Boolean), setting("p", Kind::Path)];
        let of = |key: &str, value: &str| values(&settings, &[(key, value)], NOW);
        for (key, value, is) in [
            ("n", "5", "n=5"),
            ("c", "b", "c=b"),
            ("m", "x", "m=[\"x\"]"),
            ("m", "[\"x\",\"y\"]", "m=[\"x\", \"y\"]"),
            ("b", "yes", "b=true"),
            ("p", "/x", "p=/x"),
        ] {
            assert_eq!(of(key, value).as_deref(), Ok(is));
        }
        for (key, value, why) in [
            ("n", "x", "'x' is not a number"),
            ("n", "0", "'0' is less than 1"),
            ("n", "10", "'10' is more than 9"),
            ("n", "NaN", "is not a number"),
            ("c", "d", "'d' is not among a, b"),
            ("b", "x", "neither true nor false"),
            ("nn", "x", "does not ask for this"),
        ] {
            assert!(of(key, value).is_err_and(|said| said.contains(why)), "{key}={value}");
        }
        assert!(of("p", "x").is_ok_and(|path| path.starts_with("p=/") && path.ends_with("/x")));
    }

    #[test]
    fn a_path_may_begin_with_the_folder_of_the_person() {
        for (path, is) in [
            ("~/Documents", "/home/me/Documents"),
            ("~", "/home/me"),
            ("~other/x", "~other/x"),
            ("a/~/b", "a/~/b"),
            ("/x", "/x"),
        ] {
            assert_eq!(with_home(path.to_owned(), Some("/home/me/")), is);
            assert_eq!(with_home(path.to_owned(), None), path);
        }
    }

    #[test]
    fn a_name_that_says_so_makes_a_secret() {
        let with = |key: &str, kind: Kind, default: Option<&str>| Setting {
            default: default.map(|text| Given::One(text.to_owned())),
            ..setting(key, kind)
        };
        for (one, is_secret) in [
            (with("OPENAI_API_KEY", Kind::Text, None), true),
            (with("Authorization", Kind::Text, None), true),
            (with("KEYBOARD", Kind::Text, Some("us")), false),
            (with("TOKEN_LIMIT", Kind::Number, None), false),
            (with("author", Kind::Text, None), false),
            (with("key_file", Kind::Path, None), false),
            (with("city", Kind::Text, None), false),
        ] {
            assert_eq!(one.clone().secret_by_name().is_secret, is_secret, "{}", one.key);
        }
    }

    #[test]
    fn a_default_is_enough_and_what_is_missing_is_named() {
        let required = Setting { is_required: true, ..setting("r", Kind::Text) };
        let with = Setting { default: Some(Given::One("d".to_owned())), ..required.clone() };
        assert_eq!(values(&[with], &[], NOW).as_deref(), Ok("r=d"));
        assert_eq!(values(&[setting("o", Kind::Text)], &[], NOW).as_deref(), Ok(""));
        let other = Setting { key: "s".to_owned(), ..required.clone() };
        let why = values(&[required, other], &[], NOW).expect_err("missing");
        assert!(why.contains("needs r, s: give --input r=VALUE --input s=VALUE"), "{why}");
    }

    #[test]
    fn a_secret_is_a_reference_in_a_file_and_never_in_an_error() {
        let key = Setting { is_secret: true, is_required: true, ..setting("api-key", Kind::Text) };
        let of = |given: &[(&str, &str)]| values(std::slice::from_ref(&key), given, FILE);
        let reference = "api-key=${MY_NOTES_API_KEY} set MY_NOTES_API_KEY";
        assert_eq!(of(&[]).as_deref(), Ok(reference));
        assert_eq!(of(&[("api-key", "s3cret")]).as_deref(), Ok(reference));
        assert_eq!(of(&[("api-key", "${MINE}")]).as_deref(), Ok("api-key=${MINE}"));
        let optional = Setting { is_required: false, ..key.clone() };
        assert_eq!(values(&[optional], &[], FILE).as_deref(), Ok(""));
        let number = Setting { kind: Kind::Number, ..key };
        let why = values(&[number], &[("api-key", "s3cret")], NOW).expect_err("no number");
        assert!(!why.contains("s3cret"), "{why}");
        assert_eq!(variable_of("3d-x", "k"), "_3D_X_K");
    }

    #[test]
    fn a_question_is_one_line() {
        let one = Setting {
            title: "Key\nmcp: all is well".to_owned(),
            description: "a\u{1b}[2J".to_owned(),
            ..setting("k", Kind::Number)
        };
        assert_eq!(one.question().lines().count(), 1);
        assert!(!one.question().contains('\u{1b}'));
    }
}
