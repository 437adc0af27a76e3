//! Files of APIs, and what becomes of them.

use super::*;
use crate::serve::openapi::document::Document;

const API: &str = r##"
openapi: 3.0.3
info: {title: Shop, version: "1.2"}
servers:
  - url: https://{host}/v1/
    variables: {host: {default: api.example}}
components:
  securitySchemes:
    key: {type: apiKey, in: header, name: X-Key}
    token: {type: http, scheme: bearer}
  parameters:
    id: {name: id, in: path, required: true, schema: {type: integer}, description: the number}
  schemas:
    Item:
      type: object
      required: [name]
      properties:
        name: {type: string, nullable: true, example: x}
        parts: {type: array, items: {$ref: "#/components/schemas/Item"}}
        price: {type: number, minimum: 0, exclusiveMinimum: true}
security: [{key: []}]
paths:
  /items/{id}:
    parameters:
      - $ref: "#/components/parameters/id"
      - {name: lang, in: query, schema: {type: string}}
    get:
      operationId: get item
      summary: An item
      parameters: [{name: lang, in: query, required: true, schema: {type: string, enum: [de, en]}}, {name: X-Key, in: header, schema: {}}]
    put:
      requestBody: {required: true, content: {application/json: {schema: {$ref: "#/components/schemas/Item"}}}}
      servers: [{url: https://API.example/v2}]
    delete:
      operationId: get_item
      servers: [{url: https://evil.example}]
    post:
      security: []
      requestBody: {required: true, content: {multipart/form-data: {}}}
  /free:
    get: {security: [{token: []}, {}]}
    head: {operationId: get_item, security: [{token: []}]}
"##;

fn read(text: &str, base: Option<&str>, given: &[&str]) -> (Result<Description, String>, Vec<String>) {
    let document = Document::of(text.to_owned()).expect("YAML or JSON");
    let given: Vec<String> = given.iter().map(|word| (*word).to_owned()).collect();
    let mut notes = Vec::new();
    let made =
        described(&document, base, &given, &mut |note| notes.push(note)).map_err(|problem| match problem {
            Problem::Document(wrong) => document.shown(&wrong),
            Problem::Line(failure) => failure.text(),
        });
    (made, notes)
}

fn url(tool: &Tool, arguments: &Value) -> String {
    let operation = tool.operation.as_ref().expect("an operation");
    operation.request(arguments.as_object().expect("an object")).expect("a request").url
}

#[test]
fn a_document_may_begin_with_a_byte_order_mark() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("api");
    for text in ["{\"openapi\": \"3.0.3\"}", "openapi: 3.0.3"] {
        std::fs::write(&path, format!("\u{feff}{text}")).expect("written");
        let read = Document::read(&path).map_err(|failure| failure.text()).expect(text);
        assert_eq!(read.root()["openapi"], "3.0.3", "{text}");
    }
}

#[test]
fn c39_operations_are_tools_with_one_schema_each() {
    let (made, notes) = read(API, None, &[]);
    let made = made.expect("an API");
    let names: Vec<&str> = made.tools.iter().map(|tool| tool.name.as_str()).collect();
    assert_eq!(
        (made.name.as_str(), names),
        ("Shop", vec!["get_free", "get_item", "get_item_2", "put_items_id"])
    );
    let schema = |number: usize| made.tools[number].input_schema.clone().expect("a schema");
    assert_eq!(
        schema(2),
        json!({"type": "object", "additionalProperties": false, "required": ["id", "lang"], "properties": {
            "id": {"type": "integer", "description": "the number"}, "lang": {"type": "string", "enum": ["de", "en"]}, "X-Key": {}}})
    );
    assert_eq!(
        schema(3)["$defs"],
        json!({"Item": {"type": "object", "required": ["name"], "properties": {
            "name": {"type": ["string", "null"]},
            "parts": {"type": "array", "items": {"$ref": "#/$defs/Item"}},
            "price": {"type": "number", "exclusiveMinimum": 0}}}})
    );
    assert_eq!(schema(3)["properties"]["body"], json!({"$ref": "#/$defs/Item"}));
    assert_eq!(
        url(&made.tools[2], &json!({"id": 7, "lang": "de"})),
        "https://api.example/v1/items/7?lang=de"
    );
    assert_eq!(url(&made.tools[3], &json!({"id": 7, "body": {}})), "https://api.example/v2/items/7");
    // Another host, a body that cannot be sent, schemes without credentials.
    assert_eq!(notes.len(), 3, "{notes:?}");
    assert!(notes[1].contains("its server is https://evil.example, another one"), "{notes:?}");
    assert!(notes[0].contains("multipart/form-data, which cannot be sent"), "{notes:?}");
    assert!(notes[2].contains("no credential is given for key, token"), "{notes:?}");
}

#[test]
fn c39_credentials_are_references_and_go_to_the_host_of_the_api_alone() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("key");
    std::fs::write(&file, "s3cret value\n").expect("written");
    let reference = format!("file:{}", file.display());
    let (made, notes) = read(API, None, &[&format!("key={reference}"), &format!("token={reference}")]);
    let made = made.expect("an API");
    assert_eq!(notes.len(), 2, "{notes:?}");
    let headers = |number: usize, arguments: &Value| {
        let operation = made.tools[number].operation.as_ref().expect("an operation");
        operation.request(arguments.as_object().expect("an object")).expect("a request").headers
    };
    let with_key = headers(2, &json!({"id": 7, "X-Key": "mine"}));
    let keys: Vec<_> = with_key.iter().filter(|(name, _)| name == "x-key").collect();
    assert_eq!(keys, [&("x-key".to_owned(), "s3cret value".to_owned())], "no caller chooses it");
    assert!(made.tools[2].input_schema.as_ref().is_some_and(|it| it["properties"].get("X-Key").is_none()));
    assert!(headers(0, &json!({})).contains(&("authorization".to_owned(), "Bearer s3cret value".to_owned())));
    // What an argument brings is not sent in their place.
    let form = API.replace("in: header, name: X-Key", "in: query, name: X-Key").replace(
        "{name: X-Key, in: header, schema: {}}",
        "{name: filter, in: query, schema: {type: object}}",
    );
    let form = read(&form, None, &[&format!("key={reference}")]).0.expect("an API");
    let operation = form.tools[2].operation.as_ref().expect("an operation");
    let asked = |filter: Value| {
        let arguments = json!({"id": 7, "lang": "de", "filter": filter});
        operation.request(arguments.as_object().expect("an object")).map(|it| it.url)
    };
    assert_eq!(
        asked(json!({"a": 1})),
        Ok("https://api.example/v1/items/7?lang=de&a=1&X-Key=s3cret%20value".to_owned())
    );
    let refused = asked(json!({"a": 1, "X-Key": "mine"})).expect_err("refused");
    assert!(refused.contains("an argument has the name of a credential: 'filter'"), "{refused}");
    let debug = format!("{:?}", made.tools[2]);
    assert!(!debug.contains("s3cret"), "{debug}");
    for (base, given, why) in [
        (
            Some("http://api.example"),
            format!("key={reference}"),
            "is not https: a credential is not sent there",
        ),
        (None, "key=s3cret".to_owned(), "write env:NAME or file:PATH"),
        (None, "key".to_owned(), "write SCHEME=env:NAME"),
        (None, "other=env:HOME".to_owned(), "there are key, token"),
        (None, "key=env:MCP_TEST_NOT_SET".to_owned(), "MCP_TEST_NOT_SET is not set"),
        (None, "key=file:/no/file".to_owned(), "there is no file"),
    ] {
        let why_not = read(API, base, &[&given]).0.map(|_| ()).expect_err("refused");
        assert!(why_not.contains(why) && !why_not.contains("s3cret"), "{given}: {why_not}");
    }
    let local =
        read(API, Some("http://127.0.0.1:8080/x"), &[&format!("key={reference}")]).0.expect("this machine");
    assert_eq!(
        url(&local.tools[2], &json!({"id": 1, "lang": "de"})),
        "http://127.0.0.1:8080/x/items/1?lang=de"
    );
}

#[test]
fn c39_what_is_wrong_has_its_line() {
    let with = |from: &str, to: &str| {
        assert!(API.contains(from), "{from}");
        API.replace(from, to)
    };
    for (text, why) in [
        (with("3.0.3", "4.0"), "line 2: it is of OpenAPI 4.0"),
        ("swagger: '2.0'\n".to_owned(), "line 1: it is of Swagger 2.0"),
        ("info: {}\n".to_owned(), "it has no member 'openapi'"),
        ("openapi: 3.1.0\nservers: [{url: /v1}]\npaths: {}\n".to_owned(), "line 2: the server '/v1'"),
        ("openapi: 3.1.0\npaths: {}\n".to_owned(), "it has no 'servers': say where the API is with --base"),
        ("openapi: 3.1.0\nservers: [{url: 'https://x'}]\n".to_owned(), "it has no object 'paths'"),
        (with("\"#/components/parameters/id\"", "\"other.yaml#/id\""), "leads out of the file"),
        (
            with("\"#/components/parameters/id\"", "\"https://evil.example/x\""),
            "line 25: the reference 'https://evil.example/x' leads out",
        ),
        (with("\"#/components/parameters/id\"", "\"#/nothing\""), "leads nowhere"),
        (with("name: id, in: path", "name: id, in: nowhere"), "line 12: a parameter needs 'in'"),
        (with("name: id, in: path", "name: other, in: path"), "the path has {id}"),
        (
            with("/free:", ".evil.example/free:"),
            "line 40: '.evil.example/free' is no path of the API: a path begins with '/'",
        ),
        (with("/free:", "':8443/free':"), "line 40: ':8443/free' is no path of the API"),
        (with("/free:", "free:"), "a path begins with '/'"),
    ] {
        let error = read(&text, None, &[]).0.map(|_| ()).expect_err(why);
        assert!(error.contains(why), "{why}: {error}");
    }
    // An extension is no path.
    let extended = with("/free:", "x-free:\n    get: 7\n  /free:");
    assert_eq!(read(&extended, None, &[]).0.expect("an API").tools.len(), 4);
    assert!(Document::of("{\n\"openapi\": }".to_owned()).expect_err("no JSON").starts_with("line 2: "));
}

#[test]
fn c39_references_and_schemas_are_bounded() {
    let ring = "openapi: 3.1.0\nservers: [{url: 'https://x'}]\npaths:\n  /a: {$ref: '#/paths/~1b'}\n  /b: {$ref: '#/paths/~1a'}\n";
    let error = read(ring, None, &[]).0.map(|_| ()).expect_err("a ring");
    assert!(error.contains("lead to each other"), "{error}");
    let large = format!(
        "{{\"openapi\":\"3.1.0\",\"servers\":[{{\"url\":\"https://x\"}}],\"components\":{{\"schemas\":{{\"L\":{{\"enum\":[\"{}\"]}}}}}},\
         \"paths\":{{\"/a\":{{\"post\":{{\"requestBody\":{{\"content\":{{\"application/json\":{{\"schema\":{{\"$ref\":\"#/components/schemas/L\"}}}}}}}}}}}}}}}}",
        "y".repeat(2 << 20)
    );
    let (made, notes) = read(&large, None, &[]);
    assert!(
        made.expect("an API").tools.is_empty() && notes[0].contains("its schemas have more than"),
        "{notes:?}"
    );
}

#[test]
fn c39_the_schemas_of_all_operations_are_bounded() {
    let path = |n: u32| format!("\"/{n}\":{{\"post\":{{\"requestBody\":{{\"$ref\":\"#/x-body\"}}}}}}");
    let paths = (0..80).map(path).collect::<Vec<_>>().join(",");
    let with = |bytes: usize| {
        format!(
            "{{\"openapi\":\"3.1.0\",\"servers\":[{{\"url\":\"https://x\"}}],\"paths\":{{{}}},\
             \"x-body\":{{\"content\":{{\"application/json\":{{\"schema\":{{\"enum\":[\"{}\"]}}}}}}}}}}",
            paths,
            "y".repeat(bytes)
        )
    };
    let error = read(&with(1_000_000), None, &[]).0.map(|_| ()).expect_err("more than the bound");
    assert!(error.contains("have more than 67108864 bytes"), "{error}");
    assert_eq!(read(&with(800_000), None, &[]).0.expect("an API").tools.len(), 80);
}

#[test]
fn c39_the_url_of_an_api_is_one_host() {
    for (url, is_right) in [
        ("https://api.example/v1/", true),
        ("http://localhost:8080", true),
        ("https://user@host/", false),
        ("https://good.example\\@evil.example/", false),
        ("ftp://x/", false),
        ("//x/", false),
        ("https://x/../y", false),
        ("https://x/?a=b", false),
        ("https://{host}/", false),
    ] {
        assert_eq!(Base::of(url).is_ok(), is_right, "{url}");
    }
    let base = Base::of("https://API.example/v1").expect("a URL");
    assert_eq!(base.origin, "https://api.example");
    for (url, is_private) in [
        ("http://localhost.evil.example/", false),
        ("http://127.0.0.1.evil/", false),
        ("http://[::1]:8/", true),
    ] {
        assert_eq!(Base::of(url).is_ok_and(|base| base.is_private()), is_private, "{url}");
    }
    let json = Document::of(r#"{"openapi":"3.1.0","paths":{}}"#.to_owned()).expect("JSON");
    assert!(!json.is_30().expect("3.1"));
}
