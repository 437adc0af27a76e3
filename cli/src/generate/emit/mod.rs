//! Writes modules in a language: contexts for the templates, which have all the text of the language.
//!
//! The files:
//!
//! * `types`: names of functions, types, literals and identifiers of each language
//! * `units`: what C needs beside declarations: lists, maps and nullable types as structs, in an order that compiles

mod types;
mod units;

use super::model::{Class, Declaration, Field, Module, Object, Shape, Tool, Type};
use super::{naming, reserved, text};
use crate::failure::Failure;
use minijinja::Environment;
use serde_json::{Value, json};
use types::Dialect;

/// A language.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Language {
    C,
    Cpp,
    Go,
    Typescript,
    Python,
    Swift,
    Java,
    Rust,
    /// A program for the command line: a script for `sh`
    Cli,
}

/// How many values a constructor takes in Java, which has a bound for that.
const PARAMETERS: usize = 100;

/// A file that is to be written; the path is relative to the folder of the module.
#[derive(Clone, Debug)]
pub struct File {
    pub path: String,
    pub text: String,
}

impl Language {
    pub fn name(self) -> &'static str {
        match self {
            Language::C => "c",
            Language::Cpp => "cpp",
            Language::Go => "go",
            Language::Typescript => "typescript",
            Language::Python => "python",
            Language::Swift => "swift",
            Language::Java => "java",
            Language::Rust => "rust",
            Language::Cli => "cli",
        }
    }

    /// The templates: the file of a tool (one or two), the support file, the index.
    fn templates(self) -> &'static [(&'static str, &'static str)] {
        match self {
            Language::C => &[
                ("{tool}.h", include_str!("../templates/c/tool.h.j2")),
                ("{tool}.c", include_str!("../templates/c/tool.c.j2")),
                ("mcp_generated.h", include_str!("../templates/c/mcp_generated.h.j2")),
                ("{module}_index.h", include_str!("../templates/c/index.h.j2")),
            ],
            Language::Cpp => &[
                ("{tool}.hpp", include_str!("../templates/cpp/tool.hpp.j2")),
                ("mcp_generated.hpp", include_str!("../templates/cpp/mcp_generated.hpp.j2")),
                ("{module}_index.hpp", include_str!("../templates/cpp/index.hpp.j2")),
            ],
            Language::Go => &[
                ("{tool}_tool.go", include_str!("../templates/go/tool.go.j2")),
                ("support.go", include_str!("../templates/go/support.go.j2")),
            ],
            Language::Typescript => &[
                ("{tool}.ts", include_str!("../templates/typescript/tool.ts.j2")),
                ("_support.ts", include_str!("../templates/typescript/support.ts.j2")),
                ("index.ts", include_str!("../templates/typescript/index.ts.j2")),
            ],
            Language::Python => &[
                ("{tool}.py", include_str!("../templates/python/tool.py.j2")),
                ("_support.py", include_str!("../templates/python/support.py.j2")),
                ("__init__.py", include_str!("../templates/python/init.py.j2")),
            ],
            Language::Swift => &[
                ("{tool}.swift", include_str!("../templates/swift/tool.swift.j2")),
                ("Support.swift", include_str!("../templates/swift/support.swift.j2")),
            ],
            Language::Java => &[
                ("{tool}.java", include_str!("../templates/java/Tool.java.j2")),
                ("Support.java", include_str!("../templates/java/Support.java.j2")),
            ],
            Language::Rust => &[
                ("{tool}.rs", include_str!("../templates/rust/tool.rs.j2")),
                ("support.rs", include_str!("../templates/rust/support.rs.j2")),
                ("mod.rs", include_str!("../templates/rust/mod.rs.j2")),
            ],
            Language::Cli => &[("{module}", include_str!("../templates/cli/program.sh.j2"))],
        }
    }
}

/// What is known of a module beside its tools.
#[derive(Clone, Debug)]
pub struct About {
    pub server: String,
    pub version: String,
    pub revision: String,
    /// How a command line names it: the words before the tool, and those behind `--`.
    pub target: Vec<String>,
    pub program: Vec<String>,
}

/// All files of a module in a language.
pub fn module(language: Language, module: &Module, about: &About) -> Result<Vec<File>, Failure> {
    let fault = |error: minijinja::Error| Failure::machine(format!("cannot fill in a template: {error:#}"));
    let mut environment = Environment::new();
    environment.set_trim_blocks(true);
    environment.set_lstrip_blocks(true);
    environment.set_keep_trailing_newline(true);
    environment.set_undefined_behavior(minijinja::UndefinedBehavior::Strict);
    environment.set_auto_escape_callback(|_| minijinja::AutoEscape::None);
    for (path, source) in language.templates() {
        environment.add_template(path, source).map_err(fault)?;
    }
    let dialect = Dialect { language, module: naming::snake(&module.words) };
    let shared = json!({
        "module": dialect.module,
        // In a namespace of its own, because a server may be called `time`, as a function of C is.
        "namespace": format!("mcp_tools::{}", naming::free(dialect.module.clone(), reserved::C_AND_CPP)),
        "package": dialect.package(),
        "folder": super::output::folder(language, module),
        "pascal": naming::pascal(&module.words),
        "upper": naming::upper(&module.words),
        "server": text::listed(&about.server, 100),
        "version": text::listed(&about.version, 40),
        "revision": text::listed(&about.revision, 20),
        "target": about.target.iter().map(|word| text::shell(word)).collect::<Vec<_>>(),
        "program": about.program.iter().map(|word| text::shell(word)).collect::<Vec<_>>(),
    });
    let tools: Vec<Value> = tools(language, module).map(|tool| tool_context(&dialect, tool)).collect();
    let mut files = Vec::new();
    for (path, _) in language.templates() {
        let template = environment.get_template(path).map_err(fault)?;
        if path.contains("{tool}") {
            for (tool, context) in self::tools(language, module).zip(&tools) {
                let path = path.replace("{tool}", &dialect.stem(tool));
                let context = json!({"shared": shared, "tool": context});
                let text = template.render(context).map_err(fault)?;
                files.push(File { path, text: if language == Language::Go { aligned(&text) } else { text } });
            }
        } else {
            let path = path.replace("{module}", &dialect.module);
            let context = json!({"shared": shared, "tools": tools});
            files.push(File { path, text: template.render(context).map_err(fault)? });
        }
    }
    Ok(files)
}

/// Code of Go with the names, types and tags of structs and constants in columns, as gofmt has them: a column ends where a line lacks it,
/// such as a comment.
fn aligned(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    // The lines of a column: the name, the type, and what stands behind it.
    let mut rows: Vec<[&str; 3]> = Vec::new();
    let mut is_inside = false;
    for line in text.lines() {
        let row = line.strip_prefix('\t').filter(|row| is_inside && !row.starts_with("//"));
        match row.and_then(|row| row.split_once(' ')) {
            Some((name, rest)) => {
                let tag = rest.find(" `").or_else(|| rest.find(" = "));
                let (kind, tag) = tag.map_or((rest, ""), |at| (&rest[..at], &rest[at + 1..]));
                rows.push([name, kind, tag]);
                continue;
            }
            None => push_rows(&mut out, &std::mem::take(&mut rows)),
        }
        out.push_str(line);
        out.push('\n');
        is_inside = line == "const (" || line.ends_with(" struct {") || is_inside && line.starts_with('\t');
    }
    push_rows(&mut out, &rows);
    out
}

fn push_rows(out: &mut String, rows: &[[&str; 3]]) {
    let wide =
        |rows: &[[&str; 3]], column: usize| rows.iter().map(|row| row[column].len()).max().unwrap_or(0);
    let names = wide(rows, 0);
    for part in rows.chunk_by(|one, other| one[2].is_empty() == other[2].is_empty()) {
        let kinds = wide(part, 1);
        for [name, kind, tag] in part {
            let line = if tag.is_empty() {
                format!("\t{name:<names$} {kind}\n")
            } else {
                format!("\t{name:<names$} {kind:<kinds$} {tag}\n")
            };
            out.push_str(&line);
        }
    }
}

/// The tools that a program in the language can call.
pub fn tools(language: Language, module: &Module) -> impl Iterator<Item = &Tool> {
    module.tools.iter().filter(move |tool| language != Language::Cli || is_word(&tool.name))
}

/// Whether `mcp call` reads a name of a server as what it is. One that begins with `-` would be an option, which may do anything.
fn is_word(name: &str) -> bool {
    !name.starts_with('-')
}

/// Whether an argument can be given as NAME=VALUE, and is what it was.
fn is_argument(name: &str) -> bool {
    is_word(name) && !name.contains('=') && !name.ends_with(':')
}

/// What a program for the command line leaves out, for the report.
pub fn left_out(tool: &Tool) -> Vec<String> {
    if !is_word(&tool.name) {
        return vec!["mcp call would read the name as an option: the tool has no command".to_owned()];
    }
    let fields = of_parameters(tool).unwrap_or_default().iter().filter(|field| !is_argument(&field.wire));
    fields
        .map(|field| {
            format!(
                "{}: mcp call would not read it as the name of an argument: give it in --json",
                field.wire
            )
        })
        .collect()
}

/// The name of the file of a tool, without its ending.
pub fn stem(language: Language, module: &Module, tool: &Tool) -> String {
    Dialect { language, module: naming::snake(&module.words) }.stem(tool)
}

/// The name of the function of a tool, as a program writes it.
pub fn function(language: Language, module: &Module, tool: &Tool) -> String {
    Dialect { language, module: naming::snake(&module.words) }.function(tool)
}

/// The names of the types of a tool's arguments and result; `None` where there is none of its own.
pub fn named_types(language: Language, module: &Module, tool: &Tool) -> [Option<String>; 2] {
    let dialect = Dialect { language, module: naming::snake(&module.words) };
    let tool = lowered(language, tool);
    let name = |kind: &Type| match kind {
        Type::Named(number) => Some(dialect.declared(&tool.declarations[*number])),
        _ => None,
    };
    [name(&tool.arguments), tool.result.as_ref().and_then(name)]
}

/// The tool with what the language cannot decode as any JSON.
fn lowered(language: Language, tool: &Tool) -> Tool {
    let mut tool = tool.clone();
    if is_dynamic(language) {
        return tool;
    }
    let undecidable: Vec<bool> = tool
        .declarations
        .iter()
        .map(|it| matches!(&it.shape, Shape::Union(union) if !union.is_decidable))
        .collect();
    let lower = |kind: &mut Type| lower_type(kind, &undecidable);
    for declaration in &mut tool.declarations {
        super::read::each_type(&mut declaration.shape, &mut |kind| lower(kind));
    }
    if tool.arguments != Type::Null {
        lower(&mut tool.arguments);
    }
    if let Some(result) = &mut tool.result {
        lower(result);
    }
    tool
}

fn lower_type(kind: &mut Type, undecidable: &[bool]) {
    match kind {
        Type::Named(number) if undecidable.get(*number) == Some(&true) => *kind = Type::Json,
        Type::Null => *kind = Type::Json,
        Type::Literals(_) => *kind = kind.widened(),
        Type::Array(item) | Type::Map(item) => lower_type(item, undecidable),
        Type::Nullable(item) => {
            lower_type(item, undecidable);
            if **item == Type::Json {
                *kind = Type::Json;
            }
        }
        _ => {}
    }
}

/// The languages whose types need not be decoded: a union whose variants nothing tells apart is one of their types.
fn is_dynamic(language: Language) -> bool {
    matches!(language, Language::Typescript | Language::Python | Language::Cli)
}

/// Which unions the languages other than TypeScript and Python have as any JSON, for the report.
pub fn undecidable(tool: &Tool) -> Vec<String> {
    tool.declarations
        .iter()
        .filter(|it| matches!(&it.shape, Shape::Union(union) if !union.is_decidable))
        .map(|it| format!("{}: the values do not show which variant they are", it.name))
        .collect()
}

/// Which members TypeScript has as any JSON, for the report.
pub fn inherited(tool: &Tool) -> Vec<String> {
    let mut found = Vec::new();
    for it in &tool.declarations {
        let Shape::Object(object) = &it.shape else { continue };
        for field in object.fields.iter().filter(|field| is_inherited(field)) {
            found.push(format!("{}/{}: every object of JavaScript has such a member", it.name, field.wire));
        }
    }
    found
}

/// Whether objects that lack the member have another value by its name, which its type would not allow.
fn is_inherited(field: &Field) -> bool {
    !field.required && reserved::JAVASCRIPT_OBJECT.contains(&field.wire.as_str())
}

fn tool_context(dialect: &Dialect, original: &Tool) -> Value {
    let tool = lowered(dialect.language, original);
    // The unions that became any JSON are declared by no file.
    let is_kept = |it: &Declaration| match &it.shape {
        Shape::Union(union) => union.is_decidable || is_dynamic(dialect.language),
        _ => true,
    };
    let order = units::order(&tool.declarations);
    let declarations: Vec<Value> = order
        .into_iter()
        .map(|number| &tool.declarations[number])
        .filter(|it| is_kept(it))
        .map(|it| declaration(dialect, &tool, it))
        .collect();
    let has_arguments = tool.arguments != Type::Null;
    let arguments = if has_arguments { typed(dialect, &tool, &tool.arguments) } else { Value::Null };
    let result = tool.result.as_ref().map(|kind| typed(dialect, &tool, kind));
    let units = if dialect.language == Language::C { units::units(dialect, &tool) } else { Vec::new() };
    json!({
        "wire": dialect.literal(&tool.name),
        "shown": text::listed(&tool.name, 100),
        "function": dialect.function(&tool),
        "stem": dialect.stem(&tool),
        "pascal": naming::pascal(&tool.words),
        "upper": naming::upper(&tool.words),
        "doc": document(dialect, &tool),
        "hash": format!("{:016x}", tool.hash),
        "has_arguments": has_arguments,
        "arguments": arguments,
        "parameters": parameters(dialect, &tool),
        "is_part_left_out": dialect.language == Language::Cli && !left_out(&tool).is_empty(),
        "member": wrapped(dialect.language, &tool).map(|field| &field.wire),
        "inner": wrapped(dialect.language, &tool).map(|field| typed(dialect, &tool, &field.kind)),
        "result": result,
        "is_overridden": tool.is_overridden,
        "declarations": declarations,
        "units": units,
    })
}

/// The one member of a result that functions of the language give instead of the whole.
pub fn wrapped(language: Language, tool: &Tool) -> Option<&Field> {
    tool.wrapped().filter(|_| matches!(language, Language::Typescript | Language::Python))
}

/// The parameters of a function whose names are not those of the arguments; null where a function takes all arguments as one value.
pub fn keywords(language: Language, tool: &Tool) -> Value {
    let Some(fields) = of_parameters(tool).filter(|_| language == Language::Python) else {
        return Value::Null;
    };
    let dialect = Dialect { language, module: String::new() };
    let names = fields.iter().map(|field| (field.wire.clone(), dialect.field(&field.words)));
    names.filter(|(wire, name)| wire != name).map(|(wire, name)| (wire, Value::from(name))).collect()
}

/// The arguments where all of them have names.
fn of_parameters(tool: &Tool) -> Option<&[Field]> {
    let Type::Named(number) = tool.arguments else { return None };
    match &tool.declarations[number].shape {
        Shape::Object(Object { fields, additional: None }) => Some(fields),
        _ => None,
    }
}

/// The arguments as parameters of a function, where all of them have names; null otherwise.
fn parameters(dialect: &Dialect, tool: &Tool) -> Value {
    let Some(fields) = of_parameters(tool) else { return Value::Null };
    let parameter = |field: &Field| {
        let plain = match &field.kind {
            Type::Nullable(inside) => inside,
            other => other,
        };
        json!({
            "wire": dialect.literal(&field.wire),
            "name": dialect.field(&field.words),
            "option": naming::snake(&field.words).replace('_', "-"),
            "required": field.required,
            "type": dialect.kind(&field.kind, tool),
            "shown": text::listed(&dialect.shown(&field.kind, tool), 60),
            "is_bool": *plain == Type::Bool,
            "doc": dialect.comment(&field.description),
        })
    };
    let fields = fields.iter().filter(|field| dialect.language != Language::Cli || is_argument(&field.wire));
    // What must be given stands first, each in the order of the schema.
    let (needed, rest): (Vec<&Field>, Vec<&Field>) = fields.partition(|field| field.required);
    needed.into_iter().chain(rest).map(parameter).collect()
}

fn document(dialect: &Dialect, tool: &Tool) -> Vec<String> {
    let text = if tool.description.is_empty() { &tool.title } else { &tool.description };
    dialect.comment(text)
}

/// A type with how values of it are written and read.
fn typed(dialect: &Dialect, tool: &Tool, kind: &Type) -> Value {
    json!({
        "type": dialect.kind(kind, tool),
        "plain": dialect.plain(kind, tool),
        "encode": dialect.encode(kind, tool),
        "decode": dialect.decode(kind, tool),
        "is_json": *kind == Type::Json,
        "is_nullable": matches!(kind, Type::Nullable(_)),
        "is_heap": units::is_heap(kind, &tool.declarations),
        "constant": constant(dialect, tool, kind),
        "collection": match kind { Type::Array(_) => "list", Type::Map(_) => "map", _ => "" },
        "is_recursive": matches!(kind, Type::Named(number) if tool.declarations[*number].is_recursive),
    })
}

/// The one value that the type has, if it has one only.
fn constant(dialect: &Dialect, tool: &Tool, kind: &Type) -> Value {
    let Type::Named(number) = kind else { return Value::Null };
    let declaration = &tool.declarations[*number];
    match &declaration.shape {
        Shape::Enumeration(texts) if texts.len() == 1 => {
            Value::String(dialect.enumerator(declaration, &texts[0].words))
        }
        _ => Value::Null,
    }
}

fn declaration(dialect: &Dialect, tool: &Tool, it: &Declaration) -> Value {
    let mut context = json!({
        "name": dialect.declared(it),
        "prefix": dialect.prefix(it),
        "doc": dialect.comment(&it.description),
        "is_recursive": it.is_recursive,
        "shape": "",
        "fields": [],
        "additional": null,
        "values": [],
        "variants": [],
        "tag": null,
        "is_plain": false,
        "needed": [],
        "is_long": false,
        "is_open": false,
    });
    match &it.shape {
        Shape::Object(object) => {
            context["shape"] = json!("object");
            context["fields"] = object
                .fields
                .iter()
                .map(|field| {
                    json!({
                        "wire": dialect.literal(&field.wire),
                        "key": dialect.key(&field.wire),
                        "is_identifier": types::is_python_identifier(&field.wire),
                        "tag": types::go_tag(&field.wire, field.required),
                        "name": dialect.field(&field.words),
                        "required": field.required,
                        "doc": dialect.comment(&field.description),
                        "boxed": dialect.boxed(&field.kind, tool),
                        "plain": dialect.plain(&field.kind, tool),
                        "given": match &field.kind {
                            Type::Nullable(inside) if !field.required => dialect.kind(inside, tool),
                            kind => dialect.plain(kind, tool),
                        },
                        "decode": dialect.decode_optional(&field.kind, tool),
                        // Null is a value of these types, and is not the same as nothing.
                        "keeps_null": matches!(field.kind, Type::Json | Type::Nullable(_)),
                        "kind": typed(dialect, tool, &field.kind),
                        "optional": if dialect.language == Language::Typescript && is_inherited(field) {
                            "unknown".to_owned()
                        } else {
                            dialect.optional(&field.kind, tool)
                        },
                    })
                })
                .collect();
            context["is_plain"] =
                json!(object.fields.iter().all(|field| types::is_python_identifier(&field.wire)));
            // What must be given, in the order of the schema.
            let needed = |field: &Value| field["required"] == true && field["kind"]["constant"].is_null();
            context["needed"] =
                context["fields"].as_array().into_iter().flatten().filter(|it| needed(it)).cloned().collect();
            context["is_long"] =
                json!(context["needed"].as_array().is_some_and(|all| all.len() > PARAMETERS));
            context["is_open"] = json!(!object.fields.iter().any(|field| field.required));
            context["additional"] =
                object.additional.as_ref().map_or(Value::Null, |kind| typed(dialect, tool, kind));
        }
        Shape::Enumeration(texts) => {
            context["shape"] = json!("enumeration");
            context["values"] = texts
                .iter()
                .map(|text| {
                    json!({"wire": dialect.literal(&text.wire), "name": dialect.enumerator(it, &text.words)})
                })
                .collect();
        }
        Shape::Union(union) => {
            context["shape"] = json!("union");
            context["tag"] = union.tag.as_ref().map_or(Value::Null, |tag| json!(dialect.literal(tag)));
            context["variants"] = union
                .variants
                .iter()
                .map(|variant| {
                    let class = variant.kind.class(&tool.declarations).map_or("", |class| match class {
                        Class::Null => "null",
                        Class::Bool => "bool",
                        Class::Number => "number",
                        Class::String => "string",
                        Class::Array => "array",
                        Class::Object => "object",
                    });
                    json!({
                        "name": dialect.field(&variant.words),
                        "pascal": naming::pascal(&variant.words),
                        "enumerator": dialect.enumerator(it, &variant.words),
                        "kind": typed(dialect, tool, &variant.kind),
                        "boxed": dialect.boxed(&variant.kind, tool),
                        "class": class,
                        "tags": variant.tags.iter().map(|tag| dialect.literal(tag)).collect::<Vec<_>>(),
                    })
                })
                .collect();
        }
    }
    context
}

#[cfg(test)]
mod tests {
    use super::aligned;

    #[test]
    fn go_has_columns_as_gofmt_writes_them() {
        let text = "const (\n\tA T = \"a\"\n\tLong T = \"b = c\"\n)\n\ntype S struct {\n\tTime string `json:\"time\"`\n\tV float64 `x`\n\
                    \t// A comment ends the columns.\n\tGroup *string\n\tB []Long `y`\n}\n\nfunc f() {\n\tx := 1\n}\n";
        let wanted = "const (\n\tA    T = \"a\"\n\tLong T = \"b = c\"\n)\n\ntype S struct {\n\tTime string  `json:\"time\"`\n\tV    float64 `x`\n\
                      \t// A comment ends the columns.\n\tGroup *string\n\tB     []Long `y`\n}\n\nfunc f() {\n\tx := 1\n}\n";
        assert_eq!(aligned(text), wanted);
        assert_eq!(aligned(wanted).matches('\n').count(), wanted.matches('\n').count());
    }
}
