//! Every function of the C API, called with nothing that it needs: it fails, and leaves what its caller may rely on.
//!
//! A C program is made from `include/mcp.h`, so that a function which is added is called as well. Each is called twice: with NULL and 0,
//! and with a client that is closed, a server and a queue. Then each that takes JSON is called with what it needs, and with one text
//! that is no JSON.

use std::fmt::Write as _;
use std::process::Command;
use std::time::Duration;

use super::Stage;
use crate::checkout::{read, write};
use crate::compiler;
use crate::declared::{Function, Parameter, functions};
use crate::machine::CC;
use crate::process;

const LIMIT: Duration = Duration::from_secs(60);

/// They leave the default of the program in place where there is no such value.
const DEFAULTS: [&str; 3] = ["mcp_value_int64", "mcp_value_double", "mcp_value_bool"];

/// The program, in which the calls take the place of this line.
const PROGRAM: &str = include_str!("misuse.c");
const CALLS: &str = "/* CALLS */\n";

pub fn run(stage: &mut Stage) -> Result<(), String> {
    let name = "a function that fails clears its out-parameters, names itself and its argument, and releases what it took";
    if stage.tally.need(&CC, name).is_none() {
        return Ok(());
    }
    let all = functions(&read(&stage.checkout.header())?);
    let exports = read(&stage.checkout.exports())?;
    if all.len() != exports.lines().count() {
        return Err(format!("{} functions are read in include/mcp.h, and not all", all.len()));
    }
    let folder = stage.checkout.scratch("exports")?;
    let source = folder.join("misuse.c");
    write(&source, &program(&all))?;
    let built = stage.built()?;
    let program = compiler::program(stage.checkout, &built, &source, "exports")?;
    let finished = process::run(&mut Command::new(program), LIMIT, &folder.join("misuse"))?;
    stage.tally.check(name, finished.done());
    Ok(())
}

fn program(all: &[Function]) -> String {
    let mut text = String::new();
    for function in all {
        call(function, &mut text);
    }
    let mut texts = String::new();
    for function in all {
        let takes = function.returns == "mcp_status_t" && !OTHERS.contains(&function.name.as_str());
        for parameter in function.parameters.iter().filter(|parameter| takes && is_json(parameter)) {
            refuse(function, &parameter.name, &mut text);
            let _ = writeln!(texts, "    refuse_{}_{}();", function.name, parameter.name);
        }
    }
    let _ = writeln!(text, "\nstatic void all_texts(void) {{\n{texts}}}");
    text.push_str("\nstatic void all(void) {\n");
    for function in all {
        // What frees a handle is called with NULL alone.
        let when = if function.name.ends_with("_free") { "if (client == NULL) " } else { "" };
        let _ = writeln!(text, "    {when}call_{}();", function.name);
    }
    text.push_str("}\n");
    PROGRAM.replace(CALLS, &text)
}

/// The type of what is written through a parameter, if it is one for that.
fn written(parameter: &Parameter) -> Option<&str> {
    let to = parameter.kind.strip_suffix('*')?.trim_end();
    let is_number = ["uint64_t", "size_t", "int64_t", "int32_t", "double", "bool"].contains(&to);
    // A pointer to pointers that are constant is a list of the caller's.
    (is_number || to.ends_with('*')).then_some(to)
}

/// The one answers a request of another server, and looks at that first; the other gets what a page wrote, which is no mistake of the
/// program.
const OTHERS: [&str; 2] = ["mcp_request_respond_elicitation", "mcp_app_receive"];

/// Whether a parameter takes JSON of the program, which is looked at before anything else is done.
fn is_json(parameter: &Parameter) -> bool {
    parameter.kind == "const char *" && parameter.name.ends_with("_json") && parameter.name != "error_json"
}

/// What a text of the program may be, as C writes it.
fn sample(function: &str, parameter: &str) -> &'static str {
    match parameter {
        "roots_json" | "values_json" => "\"[]\"",
        "entry_json" => r#""{\"uri\":\"skill://a/SKILL.md\"}""#,
        "config_json" if function == "mcp_server_new" => r#""{\"name\":\"x\"}""#,
        name if name.ends_with("_json") => "\"{}\"",
        "method" if function.ends_with("_notify") => "\"notifications/x\"",
        "method" => "\"x/y\"",
        "level" => "\"info\"",
        "path" | "folder" => "\"/\"",
        _ => "\"x\"",
    }
}

/// A function that calls another one with what it needs, and with one text that is no JSON.
fn refuse(function: &Function, wrong: &str, text: &mut String) {
    let name = &function.name;
    let (mut places, mut error, mut arguments) = (String::new(), "NULL".to_owned(), Vec::new());
    for parameter in &function.parameters {
        let (its, kind) = (parameter.name.as_str(), parameter.kind.as_str());
        if let Some(to) = written(parameter) {
            let _ =
                writeln!(places, "    {to} out_{its} = {};", if to.ends_with('*') { "NULL" } else { "0" });
            if its == "error_json" {
                "out_error_json".clone_into(&mut error);
            } else if its == "reply" {
                "(char *)(uintptr_t)mcp_message_json(out_reply, NULL)".clone_into(&mut error);
            }
        }
        arguments.push(match (its, kind) {
            _ if its == wrong => "\"{\"".to_owned(),
            _ if written(parameter).is_some() => format!("&out_{its}"),
            (_, "const char *") => sample(name, its).to_owned(),
            ("client" | "server" | "app", _) => its.to_owned(),
            (_, "const mcp_message_t *") => "request".to_owned(),
            ("functions", _) => "&transport".to_owned(),
            (_, "mcp_config_opened_t") => "opened".to_owned(),
            (_, "bool") => "false".to_owned(),
            _ if kind.contains('*') || kind.ends_with("_handler_t") => "NULL".to_owned(),
            _ => "0".to_owned(),
        });
    }
    let arguments = arguments.join(", ");
    let release = if error.contains("reply") {
        "    mcp_message_free(out_reply);\n"
    } else if error == "NULL" {
        ""
    } else {
        "    mcp_string_free(out_error_json);\n"
    };
    let _ = writeln!(
        text,
        "\nstatic void refuse_{name}_{wrong}(void) {{\n{places}    mcp_status_t status = {name}({arguments});\n    \
         refused(\"{name}\", \"{wrong}\", status, {error});\n{release}}}"
    );
}

/// A function that calls another one and looks at what is left.
fn call(function: &Function, text: &mut String) {
    let name = &function.name;
    let names: Vec<&str> = function.parameters.iter().map(|parameter| parameter.name.as_str()).collect();
    let names = names.join(" ");
    let (mut places, mut checks, mut arguments) = (String::new(), String::new(), Vec::new());
    for parameter in &function.parameters {
        let (its, kind) = (parameter.name.as_str(), parameter.kind.as_str());
        if let Some(to) = written(parameter) {
            let _ = writeln!(places, "    {to} out_{its};\n    memset(&out_{its}, 0x5a, sizeof out_{its});");
            let _ = match its {
                "error_json" => writeln!(checks, "    failed(\"{name}\", \" {names} \", status, out_{its});"),
                "reply" => writeln!(checks, "    replied(\"{name}\", \" {names} \", status, out_{its});"),
                _ if DEFAULTS.contains(&name.as_str()) => Ok(()),
                _ => writeln!(
                    checks,
                    "    if (status != MCP_OK) cleared(\"{name}\", \"{its}\", &out_{its}, sizeof out_{its});"
                ),
            };
        }
        arguments.push(match (its, kind) {
            _ if written(parameter).is_some() => format!("&out_{its}"),
            ("destroy", "(*)") => {
                let _ = writeln!(checks, "    taken(\"{name}\", status);");
                "destroy".to_owned()
            }
            ("functions", _) => {
                let _ = writeln!(checks, "    taken(\"{name}\", status);");
                places.push_str(
                    "    mcp_transport_functions_t given = {sizeof given, MCP_TRANSPORT_VERSION, NULL, NULL, NULL, destroy};\n",
                );
                "&given".to_owned()
            }
            ("client" | "server" | "queue", "mcp_client_t *" | "mcp_server_t *" | "mcp_queue_t *") => its.to_owned(),
            (_, "mcp_value_t") => "absent".to_owned(),
            (_, "bool") => "false".to_owned(),
            _ if kind.contains('*') || kind.ends_with("_handler_t") || kind.ends_with("_opened_t") => "NULL".to_owned(),
            _ => "0".to_owned(),
        });
    }
    let arguments = arguments.join(", ");
    let result = match function.returns.as_str() {
        "void" => format!("{name}({arguments});\n    mcp_status_t status = MCP_EMPTY;"),
        "mcp_status_t" => format!("mcp_status_t status = {name}({arguments});"),
        other => format!(
            "{other} result = {name}({arguments});\n    (void)result;\n    mcp_status_t status = MCP_EMPTY;"
        ),
    };
    let _ = writeln!(
        text,
        "\nstatic void call_{name}(void) {{\n    destroyed = 0;\n{places}    {result}\n{checks}    (void)status;\n}}"
    );
}
