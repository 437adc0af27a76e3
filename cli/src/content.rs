//! Contents of results for people: text as it is, images, audio and files as their type and size, saved on request.

use crate::failure::Failure;
use crate::output::{FAINT, Screen, Text, indented, one_line, size, styled, text};
use base64::Engine as _;
use mcp::client::json_text::{Kind, elements, kind, member, members, string};
use std::path::{Path, PathBuf};

/// The result of a tool: structured content first, then what else there is.
pub fn of_tool(result: &str, save: Option<&Path>) -> Result<Text, Failure> {
    let mut text = Text::default();
    let structured = member(result, "structuredContent").filter(|it| kind(it) != Some(Kind::Null));
    if let Some(structured) = structured {
        text.push(indented(structured));
        text.push("\n");
    }
    let content = member(result, "content").filter(|content| kind(content) == Some(Kind::Array));
    let own = ["content", "isError", "_meta", "resultType"];
    if structured.is_none() && content.is_none() && members(result).any(|(name, _)| !own.contains(&name)) {
        // Some servers answer in a form of their own.
        text.push(indented(result));
        text.push("\n");
    }
    let blocks: Vec<&str> = elements(content.unwrap_or("[]")).collect();
    for (number, block) in blocks.iter().enumerate() {
        if structured.is_some_and(|structured| repeats(block, structured)) {
            continue;
        }
        push_block(&mut text, block, save, number)?;
    }
    Ok(text)
}

/// Writes the result of a tool. One that has nothing in it is told.
pub fn show_tool(screen: Screen, result: &str, save: Option<&Path>) -> Result<(), Failure> {
    let text = of_tool(result, save)?;
    if text.is_empty() {
        Screen::note("the tool's result is empty: its 'content' has no blocks");
        return Ok(());
    }
    screen.write(text)
}

/// Whether a text says the same as the structured content: servers send it for older clients.
fn repeats(block: &str, structured: &str) -> bool {
    let Some(text) = member(block, "text").and_then(string) else { return false };
    let parsed = |text: &str| serde_json::from_str::<serde_json::Value>(text).ok();
    let Some(structured) = parsed(structured) else { return false };
    // FastMCP wraps what is not an object: {"result": VALUE}.
    let wrapped = structured.as_object().filter(|it| it.len() == 1).and_then(|it| it.get("result"));
    wrapped.is_some_and(|value| value.as_str() == Some(&*text))
        || parsed(&text).is_some_and(|value| value == structured || Some(&value) == wrapped)
}

/// The contents of a resource.
pub fn of_resource(result: &str, save: Option<&Path>) -> Result<Text, Failure> {
    let mut text = Text::default();
    for (number, contents) in elements(member(result, "contents").unwrap_or("[]")).enumerate() {
        push_contents(&mut text, contents, save, number)?;
    }
    Ok(text)
}

/// The messages of a prompt.
pub fn of_prompt(result: &str, save: Option<&Path>) -> Result<Text, Failure> {
    let mut text = Text::default();
    for (number, message) in elements(member(result, "messages").unwrap_or("[]")).enumerate() {
        let role = member(message, "role").and_then(string).unwrap_or_default();
        text.push(text![styled(FAINT, format!("{}:", one_line(&role))), "\n"]);
        push_block(&mut text, member(message, "content").unwrap_or("{}"), save, number)?;
    }
    Ok(text)
}

/// The bytes of the only content of a result of a tool, a resource or a prompt.
pub fn bytes(result: &str) -> Result<Vec<u8>, Failure> {
    let listed = ["content", "contents"].into_iter().find_map(|name| member(result, name)).unwrap_or("[]");
    let messages =
        elements(member(result, "messages").unwrap_or("[]")).filter_map(|one| member(one, "content"));
    let all: Vec<&str> = elements(listed).chain(messages).collect();
    let [only] = all[..] else {
        return Err(Failure::usage(format!(
            "'--save -' is for one content, and there are {}: give a folder",
            all.len()
        )));
    };
    let inside = member(only, "resource").unwrap_or(only);
    let word = |name: &str| member(inside, name).and_then(string);
    match (word("text"), word("blob").or_else(|| word("data"))) {
        (Some(text), _) => Ok(text.into_owned().into_bytes()),
        (None, Some(data)) => {
            decoded(&data).ok_or_else(|| Failure::machine("the content is not valid Base64"))
        }
        (None, None) => Err(Failure::usage("the content has neither text nor bytes; -o json shows it")),
    }
}

fn push_block(text: &mut Text, block: &str, save: Option<&Path>, number: usize) -> Result<(), Failure> {
    let word = |name: &str| member(block, name).and_then(string).unwrap_or_default();
    match &*word("type") {
        "text" => push_text(text, &word("text")),
        kind @ ("image" | "audio") => {
            push_binary(
                text,
                kind,
                &word("mimeType"),
                &word("data"),
                &format!("{kind}-{}", number + 1),
                save,
            )?;
        }
        "resource" => push_contents(text, member(block, "resource").unwrap_or("{}"), save, number)?,
        "resource_link" => {
            push_note(text, &format!("[link: {} {}]", one_line(&word("name")), one_line(&word("uri"))));
        }
        other => push_note(text, &format!("[{}: {}]", one_line(other), one_line(block))),
    }
    Ok(())
}

fn push_contents(text: &mut Text, contents: &str, save: Option<&Path>, number: usize) -> Result<(), Failure> {
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
        save,
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
    save: Option<&Path>,
) -> Result<(), Failure> {
    let shown = one_line(media_type);
    let Some(bytes) = decoded(data) else {
        push_note(text, &format!("[{kind}: {shown}, not valid Base64]"));
        return Ok(());
    };
    let what = format!("{kind}: {shown}, {}", size(bytes.len()));
    match save {
        None => push_note(text, &format!("[{what}; --save FOLDER writes it to a file]")),
        Some(folder) => {
            let path = write(folder, &with_extension(name, media_type), &bytes)?;
            push_note(text, &format!("[{what}, saved as {}]", path.display()));
        }
    }
    Ok(())
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

/// Base64 with or without padding and line breaks, in both alphabets.
fn decoded(text: &str) -> Option<Vec<u8>> {
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
        assert_eq!(decoded("a"), None);
        assert_eq!(decoded("a*=="), None);
    }

    #[test]
    fn the_bytes_of_one_content_are_given() {
        let of = |result: &str| bytes(result).map_err(|failure| failure.text());
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
    fn a_text_that_repeats_the_structured_content_is_left_out() {
        let result = r#"{"structuredContent":{"sum":3},"content":[{"type":"text","text":"{ \"sum\": 3 }"},
            {"type":"text","text":"three"},{"type":"image","mimeType":"image/png","data":"aGVsbG8="}]}"#;
        let text = of_tool(result, None).expect("text");
        let text = text.as_str();
        assert!(text.starts_with("{\n  \"sum\": 3\n}\nthree\n"), "{text}");
        assert!(text.contains("image: image/png, 5 bytes; --save"), "{text}");
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
