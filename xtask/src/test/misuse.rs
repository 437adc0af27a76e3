//! Every function of the C API, called with nothing that it needs: it fails, and leaves what its caller may rely on.
//!
//! A C program is made from `include/mcp.h`, so that a function which is added is called as well. Each is called twice: with NULL and 0,
//! and with a client that is closed, a server and a queue. Then each that takes JSON is called with what it needs, and with one text
//! that is no JSON.

use std::process::Command;

use serde_json::{Value, json};

use super::Stage;
use crate::checkout::{read, write};
use crate::compiler;
use crate::declared::{Function, Parameter, functions};
use crate::fill;
use crate::machine::CC;
use crate::process;

/// The program.
const PROGRAM: &str = include_str!("misuse.c.j2");

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
    write(&source, &program(&all)?)?;
    let built = stage.built()?;
    let program = compiler::program(stage.checkout, &built, &source, "exports")?;
    let finished = process::run(&mut Command::new(program), process::LIMIT, &folder.join("misuse"))?;
    stage.tally.check(name, finished.done());
    Ok(())
}

fn program(all: &[Function]) -> Result<String, String> {
    let parameter = |function: &str, it: &Parameter| json!({"name": it.name, "written": written(it), "nothing": nothing(it), "table": table(it), "needed": needed(function, it)});
    let one = |it: &Function| {
        let takes = it.returns == "mcp_status_t" && !OTHERS.contains(&it.name.as_str());
        let texts = it.parameters.iter().filter(|parameter| takes && is_json(parameter));
        json!({
            "name": it.name, "returns": it.returns, "texts": texts.map(|it| &it.name).collect::<Vec<_>>(),
            "parameters": it.parameters.iter().map(|each| parameter(&it.name, each)).collect::<Vec<_>>(),
        })
    };
    let functions: Vec<Value> = all.iter().map(one).collect();
    let text = fill::environment().render_str(PROGRAM, json!({"functions": functions}));
    text.map_err(|error| format!("misuse.c.j2: {error:#}"))
}

/// The struct of functions that a parameter is.
fn table(parameter: &Parameter) -> Option<&str> {
    let of = parameter.kind.strip_prefix("const ")?.strip_suffix('*')?.trim_end();
    (parameter.name == "functions").then_some(of)
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

/// An argument that a function needs.
fn needed(function: &str, parameter: &Parameter) -> String {
    let (its, kind) = (parameter.name.as_str(), parameter.kind.as_str());
    match (its, kind) {
        _ if written(parameter).is_some() => format!("&out_{its}"),
        (_, "const char *") => sample(function, its).to_owned(),
        ("client" | "server" | "app", _) => its.to_owned(),
        (_, "const mcp_message_t *") => "request".to_owned(),
        ("functions", _) => "&transport".to_owned(),
        (_, "mcp_config_opened_t") => "opened".to_owned(),
        _ => empty(kind).to_owned(),
    }
}

/// An argument that gives a function nothing.
fn nothing(parameter: &Parameter) -> String {
    let (its, kind) = (parameter.name.as_str(), parameter.kind.as_str());
    match (its, kind) {
        _ if written(parameter).is_some() => format!("&out_{its}"),
        ("destroy", "(*)") => "destroy".to_owned(),
        ("functions", _) => "&given".to_owned(),
        ("client" | "server" | "queue", "mcp_client_t *" | "mcp_server_t *" | "mcp_queue_t *") => {
            its.to_owned()
        }
        (_, "mcp_value_t") => "absent".to_owned(),
        _ => empty(kind).to_owned(),
    }
}

fn empty(kind: &str) -> &'static str {
    match kind {
        "bool" => "false",
        _ if kind.contains('*') || kind.ends_with("_handler_t") || kind.ends_with("_opened_t") => "NULL",
        _ => "0",
    }
}

#[cfg(test)]
mod tests {
    use super::{functions, program};

    #[test]
    fn each_function_is_called_and_each_text_of_json_refused_once() {
        let header = "\n/**\n * a\n */\nMCP_API mcp_status_t mcp_x(const char *config_json, bool now, char **error_json);\n\n/**\n * b\n */\nMCP_API void mcp_y_free(mcp_y_t *y);\n";
        let text = program(&functions(header)).expect("a program");
        for part in [
            "    mcp_status_t status = mcp_x(NULL, false, &out_error_json);\n",
            "    failed(\"mcp_x\", \" config_json now error_json \", status, out_error_json);\n",
            "    mcp_status_t status = mcp_x(\"{\", false, &out_error_json);\n",
            "all_texts(void) {\n    refuse_mcp_x_config_json();\n}\n",
            "all(void) {\n    call_mcp_x();\n    if (client == NULL) call_mcp_y_free();\n}\n",
        ] {
            assert_eq!(text.matches(part).count(), 1, "{part}{text}");
        }
    }
}
