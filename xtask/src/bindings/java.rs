//! The tables for Java: enums of the numbers, and `Abi.java`, which calls the functions of the header.

use std::fmt::Write as _;

use super::constants::{Constant, Constants};
use super::model::small_camel;
use super::python::declarations;

const HEAD: &str =
    "// Written from include/mcp.h by `cargo xtask bindings`; do not edit.\n\npackage io.libmcp;\n";

/// The files of the numbers that programs see: name and text.
pub fn enums(numbers: &Constants) -> Vec<(&'static str, String)> {
    let says = "How something ended: 0 is success, positive is no failure but there is nothing to return, negative is an error.";
    vec![
        ("Status", table("Status", says, &numbers.statuses)),
        ("Topic", table("Topic", "What a notification or a request is about.", &numbers.topics)),
        ("ClientState", table("ClientState", "The state of a connection.", &numbers.states)),
        ("LogLevel", table("LogLevel", "How much the logger hears.", &numbers.levels)),
    ]
}

fn table(name: &str, says: &str, numbers: &[Constant]) -> String {
    let mut text = HEAD.to_owned();
    let _ = write!(text, "\n/** {says} */\npublic enum {name} {{\n");
    let other = Constant {
        // A topic has one of this name, which says the same.
        name: if numbers.iter().any(|it| it.name == "UNKNOWN") { "OTHER" } else { "UNKNOWN" }.to_owned(),
        value: i64::from(i32::MIN),
        comment: "A number of a later library.".to_owned(),
    };
    let all: Vec<&Constant> = numbers.iter().chain([&other]).collect();
    for (place, number) in all.iter().enumerate() {
        let end = if place + 1 == all.len() { ";" } else { ",\n" };
        let value = if number.value == i64::from(i32::MIN) {
            "Integer.MIN_VALUE".to_owned()
        } else {
            number.value.to_string()
        };
        let _ = writeln!(text, "    /** {} */\n    {}({value}){end}", in_java(&number.comment), number.name);
    }
    let _ = write!(
        text,
        "
    private final int number;

    {name}(int number) {{
        this.number = number;
    }}

    /**
     * The number of the C API.
     *
     * @return the number, which never changes
     */
    public int number() {{
        return number;
    }}

    @Override
    public String toString() {{
        return name().toLowerCase(java.util.Locale.ROOT);
    }}

    static {name} of(int number) {{
        for ({name} one : values()) {{
            if (one.number == number) {{
                return one;
            }}
        }}
        return {};
    }}
}}
",
        other.name
    );
    text
}

/// Comments name functions of C, of which a program in Java sees nothing.
fn in_java(comment: &str) -> String {
    comment.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

/// `Abi.java`.
///
/// # Errors
/// A declaration of the header has a form that is not known here.
pub fn functions(numbers: &Constants, header: &str) -> Result<String, String> {
    let functions = parse(&declarations(header))?;
    let mut text = HEAD.to_owned();
    text.push_str(
        "
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/** The functions of the C API. Each is looked up when it is called for the first time. */
final class Abi {
",
    );
    let _ = writeln!(text, "    static final int VERSION = {};\n", numbers.abi);
    for (group, constants) in [("KIND", &numbers.kinds), ("JSON", &numbers.json)] {
        for Constant { name, value, .. } in constants {
            let _ = writeln!(text, "    static final int {group}_{name} = {value};");
        }
        text.push('\n');
    }
    text.push_str(
        "    /** {@code mcp_value_t}: four numbers, which only the library understands. */
    static final StructLayout VALUE = MemoryLayout.structLayout(
            ValueLayout.JAVA_LONG, ValueLayout.JAVA_LONG, ValueLayout.JAVA_LONG, ValueLayout.JAVA_LONG);

    private Abi() {
    }

    private static RuntimeException failed(Throwable failure) {
        // The functions of the library throw nothing: this is a link that failed, or a fault of the virtual machine.
        if (failure instanceof Error error) {
            throw error;
        }
        return failure instanceof RuntimeException known ? known : new IllegalStateException(failure);
    }
",
    );
    for function in &functions {
        one(&mut text, function);
    }
    text.push_str("}\n");
    Ok(text)
}

fn one(text: &mut String, function: &Function) {
    let Function { name, result, parameters } = function;
    let layouts: Vec<&str> = parameters.iter().map(|(_, kind)| kind.layout()).collect();
    let descriptor = match result {
        Some(kind) => {
            let mut all = vec![kind.layout()];
            all.extend(layouts);
            format!("FunctionDescriptor.of({})", all.join(", "))
        }
        None => format!("FunctionDescriptor.ofVoid({})", layouts.join(", ")),
    };
    let mut declared: Vec<String> = Vec::new();
    let mut given: Vec<&str> = Vec::new();
    if *result == Some(Kind::Value) {
        declared.push("SegmentAllocator room".to_owned());
        given.push("room");
    }
    for (name, kind) in parameters {
        declared.push(format!("{} {name}", kind.java()));
        given.push(name);
    }
    let given = given.join(", ");
    let back = result.map_or("void", Kind::java);
    let call = match result {
        Some(kind) => format!("return ({}) handle_{name}.HANDLE.invokeExact({given});", kind.java()),
        None => format!("handle_{name}.HANDLE.invokeExact({given});"),
    };
    let _ = write!(
        text,
        "
    private static final class handle_{name} {{
        static final MethodHandle HANDLE = Library.function(\"{name}\",
                {descriptor});
    }}

    static {back} {name}({}) {{
        try {{
            {call}
        }} catch (Throwable thrown) {{
            throw failed(thrown);
        }}
    }}
",
        declared.join(", ")
    );
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Kind {
    Int,
    Long,
    Double,
    Bool,
    Pointer,
    Value,
}

impl Kind {
    fn of(kind: &str) -> Result<Kind, String> {
        Ok(match kind {
            _ if kind.contains('*') || matches!(kind, "mcp_handler_t" | "mcp_config_opened_t") => {
                Kind::Pointer
            }
            "int32_t" | "uint32_t" | "mcp_status_t" | "mcp_kind_t" | "mcp_topic_t" | "mcp_client_state_t"
            | "mcp_json_type_t" => Kind::Int,
            "int64_t" | "uint64_t" | "size_t" => Kind::Long,
            "double" => Kind::Double,
            "bool" => Kind::Bool,
            "mcp_value_t" => Kind::Value,
            _ => return Err(format!("mcp.h: the type {kind:?} is not known; add it to java.rs")),
        })
    }

    fn java(self) -> &'static str {
        match self {
            Kind::Int => "int",
            Kind::Long => "long",
            Kind::Double => "double",
            Kind::Bool => "boolean",
            Kind::Pointer | Kind::Value => "MemorySegment",
        }
    }

    fn layout(self) -> &'static str {
        match self {
            Kind::Int => "ValueLayout.JAVA_INT",
            Kind::Long => "ValueLayout.JAVA_LONG",
            Kind::Double => "ValueLayout.JAVA_DOUBLE",
            Kind::Bool => "ValueLayout.JAVA_BOOLEAN",
            Kind::Pointer => "ValueLayout.ADDRESS",
            Kind::Value => "VALUE",
        }
    }
}

#[derive(Debug, PartialEq)]
struct Function {
    name: String,
    result: Option<Kind>,
    parameters: Vec<(String, Kind)>,
}

/// The functions among declarations of C.
fn parse(declarations: &str) -> Result<Vec<Function>, String> {
    let mut functions = Vec::new();
    let lines: Vec<&str> = declarations.lines().filter(|line| !line.starts_with('#')).collect();
    for declaration in lines.join(" ").split(';') {
        let declaration = declaration.split_whitespace().collect::<Vec<_>>().join(" ");
        let Some((head, rest)) = declaration.split_once('(') else { continue };
        let Some((result, name)) = split_name(head) else { continue };
        if declaration.starts_with("typedef") || !name.starts_with("mcp_") || result.is_empty() {
            continue;
        }
        let inner = rest.strip_suffix(')').ok_or_else(|| format!("mcp.h: {declaration:?} has no end"))?;
        let mut parameters = Vec::new();
        for parameter in split_outside(inner) {
            if parameter == "void" {
                continue;
            }
            // A pointer to a function: its name is inside.
            if let Some((_, rest)) = parameter.split_once("(*") {
                let name = rest.split(')').next().unwrap_or_default();
                parameters.push((small_camel(name), Kind::Pointer));
                continue;
            }
            let (kind, name) =
                split_name(parameter).ok_or_else(|| format!("mcp.h: {parameter:?} has no name"))?;
            parameters.push((small_camel(name), Kind::of(kind)?));
        }
        let result = if result == "void" { None } else { Some(Kind::of(result)?) };
        functions.push(Function { name: name.to_owned(), result, parameters });
    }
    if functions.is_empty() { Err("mcp.h declares no function".to_owned()) } else { Ok(functions) }
}

/// `const char *name` as `const char *` and `name`.
fn split_name(text: &str) -> Option<(&str, &str)> {
    let text = text.trim();
    let start = text.rfind(|it: char| !it.is_ascii_alphanumeric() && it != '_')? + 1;
    Some((text[..start].trim(), &text[start..])).filter(|(_, name)| !name.is_empty())
}

/// What commas outside of parentheses separate.
fn split_outside(text: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let (mut depth, mut start) = (0, 0);
    for (place, letter) in text.char_indices() {
        match letter {
            '(' => depth += 1,
            ')' => depth -= 1,
            ',' if depth == 0 => {
                parts.push(text[start..place].trim());
                start = place + 1;
            }
            _ => {}
        }
    }
    parts.push(text[start..].trim());
    parts
}

#[cfg(test)]
mod tests {
    use super::{Kind, parse};

    #[test]
    fn functions_are_found_among_other_declarations() -> Result<(), String> {
        let text = "typedef struct mcp_a_t mcp_a_t;\ntypedef struct { mcp_status_t (*open)(void *user); } b;\n\
            typedef void (*mcp_handler_t)(void *user);\nconst char *mcp_name(void);\n\
            mcp_status_t mcp_set(void (*log)(void *user, int32_t level), int32_t level,\n    mcp_a_t **out);\n\
            mcp_value_t mcp_at(mcp_value_t value, size_t index);\n";
        let found = parse(text)?;
        let names: Vec<&str> = found.iter().map(|it| it.name.as_str()).collect();
        assert_eq!(names, ["mcp_name", "mcp_set", "mcp_at"]);
        assert_eq!((found[0].result, found[0].parameters.len()), (Some(Kind::Pointer), 0));
        let set: Vec<(&str, Kind)> =
            found[1].parameters.iter().map(|(name, kind)| (name.as_str(), *kind)).collect();
        assert_eq!(set, [("log", Kind::Pointer), ("level", Kind::Int), ("out", Kind::Pointer)]);
        assert_eq!(found[2].result, Some(Kind::Value));
        assert!(parse("quad_t mcp_x(void);").is_err());
        Ok(())
    }
}
