//! Hostile names and descriptions stay in their comments, literals and folders; no schema fails or takes long.

use super::emit::{About, File, Language};
use super::model::{Module, Type};
use super::tools::{Overrides, modules};
use super::{emit, output};
use mcp::client::schema::{SchemaVerdict, judge};
use serde_json::{Value, json};

const LANGUAGES: [Language; 8] = [
    Language::C,
    Language::Cpp,
    Language::Go,
    Language::Typescript,
    Language::Python,
    Language::Swift,
    Language::Java,
    Language::Rust,
];

fn read(list: &str) -> Vec<Module> {
    modules(list, "server", &[], &Overrides::default()).expect("modules")
}

fn written(language: Language, modules: &[Module]) -> Vec<File> {
    let about = About {
        server: "*/ \" \n x".to_owned(),
        version: "\n*/".to_owned(),
        revision: "\"".to_owned(),
        target: Vec::new(),
        program: Vec::new(),
    };
    output::files(language, modules, &about).expect("files")
}

/// The code without comments and literals.
fn skeleton(language: Language, text: &str) -> String {
    let is_python = language == Language::Python;
    let mut out = String::new();
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let length = if is_python && rest.starts_with("\"\"\"") {
            rest[3..].find("\"\"\"").map_or(rest.len(), |end| end + 6)
        } else if (is_python && c == '#') || (!is_python && rest.starts_with("//")) {
            rest.find('\n').unwrap_or(rest.len())
        } else if !is_python && rest.starts_with("/*") {
            rest.find("*/").map_or(rest.len(), |end| end + 2)
        } else if c == '"' || (c == '`' && language == Language::Go) {
            let mut is_escaped = false;
            let end = rest[1..].find(|it| {
                let ends = it == c && !is_escaped;
                is_escaped = it == '\\' && !is_escaped;
                ends || it == '\n'
            });
            end.map_or(rest.len(), |end| end + 2)
        } else {
            out.push(c);
            c.len_utf8()
        };
        rest = &rest[length..];
    }
    out
}

#[test]
fn hostile_texts_stay_in_comments_and_literals() {
    let list: Value = serde_json::from_str(include_str!("../../tests/corpus/hostile.json")).expect("JSON");
    let mut list = list;
    let tools = list["tools"].as_array_mut().expect("tools");
    assert!(tools.len() >= 100);
    // The word behind each description is in the code only if the description has left its place.
    fn mark(schema: &mut Value) {
        if let Value::Object(object) = schema {
            if let Some(Value::String(text)) = object.get_mut("description") {
                text.push_str(" canary(");
            }
            object.values_mut().for_each(mark);
        } else if let Value::Array(list) = schema {
            list.iter_mut().for_each(mark);
        }
    }
    tools.iter_mut().for_each(mark);
    let modules = read(&list.to_string());
    for language in LANGUAGES {
        for file in written(language, &modules) {
            assert!(
                !file.path.contains("..") && !file.path.starts_with('/') && file.path.is_ascii(),
                "{}",
                file.path
            );
            assert!(!file.text.contains(['\r', '\0', '\u{202e}', '\u{2028}', '\u{200b}']), "{}", file.path);
            if ["json", "txt"].iter().any(|end| file.path.ends_with(end)) {
                continue;
            }
            let code = skeleton(language, &file.text);
            assert!(!code.contains("canary"), "{language:?} {}: {code}", file.path);
            assert!(code.is_ascii(), "{language:?} {}", file.path);
            for bad in ["system(", "DROP TABLE", "/etc/passwd", "ignore previous", "jndi:"] {
                assert!(!code.contains(bad), "{language:?} {}: {bad}", file.path);
            }
        }
    }
}

#[test]
fn no_tool_of_a_language_runs_or_reads_what_a_description_says() {
    // Where a description is folded, a word of it is the first one of a line.
    let words = ["```", "~~~", ">>>", "..", "//go:generate", "@ts-nocheck"]
        .map(|word| format!("{} {word} x", "w".repeat(99)));
    let text = words.join(" ");
    let schema = json!({"type": "object", "properties": {"a": {"type": "string", "description": text}}});
    for word in &words {
        let list = json!({"tools": [{"name": "t", "description": word, "inputSchema": schema}]}).to_string();
        for language in LANGUAGES {
            for file in written(language, &read(&list)) {
                let end = file.path.rsplit('.').next().unwrap_or_default();
                for line in file.text.lines() {
                    let said = line.trim_start().trim_start_matches(['/', '#', ':', '*', ' ']);
                    let is_python = end == "py";
                    assert!(
                        !is_python || !(said.starts_with(">>>") || said.starts_with(".. ")),
                        "{}: {line}",
                        file.path
                    );
                    let is_rust = end == "rs";
                    assert!(
                        !is_rust || !(said.starts_with("```") || said.starts_with("~~~")),
                        "{}: {line}",
                        file.path
                    );
                    assert!(!line.starts_with("//go:") && !said.starts_with("@ts"), "{}: {line}", file.path);
                }
            }
        }
    }
}

#[test]
fn every_line_of_an_index_is_one_tool() {
    let modules = read(include_str!("../../tests/corpus/hostile.json"));
    for module in &modules {
        assert_eq!(output::index(Language::Python, module).lines().count(), module.tools.len());
        let functions: std::collections::HashSet<String> = module
            .tools
            .iter()
            .map(|tool| emit::function(Language::Go, module, tool).to_lowercase())
            .collect();
        assert_eq!(functions.len(), module.tools.len());
    }
}

#[test]
fn objects_of_typescript_may_lack_a_member_that_all_objects_have() {
    let schema = json!({"type": "object", "required": ["valueOf"], "properties": {
        "constructor": {"type": "string"}, "valueOf": {"type": "string"}, "other": {"type": "string"}}});
    let list = json!({"tools": [{"name": "make", "inputSchema": schema}]}).to_string();
    let modules = read(&list);
    let files = written(Language::Typescript, &modules);
    let text = &files.iter().find(|file| file.path.ends_with("make.ts")).expect("a file").text;
    for member in ["constructor?: unknown;", "valueOf: string;", "other?: string;"] {
        assert!(text.contains(member), "{member} is not in {text}");
    }
    let report = output::report(Language::Typescript, &modules[0]);
    assert_eq!(report, "make: MakeArguments/constructor: every object of JavaScript has such a member\n");
    assert_eq!(output::report(Language::Go, &modules[0]), "");
}

#[test]
fn tools_for_apps_alone_become_code_where_they_are_named() {
    let list = r#"{"tools":[{"name":"show","_meta":{"ui":{"visibility":["model","app"]}}},
        {"name":"draw","_meta":{"ui":{"visibility":["app"]}}},{"name":"plain"}]}"#;
    let names = |only: &[String]| -> Vec<String> {
        let modules = modules(list, "s", only, &Overrides::default()).expect("modules");
        modules.into_iter().flat_map(|module| module.tools).map(|tool| tool.name).collect()
    };
    assert_eq!(names(&[]), ["plain", "show"]);
    assert_eq!(names(&["draw".to_owned()]), ["draw"]);
}

#[test]
fn what_is_too_deep_is_any_json() {
    let mut deep = "{\"type\":\"string\"}".to_owned();
    for _ in 0..500 {
        deep = format!("{{\"type\":\"array\",\"items\":{deep}}}");
    }
    let list = format!("{{\"tools\":[{{\"name\":\"a\",\"inputSchema\":{deep}}},{{}}]}}");
    let modules = read(&list);
    let [tool] = &modules[0].tools[..] else { panic!("one tool") };
    assert_eq!(tool.arguments, Type::Json);
    assert_eq!(tool.losses.len(), 1);
    // Each level refers twice to the next: read once each, not two to the power of the depth.
    let definitions: serde_json::Map<String, Value> = (0..40)
        .map(|n| {
            let next = json!({"$ref": format!("#/$defs/d{}", n + 1)});
            (format!("d{n}"), json!({"type": "object", "properties": {"a": next, "b": next}}))
        })
        .collect();
    let wide = json!({"type": "object", "properties": {"x": {"$ref": "#/$defs/d0"}}, "$defs": definitions});
    // Without references the parts are bounded.
    let mut branches = json!({"type": "string"});
    for _ in 0..20 {
        branches = json!({"allOf": [{"properties": {"a": branches, "b": branches}}]});
        if branches.to_string().len() > 1 << 17 {
            break;
        }
    }
    let list = json!({"tools": [{"name": "w", "inputSchema": wide}, {"name": "x", "inputSchema": branches}]});
    for language in LANGUAGES {
        assert!(!written(language, &read(&list.to_string())).is_empty());
    }
}

#[test]
fn broken_schemas_never_fail() {
    // A generator of Knuth's; the schemas are the same in every run.
    let mut state = 42_u64;
    let mut random = |below: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(state >> 33).unwrap_or_default() % below
    };
    fn schema(random: &mut impl FnMut(usize) -> usize, depth: usize) -> Value {
        const KEYS: [&str; 18] = [
            "type",
            "properties",
            "items",
            "prefixItems",
            "required",
            "enum",
            "const",
            "anyOf",
            "oneOf",
            "allOf",
            "$ref",
            "additionalProperties",
            "patternProperties",
            "title",
            "description",
            "nullable",
            "$defs",
            "not",
        ];
        match random(if depth > 4 { 6 } else { 12 }) {
            0 => json!(["string", "null"]),
            1 => json!("object"),
            2 => json!(random(2) == 0),
            3 => json!(["#", "#/$defs/a", "#/properties/a", "array", "integer", "null"][random(6)]),
            4 => json!([1, "x", null, 1.5]),
            5 => Value::Null,
            6 => Value::Array((0..random(4)).map(|_| schema(random, depth + 1)).collect()),
            _ => {
                let mut object = serde_json::Map::new();
                for _ in 0..random(6) {
                    let key = if random(3) == 0 {
                        ["a", "b", "class"][random(3)]
                    } else {
                        KEYS[random(KEYS.len())]
                    };
                    object.insert(key.to_owned(), schema(random, depth + 1));
                }
                Value::Object(object)
            }
        }
    }
    for _ in 0..300 {
        let tools: Vec<Value> = (0..3)
            .map(|n| json!({"name": format!("t{n}"), "inputSchema": schema(&mut random, 0), "outputSchema": schema(&mut random, 0)}))
            .collect();
        let list = json!({"tools": tools}).to_string();
        let language = LANGUAGES[random(LANGUAGES.len())];
        let first: Vec<String> = written(language, &read(&list)).into_iter().map(|file| file.text).collect();
        let again: Vec<String> = written(language, &read(&list)).into_iter().map(|file| file.text).collect();
        assert_eq!(first, again, "{list}");
    }
}

#[test]
fn members_stand_in_the_order_of_the_schema() {
    let list = r##"{"tools":[{"name":"t","inputSchema":{"type":"object","required":["zeta","alpha"],
        "allOf":[{"properties":{"more":{"type":"string"}}}],
        "properties":{"zeta":{"type":"string"},"mid":{"$ref":"#/$defs/inner"},"alpha":{"type":"string"}},
        "$defs":{"inner":{"type":"object","properties":{"y":{"type":"string"},"x":{"type":"string"}}}}}}]}"##;
    let modules = read(list);
    let tool = &modules[0].tools[0];
    let names = |number: usize| match &tool.declarations[number].shape {
        super::model::Shape::Object(object) => {
            object.fields.iter().map(|field| field.wire.as_str()).collect::<Vec<_>>()
        }
        _ => Vec::new(),
    };
    let mut all: Vec<Vec<&str>> = (0..tool.declarations.len()).map(names).collect();
    all.sort();
    assert_eq!(all, [vec!["y", "x"], vec!["zeta", "mid", "alpha", "more"]]);
    assert_eq!(output::index(Language::Python, &modules[0]), "server.t(zeta, alpha, mid?, more?) - \n");
}

#[test]
fn python_has_keyword_arguments_and_results_without_their_wrapping() {
    let list = r#"{"tools":[{"name":"tides","description":"Tells the tides.",
        "inputSchema":{"type":"object","required":["place"],"properties":{"client":{"type":"integer"},
            "place":{"type":"string","description":"The harbour."},"from":{"type":"string"},"uids[]":{"type":"array","items":{"type":"string"}}}},
        "outputSchema":{"type":"object","required":["result"],"properties":{"result":{"type":"array","items":{"type":"string"}}},"x-fastmcp-wrap-result":true}}]}"#;
    let modules = read(list);
    let files = written(Language::Python, &modules);
    let text = &files.iter().find(|file| file.path.ends_with("tides.py")).expect("a file").text;
    for part in [
        "def tides(\n    client_: Client,\n    /,\n    *,\n    place: str,\n    client: int = _support.UNSET,\n    from_: str = _support.UNSET,\n    uids: list[str] = _support.UNSET,\n    **options: Any,\n) -> list[str]:",
        "    \"\"\"\n    Tells the tides.\n\n    place: The harbour.\n    \"\"\"",
        "\"uids[]\": uids,",
        "\"from\": from_,",
        "\"place\": \"str\",",
        "\"from\": \"NotRequired[str]\",",
        "member=\"result\")",
    ] {
        assert!(text.contains(part), "{part} is not in {text}");
    }
    let files = written(Language::Typescript, &modules);
    let text = &files.iter().find(|file| file.path.ends_with("tides.ts")).expect("a file").text;
    assert!(text.contains("Promise<Array<string>>") && text.contains("member: 'result'"), "{text}");
}

#[test]
fn java_and_rust_are_as_people_write_them() {
    let list = r#"{"tools":[{"name":"tides","description":"Tells the ``` tides <b>.",
        "inputSchema":{"type":"object","required":["place","type"],"properties":{"place":{"type":"string","description":"The harbour."},
            "days":{"type":"integer"},"type":{"const":"low"},"until":{"type":["string","null"]}}},
        "outputSchema":{"type":"object","required":["heights"],"properties":{"heights":{"type":"array","items":{"type":"number"}}}}}]}"#;
    let modules = read(list);
    for (language, path, parts) in [
        (
            Language::Rust,
            "tides.rs",
            &[
                "/// Tells the ''' tides <b>.\npub fn tides(client: &impl support::Client, arguments: &TidesArguments) -> Result<TidesResult, support::ToolError> {",
                "    /// The harbour.\n    pub place: String,",
                "skip_serializing_if = \"Option::is_none\")]\n    pub days: Option<i64>,",
                "deserialize_with = \"support::some\")]\n    pub until: Option<Option<String>>,",
                "    #[serde(rename = \"type\")]\n    pub type_: TidesType,",
                "pub fn new(place: impl Into<String>, ) -> Self {",
                "            type_: TidesType::Low,",
                "    pub heights: Vec<f64>,",
            ][..],
        ),
        (
            Language::Java,
            "TidesTool.java",
            &[
                "package server;",
                " * Tells the ``` tides &lt;b&gt;.",
                "public static TidesResult tides(Client client, TidesArguments arguments) {",
                "public TidesArguments(String place) {",
                "public Optional<Long> days() {",
                "public TidesArguments days(long days) {",
                "public TidesArguments until(String until) {",
                "private TidesType type = TidesType.LOW;",
                "public List<Double> heights() {",
            ][..],
        ),
    ] {
        let files = written(language, &modules);
        let text = &files.iter().find(|file| file.path.ends_with(path)).expect("a file").text;
        for part in parts {
            assert!(text.contains(part), "{part} is not in {text}");
        }
    }
}

/// The words with which a generated script starts `mcp`, and what it writes itself.
fn of_script(script: &std::path::Path, words: &[&str]) -> (Vec<String>, String) {
    let folder = script.parent().expect("a folder");
    let stub = folder.join("stub");
    if !stub.exists() {
        use std::os::unix::fs::PermissionsExt as _;
        std::fs::write(&stub, "#!/bin/sh\nfor word; do printf '<%s>\\n' \"$word\"; done\n").expect("written");
        std::fs::set_permissions(&stub, std::fs::Permissions::from_mode(0o755)).expect("a program");
    }
    let done = std::process::Command::new("sh")
        .arg(script)
        .args(words)
        .env("MCP", &stub)
        .env_remove("MCP_SERVER")
        .output()
        .expect("it runs");
    let text = String::from_utf8_lossy(&done.stdout).into_owned();
    let said = text.clone() + &String::from_utf8_lossy(&done.stderr);
    // A word may have line breaks.
    let words = text.strip_prefix('<').and_then(|text| text.strip_suffix(">\n"));
    (words.into_iter().flat_map(|text| text.split(">\n<")).map(str::to_owned).collect(), said)
}

#[test]
fn a_program_for_the_command_line_calls_with_what_it_is_given() {
    let list = r#"{"tools":[{"name":"create_issue","description":"Makes one.","inputSchema":{"type":"object","required":["title"],
        "properties":{"title":{"type":"string","description":"In few words."},"labels":{"type":"array","items":{"type":"string"}},
            "isOpen":{"type":"boolean"}}}},{"name":"quo'te","inputSchema":{"type":"object"}}]}"#;
    let about = About {
        server: "s".to_owned(),
        version: String::new(),
        revision: String::new(),
        target: Vec::new(),
        program: vec!["./my server".to_owned(), "it's".to_owned()],
    };
    let files = output::files(Language::Cli, &read(list), &about).expect("files");
    let folder = tempfile::tempdir().expect("a folder");
    output::write(folder.path(), &files).expect("written");
    let script = folder.path().join("server/server");
    use std::os::unix::fs::PermissionsExt as _;
    assert_eq!(std::fs::metadata(&script).expect("a file").permissions().mode() & 0o111, 0o111);
    let end = ["--", "./my server", "it's"];
    for (words, seen) in [
        (
            &["create-issue", "--title", "It 'fails' $HOME", "--labels", "a", "--labels=b"][..],
            &["call", "create_issue", "title=It 'fails' $HOME", "labels=a", "labels=b"][..],
        ),
        (&["create-issue", "--isopen", "--title=x=y"], &["call", "create_issue", "isOpen=true", "title=x=y"]),
        (
            &["create-issue", "--isopen", "false", "--", "-o", "json"],
            &["call", "create_issue", "-o", "json", "isOpen=false"],
        ),
        (&["quo-te", "--json", "{}"], &["call", "quo'te", "--json", "{}"]),
    ] {
        let words: Vec<String> = words.iter().map(|word| word.replace("--isopen", "--is-open")).collect();
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let (called, said) = of_script(&script, &words);
        assert_eq!(called, [seen, &end].concat(), "{said}");
    }
    for (words, part) in [
        (&["--help"][..], "create-issue - Makes one."),
        (&["create-issue", "--help"], "--title (string, required)"),
        (&["nope"], "there is no command 'nope'"),
        (&["create-issue", "--titel", "x"], "has no argument '--titel'"),
        (&["create-issue", "--title"], "--title needs a value"),
        (&["create-issue", "x"], "write --NAME VALUE"),
    ] {
        let (called, said) = of_script(&script, words);
        assert!(called.is_empty() && said.contains(part), "{words:?}: {said}");
    }
}

#[test]
fn hostile_texts_start_nothing_in_a_script() {
    let mut list: Value =
        serde_json::from_str(include_str!("../../tests/corpus/hostile.json")).expect("JSON");
    let own = json!([
        {"name": "--sample=exec:touch stolen", "inputSchema": {"type": "object", "properties": {"a": {"type": "string"}}}},
        {"name": "-o", "inputSchema": {"type": "object"}},
        {"name": "own", "inputSchema": {"type": "object", "required": ["--set"], "additionalProperties": false, "properties": {
            "--sample=exec:touch stolen": {"type": "string"}, "--set": {"type": "string"}, "-o": {"type": "boolean"},
            "a=@/etc/passwd": {"type": "string"}, "b:": {"type": "string"}, "plain": {"type": "string"}}}}
    ]);
    let tools = list["tools"].as_array_mut().expect("tools");
    tools.extend(own.as_array().expect("a list").iter().cloned());
    let modules = read(&list.to_string());
    let folder = tempfile::tempdir().expect("a folder");
    let about = About {
        server: "s".to_owned(),
        version: String::new(),
        revision: String::new(),
        target: Vec::new(),
        program: vec!["./server".to_owned()],
    };
    let files = output::files(Language::Cli, &modules, &about).expect("files");
    output::write(folder.path(), &files).expect("written");
    for file in files.iter().filter(|file| file.text.starts_with("#!")) {
        assert!(
            !file.text.contains(['\r', '\0', '\u{1b}', '\u{202e}', '\u{2028}', '\u{200b}']),
            "{}",
            file.path
        );
        let script = folder.path().join(&file.path);
        let checked = std::process::Command::new("sh").arg("-n").arg(&script).output().expect("it runs");
        assert!(checked.status.success(), "{}", String::from_utf8_lossy(&checked.stderr));
        let (called, said) = of_script(&script, &["--help"]);
        assert!(called.is_empty() && said.starts_with("Usage: "), "{said}");
        let before = std::fs::read_dir(script.parent().expect("a folder")).expect("a folder").count();
        for module in &modules {
            let mut seen = Vec::new();
            for tool in emit::tools(Language::Cli, module) {
                let name = emit::function(Language::Cli, module, tool);
                let (called, said) = of_script(&script, &[&name, "--help"]);
                assert!(called.is_empty(), "{name}: {said}");
                // Every argument of the command, each with a value.
                let begins = format!("    '{name} --");
                let options =
                    file.text.lines().filter_map(|line| line.strip_prefix(&begins)?.split('\'').next());
                let mut words = vec![name.clone()];
                words.extend(options.map(|option| format!("--{option}=true")));
                let words: Vec<&str> = words.iter().map(String::as_str).collect();
                let (called, said) = of_script(&script, &words);
                assert!(called.len() >= words.len() + 3, "{name}: {said}");
                let end = called.iter().position(|word| word == "--").expect("the program");
                assert_eq!(called[end..], ["--", "./server"], "{name}");
                assert!(!called[..end].iter().any(|word| word.starts_with('-')), "{name}: {called:?}");
                seen.push((name, words.len() - 1));
            }
            assert!(
                !module.tools.iter().any(|tool| tool.name == "own") || seen.contains(&("own".to_owned(), 1))
            );
        }
        assert_eq!(std::fs::read_dir(script.parent().expect("a folder")).expect("a folder").count(), before);
    }
    let report: String = modules.iter().map(|module| output::report(Language::Cli, module)).collect();
    for line in [
        "-o: mcp call would read the name as an option: the tool has no command\n",
        "own: --set: mcp call would not read it as the name of an argument: give it in --json\n",
    ] {
        assert!(report.contains(line), "{line} is not in {report}");
    }
}

/// Lists of tools as servers of npm and `PyPI` sent them: none of their tools is lost, in no language, and none of their schemas keeps a
/// call from being checked.
#[test]
fn no_tool_of_a_server_that_people_have_is_lost() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/field/servers");
    let mut count = 0;
    for file in std::fs::read_dir(folder).expect("the lists") {
        let path = file.expect("a file").path();
        let list = std::fs::read_to_string(&path).expect("a list");
        let tools = serde_json::from_str::<Value>(&list).expect("JSON")["tools"].take();
        // Those that are for the pages of the server alone have no function.
        let is_for_pages = |tool: &&Value| tool["_meta"]["ui"]["visibility"] == json!(["app"]);
        let tools: Vec<&Value> =
            tools.as_array().expect("tools").iter().filter(|tool| !is_for_pages(tool)).collect();
        let modules = read(&list);
        let names: Vec<&str> =
            modules.iter().flat_map(|module| &module.tools).map(|tool| tool.name.as_str()).collect();
        assert_eq!(names.len(), tools.len(), "{}", path.display());
        for tool in &tools {
            let name = tool["name"].as_str().expect("a name");
            assert!(names.contains(&name), "{name} of {} is lost", path.display());
            let judged = judge(&tool["inputSchema"], &json!({}));
            assert!(!matches!(judged, SchemaVerdict::Unknown(_)), "{name} of {}: {judged:?}", path.display());
        }
        for language in LANGUAGES {
            assert!(!written(language, &modules).is_empty(), "{}", path.display());
        }
        count += tools.len();
    }
    assert!(count > 200, "{count} tools");
}
