//! The files of the bindings, each filled in from a template: `xtask/src/bindings/templates/PLACE.j2` makes `bindings/PLACE`. What other
//! templates include has a name that begins with `_`.

use minijinja::{Error, ErrorKind};
use serde_json::{Value, json};

use super::constants::{Constant, Constants};
use super::functions::Function;
use super::model::{large_camel, small_camel, words, wrapped};
use super::{Written, go_types, java_types, swift_types};
use crate::checkout::{Checkout, files_below, read};
use crate::fill;

const FOLDER: &str = "xtask/src/bindings/templates";

/// All files, in the order of their places.
pub fn fill_in(checkout: &Checkout, context: &Value) -> Result<Vec<Written>, String> {
    let folder = checkout.root.join(FOLDER);
    let mut environment = fill::environment();
    environment.add_filter("handle", handle);
    environment.add_filter("xml", xml);
    environment.add_filter("block", |doc: &str, indent: &str| block(&doc.replace("*/", "* /"), indent, 110));
    environment.add_filter("docstring", docstring);
    environment.add_filter("js_key", js_key);
    environment.add_filter("upper_snake", upper_snake);
    environment.add_filter("small_camel", |name: &str| small_camel(name));
    environment.add_filter("slashes", |doc: &str, indent: &str| {
        lines(doc, &format!("{indent}///"), 112 - indent.len())
    });
    environment.add_filter("go_columns", go_columns);
    environment.add_filter("go_doc", |doc: &str, indent: &str| lines(doc, &format!("{indent}//"), 116));
    environment.add_filter("go_name", go_types::camel);
    environment.add_filter("go_small", go_types::small);
    environment.add_filter("javadoc", javadoc);
    environment.add_filter("java_constants", |words: Vec<String>| {
        minijinja::Value::from_serialize(java_types::constants(&words))
    });
    environment.add_filter("java_text", java_types::escaped);
    environment.add_filter("java_type", java_types::type_name);
    environment.add_filter("swift_name", swift_types::escaped);
    environment.add_filter("swift_type", swift_types::type_name);
    environment.add_filter("swift_case", swift_types::case_name);
    environment.add_filter("swift_cases", |words: Vec<String>| {
        minijinja::Value::from_serialize(swift_types::cases(words))
    });
    environment.add_function("unknown", unknown);
    let mut places = Vec::new();
    for path in files_below(&folder)? {
        let place = path.strip_prefix(&folder).unwrap_or(&path).to_string_lossy();
        let Some(place) = place.strip_suffix(".j2") else { continue };
        environment.add_template_owned(place.to_owned(), read(&path)?).map_err(|error| told(&error))?;
        if !place.split('/').next_back().is_some_and(|name| name.starts_with('_') && !name.contains('.')) {
            places.push(place.to_owned());
        }
    }
    places.sort();
    let one = |place: String| {
        let text = environment.get_template(&place).and_then(|it| it.render(context));
        Ok(Written { text: text.map_err(|error| told(&error))?, place })
    };
    places.into_iter().map(one).collect()
}

/// What a template fails for, with its place.
fn told(error: &Error) -> String {
    format!("{FOLDER}: {error:#}")
}

/// The numbers and functions of the header.
pub fn of_header(numbers: &Constants, functions: &[Function], declarations: &str) -> Value {
    let table = |table: &[Constant]| -> Vec<Value> {
        let one = |it: &Constant| json!({"name": it.name, "value": it.value, "comment": it.comment, "camel": it.camel(), "lower": it.lower()});
        table.iter().map(one).collect()
    };
    let function = |it: &Function| {
        let parameter = |(name, kind): &(String, String)| json!({"camel": small_camel(name), "kind": kind});
        let parameters: Vec<Value> = it.parameters.iter().map(parameter).collect();
        json!({"name": it.name, "result": it.result, "parameters": parameters})
    };
    json!({
        "numbers": {
            "abi": numbers.abi,
            "statuses": table(&numbers.statuses),
            "kinds": table(&numbers.kinds),
            "states": table(&numbers.states),
            "levels": table(&numbers.levels),
            "topics": table(&numbers.topics),
            "json": table(&numbers.json),
        },
        "functions": functions.iter().map(function).collect::<Vec<_>>(),
        "declarations": declarations,
    })
}

/// `mcp_client_t *` as `ClientHandle`; nothing for what the program keeps (a struct, and what lives within a callback).
fn handle(kind: &str, pointer: &str) -> Option<String> {
    let name =
        kind.trim_start_matches("const ").strip_suffix(pointer)?.strip_prefix("mcp_")?.strip_suffix("_t")?;
    let is_handle = name.bytes().all(|it| it.is_ascii_lowercase()) && name != "transport";
    is_handle.then(|| large_camel(name) + "Handle")
}

fn xml(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

/// A comment between `/**` and `*/`, on lines of its own; nothing of an empty text.
fn block(doc: &str, indent: &str, columns: usize) -> String {
    match wrapped(doc, columns - indent.len()).as_slice() {
        [] => String::new(),
        [one] => format!("{indent}/** {one} */\n"),
        lines => {
            let lines: String =
                lines.iter().map(|line| format!("{indent} * {line}").trim_end().to_owned() + "\n").collect();
            format!("{indent}/**\n{lines}{indent} */\n")
        }
    }
}

/// A comment of javadoc, with the line of a tag.
fn javadoc(doc: &str, indent: &str, tag: Option<&str>) -> String {
    let doc = java_types::escaped(if doc.is_empty() { "As the specification has it." } else { doc });
    match tag {
        None => block(&doc, indent, 116),
        Some(tag) => {
            let doc = wrapped(&doc, 116 - indent.len()).join("\n");
            // Longer than any line, so that only the ends of lines part it.
            block(&format!("{doc}\n\n{tag}"), indent, 1 << 16)
        }
    }
}

/// A comment of lines.
fn lines(doc: &str, mark: &str, columns: usize) -> String {
    wrapped(doc, columns).iter().map(|line| format!("{mark} {line}").trim_end().to_owned() + "\n").collect()
}

/// Fields of Go, whose names, types and tags have tabs between them, in columns as gofmt has them.
fn go_columns(text: &str) -> String {
    let rows: Vec<Vec<&str>> = text.lines().map(|line| line.split('\t').collect()).collect();
    let widest = |column: usize| rows.iter().filter_map(|it| Some(it.get(column)?.len())).max().unwrap_or(0);
    let (names, kinds) = (widest(0), widest(1));
    let line = |row: &Vec<&str>| match row.as_slice() {
        [name, kind, tag] => format!("\t\t{name:names$} {kind:kinds$} `json:\"{tag}\"`\n"),
        other => other.concat(),
    };
    rows.iter().map(line).collect()
}

/// A text of Python that documents what stands before it; nothing of an empty text.
fn docstring(doc: &str, indent: &str) -> String {
    let doc = doc.replace('\\', "\\\\").replace("\"\"\"", "'''");
    match wrapped(&doc, 110 - indent.len()).as_slice() {
        [] => String::new(),
        [one] if !one.ends_with('"') => format!("{indent}\"\"\"{one}\"\"\"\n"),
        lines => {
            let said = lines.join(&format!("\n{indent}")).replace(&format!("\n{indent}\n"), "\n\n");
            format!("{indent}\"\"\"{said}\n{indent}\"\"\"\n")
        }
    }
}

/// The name of a member, as an interface of TypeScript has it.
fn js_key(name: &str) -> String {
    let is_plain = name.chars().all(|it| it.is_ascii_alphanumeric() || it == '_' || it == '$');
    if is_plain { name.to_owned() } else { format!("'{name}'") }
}

/// `ParseError` as `PARSE_ERROR`.
fn upper_snake(name: &str) -> String {
    words(name).join("_").to_uppercase()
}

/// A type of the header for which a template has no word.
fn unknown(kind: &str) -> Result<String, Error> {
    let why = format!("mcp.h: the type {kind:?} is not known here; add it to the table of this template");
    Err(Error::new(ErrorKind::InvalidOperation, why))
}

#[cfg(test)]
mod tests {
    use super::{handle, unknown};

    #[test]
    fn what_is_freed_is_a_handle_and_what_is_not_known_is_said() {
        for (kind, pointer, name) in [
            ("mcp_client_t *", " *", Some("ClientHandle")),
            ("const mcp_client_t *", " *", Some("ClientHandle")),
            ("mcp_client_t **", " **", Some("ClientHandle")),
            ("mcp_transport_t *", " *", None),
            ("mcp_client_options_t *", " *", None),
            ("char *", " *", None),
        ] {
            assert_eq!(handle(kind, pointer).as_deref(), name, "{kind}");
        }
        assert!(unknown("wchar_t").is_err_and(|error| error.to_string().contains("wchar_t")));
    }
}
