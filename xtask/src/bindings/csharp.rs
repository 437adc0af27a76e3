//! `bindings/csharp/src/Native.cs`: the numbers, the handles, and the functions for P/Invoke.

use std::fmt::Write as _;

use super::constants::{Constant, Constants};
use super::functions::{self, FUNCTION, Function};
use super::model::small_camel;

const HEAD: &str = "\
// Written from include/mcp.h by `cargo xtask bindings`; do not edit.

using System;
using System.Runtime.InteropServices;

namespace Libmcp
{
";

/// The text of the file.
///
/// # Errors
/// A declaration of the header has a form that is not known here.
pub fn text(numbers: &Constants, header: &str) -> Result<String, String> {
    let mut text = HEAD.to_owned();
    for (access, name, says, table) in [
        (
            "public",
            "Status",
            "How something ended: 0 is success, positive is no failure, negative is an error.",
            &numbers.statuses,
        ),
        ("internal", "MessageKind", "What a message is.", &numbers.kinds),
        ("public", "ClientState", "The state of a connection.", &numbers.states),
        ("public", "Topic", "What a notification or a request is about.", &numbers.topics),
        ("public", "LogLevel", "How much the logger gets.", &numbers.levels),
        ("public", "JsonKind", "What a JSON value is.", &numbers.json),
    ] {
        numbers_of(&mut text, access, name, says, table);
    }
    let functions = functions::of(header)?;
    for function in &functions {
        handle(&mut text, function);
    }
    text.push_str(NATIVE);
    let _ = writeln!(text, "        internal const uint AbiVersion = {};", numbers.abi);
    for function in &functions {
        one(&mut text, function)?;
    }
    text.push_str("    }\n}\n");
    Ok(text)
}

/// What stands before the functions. A program for iOS is linked with the library.
const NATIVE: &str = "
    /// <summary>A JSON value in a message or a document, which only the library understands.</summary>
    [StructLayout(LayoutKind.Sequential)]
    internal struct NativeValue
    {
        private readonly UIntPtr owner, name, start, end;
    }

    internal static class Native
    {
#if UNITY_IOS && !UNITY_EDITOR
        private const string Library = \"__Internal\";
#else
        private const string Library = \"mcp\";
#endif
";

fn numbers_of(text: &mut String, access: &str, name: &str, says: &str, table: &[Constant]) {
    let _ = writeln!(text, "    /// <summary>{says}</summary>\n    {access} enum {name}\n    {{");
    for number in table {
        let comment = number.comment.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
        let _ = writeln!(
            text,
            "        /// <summary>{comment}</summary>\n        {} = {},",
            number.camel(),
            number.value
        );
    }
    text.push_str("    }\n\n");
}

/// A class for what a function frees: the runtime counts its uses, and frees it after the last.
fn handle(text: &mut String, function: &Function) {
    let kind = match function.parameters.as_slice() {
        [(_, kind)] if function.name.ends_with("_free") => handle_name(kind, " *"),
        _ => None,
    };
    if let Some(name) = kind {
        let _ = writeln!(
            text,
            "    internal sealed class {name} : NativeHandle
    {{
        protected override bool ReleaseHandle()
        {{
            return Native.{}(handle) == Status.OK;
        }}
    }}
",
            function.name
        );
    }
}

/// `mcp_client_t *` as `ClientHandle`.
fn handle_name(kind: &str, pointer: &str) -> Option<String> {
    let name =
        kind.trim_start_matches("const ").strip_suffix(pointer)?.strip_prefix("mcp_")?.strip_suffix("_t")?;
    // Not one that the program keeps: a struct, and what lives within a callback.
    let is_handle = name.bytes().all(|it| it.is_ascii_lowercase()) && name != "transport";
    is_handle.then(|| name[..1].to_uppercase() + &name[1..] + "Handle")
}

fn one(text: &mut String, function: &Function) -> Result<(), String> {
    let frees = function.name.ends_with("_free");
    let mut parameters = Vec::new();
    for (name, kind) in &function.parameters {
        let name = small_camel(name);
        let keyword = if KEYWORDS.contains(&name.as_str()) { "@" } else { "" };
        parameters
            .push(format!("{} {keyword}{name}", if frees { "IntPtr".to_owned() } else { parameter(kind)? }));
    }
    let result = function.result.as_deref().map_or(Ok("void".to_owned()), result)?;
    text.push_str(
        "\n        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]\n",
    );
    if result == "bool" {
        text.push_str("        [return: MarshalAs(UnmanagedType.I1)]\n");
    }
    let _ = writeln!(
        text,
        "        internal static extern {result} {}({});",
        function.name,
        parameters.join(", ")
    );
    Ok(())
}

/// Words of C# among the names.
const KEYWORDS: [&str; 1] = ["out"];

/// A type that is passed and returned in the same way.
fn plain(kind: &str) -> Option<&'static str> {
    Some(match kind {
        "int32_t" => "int",
        "uint32_t" => "uint",
        "int64_t" => "long",
        "uint64_t" => "ulong",
        "size_t" => "UIntPtr",
        "double" => "double",
        "mcp_status_t" => "Status",
        "mcp_kind_t" => "MessageKind",
        "mcp_topic_t" => "Topic",
        "mcp_client_state_t" => "ClientState",
        "mcp_json_type_t" => "JsonKind",
        "mcp_value_t" => "NativeValue",
        "void *" => "IntPtr",
        _ => return None,
    })
}

fn parameter(kind: &str) -> Result<String, String> {
    if let Some(name) = plain(kind) {
        return Ok(name.to_owned());
    }
    if let Some(name) =
        handle_name(kind, " **").map(|name| format!("out {name}")).or_else(|| handle_name(kind, " *"))
    {
        return Ok(name);
    }
    Ok(match kind {
        // UTF-8 with a NUL, which the binding makes: what marshals strings differs among runtimes.
        "const char *" => "byte[]",
        "char *" => "[Out] byte[]",
        "bool" => "[MarshalAs(UnmanagedType.I1)] bool",
        "bool *" => "out byte",
        "char **" | "const char **" => "out IntPtr",
        "size_t *" => "out UIntPtr",
        "int32_t *" => "out int",
        "int64_t *" => "out long",
        "uint64_t *" => "out ulong",
        "double *" => "out double",
        "const char *const *" | "const mcp_transport_functions_t *" | "mcp_transport_t *" | FUNCTION => {
            "IntPtr"
        }
        _ => {
            return Err(format!("mcp.h: the type {kind:?} of a parameter is not known; add it to csharp.rs"));
        }
    }
    .to_owned())
}

fn result(kind: &str) -> Result<String, String> {
    Ok(match kind {
        "bool" => "bool",
        // Borrowed, so that no handle may free it; of a new builder NULL is a handle that is invalid.
        "mcp_builder_t *" => "BuilderHandle",
        _ if kind.contains('*') => "IntPtr",
        _ => plain(kind)
            .ok_or_else(|| format!("mcp.h: the result {kind:?} is not known; add it to csharp.rs"))?,
    }
    .to_owned())
}
