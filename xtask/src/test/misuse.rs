//! Every function of the C API, called with nothing that it needs: it fails, and leaves what its caller may rely on.
//!
//! A C program is made from `include/mcp.h`, so that a function which is added is called as well. Each is called twice: with NULL and 0,
//! and with a client that is closed, a server and a queue.

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

const PRELUDE: &str = r#"#include <mcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int wrong, destroyed;
static mcp_client_t *client;
static mcp_server_t *server;
static mcp_queue_t *queue;
static mcp_value_t absent;

static void destroy(void *user) { (void)user; destroyed++; }

static void tell(const char *function, const char *what, const char *detail) {
    printf("%s%s: %s %s\n", function, client == NULL ? "" : " (with live handles)", what, detail);
    wrong++;
}

static void cleared(const char *function, const char *name, const void *place, size_t size) {
    static const char zeros[16];
    if (memcmp(place, zeros, size) != 0) tell(function, "does not clear", name);
}

/* An object of an invalid argument names the function and one of its parameters, here and in its text. */
static void named(const char *function, const char *parameters, const char *error) {
    char *said = NULL, *argument = NULL, *text = NULL;
    char between[64];
    mcp_json_get(error, "/details/function", &said, NULL);
    mcp_json_get(error, "/details/argument", &argument, NULL);
    mcp_json_get(error, "/message", &text, NULL);
    snprintf(between, sizeof between, " %s ", argument == NULL ? "" : argument);
    if (said == NULL || strcmp(said, function) != 0) tell(function, "does not name itself:", error);
    else if (argument == NULL || strstr(parameters, between) == NULL) tell(function, "does not name its argument:", error);
    else if (strstr(text, said) == NULL || strstr(text, argument) == NULL) tell(function, "has a text without names:", error);
    mcp_string_free(said);
    mcp_string_free(argument);
    mcp_string_free(text);
}

static void taken(const char *function, mcp_status_t status) {
    if (status < 0 && destroyed != 1) tell(function, "failed, and called destroy", destroyed == 0 ? "never" : "more than once");
}

static void failed(const char *function, const char *parameters, mcp_status_t status, char *error) {
    if (status < 0 && error == NULL) tell(function, "failed without", "an error object");
    if (status == MCP_OK && error != NULL) tell(function, "did not fail, with", "an error object");
    if (status == MCP_ERROR_INVALID_ARGUMENT) named(function, parameters, error == NULL ? "{}" : error);
    mcp_string_free(error);
}

static void replied(const char *function, const char *parameters, mcp_status_t status, mcp_message_t *reply) {
    if (status == MCP_ERROR_INVALID_ARGUMENT) named(function, parameters, mcp_message_json(reply, NULL));
    if (status < 0 && mcp_message_status(reply) != status) tell(function, "failed without", "a reply");
    mcp_message_free(reply);
}
"#;

const MAIN: &str = r#"
int main(void) {
    all();
    if (mcp_queue_new(NULL, &queue, NULL) || mcp_client_new("{\"command\":\"x\"}", NULL, &client, NULL) ||
        mcp_server_new("{\"name\":\"x\"}", NULL, &server, NULL)) return 2;
    mcp_client_close(client, 0);
    all();
    mcp_client_free(client);
    mcp_server_free(server);
    mcp_queue_free(queue);
    return wrong != 0;
}
"#;

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
    let mut text = PRELUDE.to_owned();
    for function in all {
        call(function, &mut text);
    }
    text.push_str("\nstatic void all(void) {\n");
    for function in all {
        // What frees a handle is called with NULL alone.
        let when = if function.name.ends_with("_free") { "if (client == NULL) " } else { "" };
        let _ = writeln!(text, "    {when}call_{}();", function.name);
    }
    text.push_str("}\n");
    text.push_str(MAIN);
    text
}

/// The type of what is written through a parameter, if it is one for that.
fn written(parameter: &Parameter) -> Option<&str> {
    let to = parameter.kind.strip_suffix('*')?.trim_end();
    let is_number = ["uint64_t", "size_t", "int64_t", "int32_t", "double", "bool"].contains(&to);
    // A pointer to pointers that are constant is a list of the caller's.
    (is_number || to.ends_with('*')).then_some(to)
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
