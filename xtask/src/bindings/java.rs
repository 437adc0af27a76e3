//! The tables for Java: enums of the numbers, and `Abi.java`, which calls the functions of the header.

use std::fmt::Write as _;

use super::constants::{Constant, Constants};
use super::functions::{self, FUNCTION, Function};
use super::model::small_camel;

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
    let functions = functions::of(header)?;
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
        one(&mut text, function)?;
    }
    text.push_str("}\n");
    Ok(text)
}

fn one(text: &mut String, function: &Function) -> Result<(), String> {
    let name = &function.name;
    let result = function.result.as_deref().map(Kind::of).transpose()?;
    let parameters = function
        .parameters
        .iter()
        .map(|(name, kind)| Ok((small_camel(name), Kind::of(kind)?)))
        .collect::<Result<Vec<_>, String>>()?;
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
    if result == Some(Kind::Value) {
        declared.push("SegmentAllocator room".to_owned());
        given.push("room");
    }
    for (name, kind) in &parameters {
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
    Ok(())
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
            _ if kind.contains('*') || kind == FUNCTION => Kind::Pointer,
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
