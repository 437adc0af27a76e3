//! Contents of results for people: text as it is, images, audio and files as their type and size, saved on request.

use crate::failure::Failure;
use crate::output::{FAINT, Protocol, Screen, Text, counted, image, indented, one_line, size, styled, text};
use base64::Engine as _;
use mcp::client::json_text::{Kind, elements, kind, member, members, string};
use serde_json::Value;
use std::borrow::Cow;
use std::path::{Path, PathBuf};

/// What of a result is written, and where.
#[derive(Clone, Copy, Debug, Default)]
pub struct Wanted<'a> {
    /// The folder for what is not text.
    pub save: Option<&'a Path>,
    /// The new file for the bytes of one content.
    pub file: Option<&'a Path>,
    /// The bytes of one content, as they are.
    pub is_raw: bool,
    /// Only this content, from 1.
    pub block: Option<usize>,
    /// This one is in a file already, from 0.
    pub saved: Option<usize>,
    pub part: Part,
    /// How images are shown in the terminal; without it, their type and size are.
    pub images: Option<Protocol>,
}

/// What of the result of a tool.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Part {
    /// Its contents, and the structured content where that says more.
    #[default]
    All,
    Text,
    Structured,
}

impl Wanted<'_> {
    /// Of several contents those that are wanted, with their numbers from 0.
    fn of<'b>(&self, blocks: &[&'b str]) -> Result<Vec<(usize, &'b str)>, Failure> {
        let numbered = || blocks.iter().copied().enumerate();
        let is_left = |(at, _): &(usize, &str)| self.saved != Some(*at);
        let Some(number) = self.block else { return Ok(numbered().filter(is_left).collect()) };
        match numbered().find(|(at, _)| at + 1 == number) {
            Some(one) => Ok(Some(one).into_iter().filter(is_left).collect()),
            None => {
                let count = counted(blocks.len(), "content");
                Err(Failure::usage(format!("--block {number}: the result has {count}")))
            }
        }
    }
}

/// The structured content of a result.
fn structured(result: &str) -> Option<&str> {
    member(result, "structuredContent").filter(|it| kind(it) != Some(Kind::Null))
}

/// The result of a tool: its contents as the server has them, and then the structured content, unless the texts say the same.
pub fn of_tool(result: &str, wanted: Wanted<'_>) -> Result<Text, Failure> {
    let mut text = Text::default();
    let structured = structured(result);
    let content = member(result, "content").filter(|content| kind(content) == Some(Kind::Array));
    let own = ["content", "isError", "_meta", "resultType"];
    if structured.is_none() && content.is_none() && members(result).any(|(name, _)| !own.contains(&name)) {
        // Some servers answer in a form of their own.
        text.push(indented(result));
        text.push("\n");
    }
    let blocks: Vec<&str> = elements(content.unwrap_or("[]")).collect();
    for (number, block) in wanted.of(&blocks)? {
        if wanted.part == Part::All || text_of(block).is_some() {
            push_block(&mut text, block, wanted, number)?;
        }
    }
    if wanted.part == Part::Text && text.is_empty() && wanted.saved.is_none() {
        return Err(Failure::usage("the result has no text; without --text all of it is shown"));
    }
    let texts: Vec<Cow<'_, str>> = blocks.iter().filter_map(|block| said_in(block)).collect();
    let more = structured.filter(|structured| !says(&texts, structured));
    if let Some(structured) = more.filter(|_| wanted.part == Part::All && wanted.block.is_none()) {
        if text.as_str().trim().is_empty() {
            // Servers that have only structured content may write an empty text beside it.
            text = Text::default();
        } else {
            text.push("\n");
        }
        text.push(indented(structured));
        text.push("\n");
    }
    Ok(text)
}

/// Writes the result of a tool. One that has nothing in it is told.
pub fn show_tool(screen: Screen, result: &str, wanted: Wanted<'_>) -> Result<(), Failure> {
    let is_data = screen.format.is_data();
    match wanted.part {
        Part::Structured => {
            let missing = || {
                Failure::usage(
                    "the result has no structured content; without --structured all of it is shown",
                )
            };
            return screen.json(structured(result).ok_or_else(missing)?);
        }
        Part::Text if is_data => {
            let text = of_tool(result, wanted)?;
            return screen.json(&mcp::client::json_text::quote(text.as_str().trim_end_matches('\n')));
        }
        _ if is_data => return screen.json(result),
        _ => {}
    }
    let text = of_tool(result, wanted)?;
    if text.is_empty() {
        Screen::said("the tool's result is empty: its 'content' has no blocks");
        return Ok(());
    }
    screen.write(text)
}

/// The text of a block: its own, or that of the resource in it.
fn said_in(block: &str) -> Option<Cow<'_, str>> {
    text_of(block).or_else(|| member(member(block, "resource")?, "text").and_then(string))
}

/// The text of a block of text.
fn text_of(block: &str) -> Option<Cow<'_, str>> {
    member(block, "text").and_then(string)
}

/// Whether the texts say the same as the structured content: servers send them for older clients.
fn says(texts: &[Cow<'_, str>], structured: &str) -> bool {
    let parsed = |text: &str| serde_json::from_str::<Value>(text).ok();
    let Some(structured) = parsed(structured) else { return false };
    // Servers in Python write some values in the words of that language.
    let in_python = |text: &str, value: &Value| {
        matches!(
            (text.trim(), value),
            ("True", Value::Bool(true)) | ("False", Value::Bool(false)) | ("None", Value::Null)
        )
    };
    let is = |text: &str, value: &Value| {
        in_python(text, value)
            || value.as_str().is_some_and(|value| value.trim_end() == text.trim_end())
            || parsed(unfenced(text)).is_some_and(|text| same(&text, value))
    };
    let joined = [texts.join("\n"), texts.concat()];
    // Many servers wrap what is not an object, such as FastMCP: {"result": VALUE}; of an array each element may be a text of its own.
    let inner = structured.as_object().filter(|it| it.len() == 1).and_then(|it| it.values().next());
    let all_are = |list: &Vec<Value>, texts: &[&str]| {
        !texts.is_empty()
            && list.len() == texts.len()
            && list.iter().zip(texts).all(|(value, text)| is(text, value))
    };
    let each = |list: &Vec<Value>| {
        let whole: Vec<&str> = texts.iter().map(|text| &**text).collect();
        let lines: Vec<&str> = joined[0].lines().collect();
        all_are(list, &whole) || all_are(list, &lines)
    };
    texts.iter().any(|text| parsed(unfenced(text)).is_some_and(|text| same(&text, &structured)))
        || !texts.is_empty() && joined.iter().any(|text| is(text, &structured))
        || inner.is_some_and(|inner| {
            !texts.is_empty() && joined.iter().any(|text| is(text, inner))
                || inner.as_array().is_some_and(each)
        })
        || structured.as_array().is_some_and(each)
}

/// The inside of a text that is one block of code in Markdown.
fn unfenced(text: &str) -> &str {
    let inside = text.trim().strip_prefix("```").and_then(|rest| rest.strip_suffix("```"));
    inside.and_then(|inside| inside.split_once('\n')).map_or(text, |(_, inside)| inside)
}

/// Whether two values are the same, where `1` and `1.0` are: languages write one number in several ways.
pub fn same(one: &Value, other: &Value) -> bool {
    match (one, other) {
        (Value::Number(a), Value::Number(b)) => {
            a == b || (a.as_f64().is_some() && a.as_f64() == b.as_f64() && is_exact(a) && is_exact(b))
        }
        (Value::Array(a), Value::Array(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b)),
        (Value::Object(a), Value::Object(b)) => {
            a.len() == b.len() && a.iter().all(|(name, a)| b.get(name).is_some_and(|b| same(a, b)))
        }
        _ => one == other,
    }
}

/// Whether a double holds the number: what has more digits is compared as it is written.
fn is_exact(number: &serde_json::Number) -> bool {
    number.to_string().bytes().filter(u8::is_ascii_digit).count() <= 15
}

/// The contents of a resource.
pub fn of_resource(result: &str, wanted: Wanted<'_>) -> Result<Text, Failure> {
    let mut text = Text::default();
    let all: Vec<&str> = elements(member(result, "contents").unwrap_or("[]")).collect();
    for (number, contents) in wanted.of(&all)? {
        push_contents(&mut text, contents, wanted, number)?;
    }
    Ok(text)
}

/// The messages of a prompt.
pub fn of_prompt(result: &str, wanted: Wanted<'_>) -> Result<Text, Failure> {
    let mut text = Text::default();
    let all: Vec<&str> = elements(member(result, "messages").unwrap_or("[]")).collect();
    for (number, message) in wanted.of(&all)? {
        let role = member(message, "role").and_then(string).unwrap_or_default();
        text.push(text![styled(FAINT, format!("{}:", one_line(&role))), "\n"]);
        push_block(&mut text, member(message, "content").unwrap_or("{}"), wanted, number)?;
    }
    Ok(text)
}

/// The bytes of one content of a result of a tool, a resource or a prompt: the only one, or that of `--block`; and its number from 0.
fn bytes(result: &str, wanted: Wanted<'_>) -> Result<(usize, Vec<u8>), Failure> {
    let listed = ["content", "contents"].into_iter().find_map(|name| member(result, name)).unwrap_or("[]");
    let messages = elements(member(result, "messages").unwrap_or("[]"));
    let messages = messages.map(|one| member(one, "content").unwrap_or("{}"));
    let all: Vec<&str> = elements(listed).chain(messages).collect();
    let mut chosen = wanted.of(&all)?;
    if wanted.file.is_some() && chosen.len() > 1 {
        // A file is for what is not text: text is shown.
        let has_bytes = |(_, one): &(usize, &str)| {
            let inside = member(one, "resource").unwrap_or(one);
            ["data", "blob"].iter().any(|name| member(inside, name).is_some())
        };
        let with_bytes: Vec<_> = chosen.iter().copied().filter(has_bytes).collect();
        chosen = if with_bytes.len() == 1 { with_bytes } else { chosen };
    }
    let [(at, only)] = chosen[..] else {
        return Err(Failure::usage(format!(
            "the bytes of one content are wanted, and there are {}: choose one with --block NUMBER, or give --save a folder",
            all.len()
        )));
    };
    let inside = member(only, "resource").unwrap_or(only);
    let word = |name: &str| member(inside, name).and_then(string);
    let bytes = match (word("text"), word("blob").or_else(|| word("data"))) {
        (Some(text), _) => Ok(text.into_owned().into_bytes()),
        (None, Some(data)) => {
            decoded(&data).ok_or_else(|| Failure::machine("the content is not valid Base64"))
        }
        (None, None) => Err(Failure::usage("the content has neither text nor bytes; -o json shows it")),
    };
    Ok((at, bytes?))
}

/// Writes a result to where it is wanted; `show` writes it, or what is wanted of it, for the person. What cannot be saved is shown all the
/// same, with the complaint: what was done for it should not have to be done again.
pub fn write_to(
    screen: Screen,
    result: &str,
    wanted: Wanted<'_>,
    shown: impl Fn(Wanted<'_>) -> Result<Text, Failure>,
    show: impl Fn(Wanted<'_>) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let plain = Wanted { save: None, file: None, is_raw: false, block: None, ..wanted };
    let written = match wanted.file {
        Some(path) => match save(path, result, wanted) {
            Ok(at) => {
                let text = shown(Wanted { saved: Some(at), ..wanted })?;
                return if text.is_empty() || screen.format.is_data() { Ok(()) } else { screen.write(text) };
            }
            Err(failure) => Err(failure),
        },
        None if wanted.is_raw => match bytes(result, wanted) {
            // What reads it has ended if that fails.
            Ok((_, bytes)) => return screen.own(&bytes),
            Err(failure) => Err(failure),
        },
        None => show(wanted),
    };
    if written.is_err() {
        if wanted.is_raw {
            Screen::note(shown(plain)?.trimmed());
        } else if wanted.file.or(wanted.save).is_some() {
            show(plain)?;
        }
    }
    written
}

fn push_block(text: &mut Text, block: &str, wanted: Wanted<'_>, number: usize) -> Result<(), Failure> {
    let word = |name: &str| member(block, name).and_then(string).unwrap_or_default();
    match &*word("type") {
        "text" if text_of(block).is_some() => push_text(text, &word("text")),
        kind @ ("image" | "audio") => {
            push_binary(
                text,
                kind,
                &word("mimeType"),
                &word("data"),
                &format!("{kind}-{}", number + 1),
                wanted,
            )?;
        }
        "resource" => push_contents(text, member(block, "resource").unwrap_or("{}"), wanted, number)?,
        "resource_link" => {
            push_note(text, &format!("[link: {} {}]", one_line(&word("name")), one_line(&word("uri"))));
        }
        "" => push_note(text, &format!("[content without a type: {}]", one_line(block))),
        other => push_note(text, &format!("[{}: {}]", one_line(other), one_line(block))),
    }
    Ok(())
}

fn push_contents(text: &mut Text, contents: &str, wanted: Wanted<'_>, number: usize) -> Result<(), Failure> {
    let word = |name: &str| member(contents, name).and_then(string);
    if let Some(inside) = word("text") {
        push_text(text, &inside);
        return Ok(());
    }
    let uri = word("uri").unwrap_or_default();
    let name = uri
        .rsplit('/')
        .find(|part| !part.is_empty())
        .map_or_else(|| format!("resource-{}", number + 1), file_name);
    push_binary(
        text,
        "file",
        &word("mimeType").unwrap_or_default(),
        &word("blob").unwrap_or_default(),
        &name,
        wanted,
    )
}

fn push_text(text: &mut Text, inside: &str) {
    text.push(inside);
    if !inside.ends_with('\n') {
        text.push("\n");
    }
}

fn push_note(text: &mut Text, note: &str) {
    text.push(text![styled(FAINT, note), "\n"]);
}

fn push_binary(
    text: &mut Text,
    kind: &str,
    media_type: &str,
    data: &str,
    name: &str,
    wanted: Wanted<'_>,
) -> Result<(), Failure> {
    let shown = if media_type.is_empty() { "of an unknown type".into() } else { one_line(media_type) };
    let Some(bytes) = decoded(data) else {
        push_note(text, &format!("[{kind}: {shown}, not valid Base64]"));
        return Ok(());
    };
    let what = format!("{kind}: {shown}, {}", size(bytes.len()));
    let shown = wanted.images.filter(|_| kind == "image" || media_type.starts_with("image/"));
    match wanted.save {
        None => match shown.and_then(|protocol| image(protocol, &bytes)) {
            Some(image) => text.push(image),
            None => push_note(text, &format!("[{what}; --save FOLDER writes it to a file]")),
        },
        Some(folder) => {
            let path = write(folder, &with_extension(name, media_type), &bytes)?;
            push_note(text, &format!("[{what}, saved as {}]", path.display()));
        }
    }
    Ok(())
}

/// Whether the path of `--save` is that of a file: one that is there, or a name with an ending where no folder is.
pub fn is_file(path: &Path) -> bool {
    let names_folder = path.as_os_str().as_encoded_bytes().ends_with(b"/");
    !names_folder && !path.is_dir() && (path.extension().is_some() || path.symlink_metadata().is_ok())
}

/// Why a file of `--save` is not written.
fn unsaved(path: &Path, error: &std::io::Error) -> Failure {
    let shown = one_line(&path.display().to_string());
    match error.kind() {
        std::io::ErrorKind::AlreadyExists => {
            Failure::usage(format!("--save {shown}: it is there already, and no file is overwritten"))
        }
        _ => Failure::machine(format!("--save {shown}: it cannot be written: {error}")),
    }
}

/// Refuses a file that could not be written, before anything is asked for what is to be in it.
///
/// # Errors
/// It is there, or its folder is not.
pub fn may_be_saved(path: &Path) -> Result<(), Failure> {
    if path.symlink_metadata().is_ok() {
        return Err(unsaved(path, &std::io::ErrorKind::AlreadyExists.into()));
    }
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    match folder.filter(|folder| !folder.is_dir()) {
        None => Ok(()),
        Some(folder) => Err(Failure::usage(format!(
            "--save {}: there is no folder {}; make it first",
            one_line(&path.display().to_string()),
            one_line(&folder.display().to_string())
        ))),
    }
}

/// Writes the bytes of one content into a new file, which is said, and gives its number from 0.
fn save(path: &Path, result: &str, wanted: Wanted<'_>) -> Result<usize, Failure> {
    use std::io::Write as _;
    let (at, bytes) = bytes(result, wanted)?;
    let mut file = std::fs::File::create_new(path).map_err(|error| unsaved(path, &error))?;
    file.write_all(&bytes).map_err(|error| unsaved(path, &error))?;
    let shown = one_line(&path.display().to_string());
    Screen::note(styled(FAINT, format!("{shown}: {}", size(bytes.len()))));
    Ok(at)
}

/// Writes a new file: one that is there is never overwritten.
fn write(folder: &Path, name: &str, bytes: &[u8]) -> Result<PathBuf, Failure> {
    use std::io::Write as _;
    let failed = |path: &Path, error: std::io::Error| {
        Failure::machine(format!("cannot write {}: {error}", path.display()))
    };
    std::fs::create_dir_all(folder).map_err(|error| failed(folder, error))?;
    let (stem, extension) =
        name.rsplit_once('.').map_or((name, String::new()), |(stem, end)| (stem, format!(".{end}")));
    for number in 1..=1000 {
        let name = if number == 1 { name.to_owned() } else { format!("{stem}-{number}{extension}") };
        let path = folder.join(name);
        match std::fs::File::create_new(&path) {
            Ok(mut file) => {
                file.write_all(bytes).map_err(|error| failed(&path, error))?;
                return Ok(path);
            }
            Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(failed(&path, error)),
        }
    }
    Err(Failure::machine(format!("{} has 1000 files called {name} already", folder.display())))
}

/// A name that stays in its folder, from the last part of a URI.
fn file_name(part: &str) -> String {
    let is_fine = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_');
    let name: String = part.chars().map(|c| if is_fine(c) { c } else { '_' }).take(100).collect();
    // Neither an option of the next program that gets it nor a hidden file.
    let name = name.trim_start_matches(['.', '-']).to_owned();
    if name.is_empty() { "resource".to_owned() } else { name }
}

fn with_extension(name: &str, media_type: &str) -> String {
    if name.contains('.') {
        return name.to_owned();
    }
    let extension = match media_type.split(';').next().unwrap_or_default().trim() {
        "image/jpeg" => "jpg",
        "image/svg+xml" => "svg",
        "audio/mpeg" => "mp3",
        "text/plain" => "txt",
        "application/octet-stream" | "" => "bin",
        other => other.rsplit_once('/').map_or("bin", |(_, kind)| kind),
    };
    format!("{name}.{}", file_name(extension))
}

/// Base64 with or without padding and line breaks, in both alphabets, also behind `data:image/png;base64,`, as some servers write it.
fn decoded(text: &str) -> Option<Vec<u8>> {
    let text = text.strip_prefix("data:").and_then(|url| Some(url.split_once(";base64,")?.1)).unwrap_or(text);
    let is_padding = |c: char| c == '=' || c.is_ascii_whitespace();
    let text = text.trim_end_matches(is_padding);
    let text: String = text
        .chars()
        .filter(|c| !c.is_ascii_whitespace())
        .map(|c| match c {
            '-' => '+',
            '_' => '/',
            c => c,
        })
        .collect();
    base64::engine::general_purpose::STANDARD_NO_PAD.decode(text).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base64_is_decoded() {
        assert_eq!(decoded("aGVsbG8=").as_deref(), Some(&b"hello"[..]));
        assert_eq!(decoded("aGVs\nbG8").as_deref(), Some(&b"hello"[..]));
        assert_eq!(decoded("").as_deref(), Some(&b""[..]));
        assert_eq!(decoded("data:text/plain;base64,aGVsbG8=").as_deref(), Some(&b"hello"[..]));
        assert_eq!(decoded("data:aGVsbG8="), None);
        assert_eq!(decoded("a"), None);
        assert_eq!(decoded("a*=="), None);
    }

    #[test]
    fn the_bytes_of_one_content_are_given() {
        let of = |result: &str| {
            bytes(result, Wanted::default()).map(|(_, bytes)| bytes).map_err(|failure| failure.text())
        };
        assert_eq!(of(r#"{"content":[{"type":"image","data":"aGk="}]}"#), Ok(b"hi".to_vec()));
        assert_eq!(of(r#"{"contents":[{"uri":"x:","text":"hi"}]}"#), Ok(b"hi".to_vec()));
        assert_eq!(
            of(r#"{"messages":[{"role":"user","content":{"type":"text","text":"hi"}}]}"#),
            Ok(b"hi".to_vec())
        );
        assert_eq!(of(r#"{"content":[{"type":"resource","resource":{"blob":"aGk="}}]}"#), Ok(b"hi".to_vec()));
        assert!(of(r#"{"content":[]}"#).is_err_and(|why| why.contains("there are 0")));
        assert!(of(r#"{"content":[{"type":"resource_link"}]}"#).is_err());
    }

    #[test]
    fn a_name_stays_in_its_folder() {
        assert_eq!(file_name("..%2f..%2fetc"), "_2f.._2fetc");
        for (part, name) in [("...", "resource"), ("-rf", "rf"), (".-.x", "x"), ("--", "resource")] {
            assert_eq!(file_name(part), name);
        }
        assert_eq!(with_extension("a", "image/png; x=y"), "a.png");
        assert_eq!(with_extension("a.b", "image/png"), "a.b");
        assert_eq!(with_extension("a", "x/../../y"), "a.y");
    }

    #[test]
    fn what_is_not_written_as_specified_is_shown() {
        for (block, shown) in [
            (r#"{"type":"text","text":5}"#, r#"[text: {"type":"text","text":5}]"#),
            (r#"{"text":"x"}"#, r#"[content without a type: {"text":"x"}]"#),
            (r#"{"type":"image","data":"aGk="}"#, "[image: of an unknown type, 2 bytes"),
        ] {
            let result = format!("{{\"content\":[{block}]}}");
            let text = of_tool(&result, Wanted::default()).expect("a text");
            assert!(text.as_str().contains(shown), "{}", text.as_str());
        }
    }

    #[test]
    fn a_result_is_written_once() {
        let of = |structured: &str, texts: &[&str]| {
            let blocks: Vec<Value> =
                texts.iter().map(|text| serde_json::json!({"type": "text", "text": text})).collect();
            let result =
                format!("{{\"structuredContent\":{structured},\"content\":{}}}", Value::from(blocks));
            of_tool(&result, Wanted::default()).expect("text").as_str().to_owned()
        };
        for (structured, texts) in [
            (r#"{"sum":3}"#, &["{ \"sum\": 3 }"][..]),
            (r#"{"sum":3}"#, &["three", "{\"sum\":3}"]),
            (r#"{"result":"a b"}"#, &["a b\n"]),
            (r#"{"text":"a\nb"}"#, &["a", "b"]),
            (r#"{"result":4711}"#, &["4711"]),
            (r#"{"result":["a","b"]}"#, &["a", "b"]),
            (r#"{"result":[{"x":1},2]}"#, &["{\"x\":1}", "2"]),
            ("[1]", &["[1]"]),
            (r#""ok""#, &["ok"]),
            // The same in other words: another number, a block of code, a line for each element, words of Python.
            (r#"{"result":1}"#, &["1.0"]),
            (r#"{"a":1}"#, &["```json\n{\"a\": 1}\n```"]),
            (r#"{"result":[1,2]}"#, &["1\n2"]),
            (r#"{"result":true}"#, &["True"]),
            (r#"{"result":null}"#, &["None"]),
        ] {
            assert_eq!(of(structured, texts).trim_end(), texts.join("\n").trim_end(), "{structured}");
        }
        for (structured, text) in
            [(r#"{"result":12345678901234567891}"#, "12345678901234567890"), (r#"{"result":[1,2]}"#, "1\n3")]
        {
            assert!(of(structured, &[text]).contains("\"result\""), "{structured}");
        }
        let embedded = r#"{"structuredContent":{"a":1},"content":[{"type":"resource","resource":{"uri":"x:","text":"{\"a\":1}"}}]}"#;
        assert_eq!(of_tool(embedded, Wanted::default()).expect("text").as_str(), "{\"a\":1}\n");
        assert_eq!(of(r#"{"sum":3}"#, &["three"]), "three\n\n{\n  \"sum\": 3\n}\n");
        assert_eq!(of(r#"{"sum":3}"#, &["", "\n"]), "{\n  \"sum\": 3\n}\n");
        assert_eq!(of(r#"{"result":""}"#, &[]), "{\n  \"result\": \"\"\n}\n");
    }

    #[test]
    fn a_part_of_a_result_is_chosen() {
        let result = r#"{"content":[{"type":"text","text":"a"},{"type":"image","mimeType":"image/png","data":"aGk="}]}"#;
        let with = |wanted: Wanted<'_>| of_tool(result, wanted).map(|text| text.as_str().to_owned());
        let text = Wanted { part: Part::Text, ..Wanted::default() };
        assert_eq!(with(text).expect("text"), "a\n");
        let second = Wanted { block: Some(2), ..Wanted::default() };
        assert!(with(second).expect("the image").contains("image/png, 2 bytes; --save"));
        assert_eq!(bytes(result, second).expect("its bytes"), (1, b"hi".to_vec()));
        assert!(bytes(result, Wanted::default()).expect_err("two").text().contains("--block NUMBER"));
        assert!(
            with(Wanted { block: Some(3), ..second }).expect_err("none").text().contains("has 2 contents")
        );
        assert!(with(Wanted { part: Part::Text, ..second }).is_err());
    }

    #[test]
    fn c3_a_file_gets_the_bytes_of_the_only_content_and_is_never_replaced() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = |name: &str| folder.path().join(name);
        std::fs::write(path("there"), "x").expect("written");
        for (name, is) in [
            ("a.png", true),
            ("images", false),
            ("a.png/", false),
            ("there", true),
            (".", false),
            ("", false),
        ] {
            assert_eq!(is_file(&path(name)), is, "{name}");
        }
        let text = r#"{"type":"text","text":"hi"}"#;
        let image = r#"{"type":"image","mimeType":"image/png","data":"AAE="}"#;
        for (name, blocks, block, saved) in [
            ("1", vec![image], None, Ok((&b"\0\x01"[..], ""))),
            ("2", vec![text, image, text], None, Ok((&b"\0\x01"[..], "hi\nhi\n"))),
            ("3", vec![text], None, Ok((&b"hi"[..], ""))),
            ("4", vec![text, image], Some(1), Ok((&b"hi"[..], ""))),
            ("5", vec![image, image], None, Err("--block NUMBER")),
            ("there", vec![image], None, Err("no file is overwritten")),
            ("none/x.png", vec![image], None, Err("cannot be written")),
        ] {
            let result = format!("{{\"content\":[{}]}}", blocks.join(","));
            let path = path(name);
            let wanted = Wanted { file: Some(&path), block, ..Wanted::default() };
            let may_be = may_be_saved(&path);
            assert_eq!(may_be.is_ok(), !name.contains('/') && name != "there", "{name}: {may_be:?}");
            match (save(&path, &result, wanted), saved) {
                (Ok(at), Ok((saved, rest))) => {
                    assert_eq!(std::fs::read(&path).expect("there"), saved, "{name}");
                    // What is not in the file is shown.
                    let shown = of_tool(&result, Wanted { saved: Some(at), ..wanted }).expect("a text");
                    assert_eq!(shown.as_str(), rest, "{name}");
                }
                (Err(why), Err(says)) => assert!(why.text().contains(says), "{}", why.text()),
                (done, _) => panic!("{name}: {done:?}"),
            }
        }
    }

    #[test]
    fn a_saved_file_never_replaces_another() {
        let folder = tempfile::tempdir().expect("a folder");
        let first = write(folder.path(), "a.png", b"1").expect("written");
        let second = write(folder.path(), "a.png", b"2").expect("written");
        assert_eq!(
            (first.file_name(), second.file_name()),
            (Some("a.png".as_ref()), Some("a-2.png".as_ref()))
        );
    }
}
