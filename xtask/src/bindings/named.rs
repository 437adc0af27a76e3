//! What users of the bindings call by hand, against the method table: each binding has a function for each method, or the method
//! has a reason why none is needed.

use super::methods::{self, Method};
use crate::checkout::{Checkout, read};

/// A binding: where its functions are written by hand, how such a file ends, what a line that defines one has, and how names
/// are spelt.
struct Binding {
    folder: &'static str,
    end: &'static str,
    defines: &'static [&'static str],
    is_snake: bool,
}

const BINDINGS: [Binding; 6] = [
    Binding { folder: "go", end: ".go", defines: &["func "], is_snake: false },
    Binding { folder: "java/src/main/java/io/libmcp", end: ".java", defines: &["public "], is_snake: false },
    Binding { folder: "lua/mcp", end: ".lua", defines: &["function ", " = {"], is_snake: true },
    Binding { folder: "node/lib/types", end: ".d.ts", defines: &["(", "?: "], is_snake: false },
    Binding { folder: "python/libmcp", end: ".py", defines: &["def ", ": "], is_snake: true },
    Binding {
        folder: "swift/Sources/MCP",
        end: ".swift",
        defines: &["func ", "var ", "let "],
        is_snake: false,
    },
];

/// What is written from the table and the schemas, and would name every method by itself, where that has no folder of its own.
const GENERATED: [&str; 4] = ["_generated.go", "_test.go", "constants.go", "cdef.lua"];

/// The names of the functions for a method, of which each binding has one. Spelt as in Java; Go's begin with a capital. What begins
/// with the folder of a binding is for that alone: in Java the functions of an extension are in a class that the function gives.
const FUNCTIONS: [(&str, &[&str]); 22] = [
    ("TOOLS_LIST", &["listTools", "tools"]),
    ("TOOLS_CALL", &["callTool", "lua call"]),
    ("RESOURCES_LIST", &["listResources", "resources"]),
    ("TEMPLATES_LIST", &["listResourceTemplates", "resourceTemplates"]),
    ("RESOURCES_READ", &["readResource"]),
    ("SUBSCRIBE", &["subscribe"]),
    ("UNSUBSCRIBE", &["unsubscribe"]),
    ("PROMPTS_LIST", &["listPrompts", "prompts"]),
    ("PROMPTS_GET", &["getPrompt"]),
    ("COMPLETE", &["complete"]),
    ("SET_LEVEL", &["setLogLevel"]),
    ("SKILLS_LIST", &["listSkills", "skills"]),
    ("SKILLS_GET", &["getSkill", "java skills"]),
    ("TASKS_GET", &["getTask", "java tasks"]),
    ("TASKS_RESULT", &["taskResult", "java tasks"]),
    ("TASKS_LIST", &["listTasks", "tasks"]),
    ("TASKS_CANCEL", &["cancelTask", "java tasks"]),
    ("PING", &["ping"]),
    ("SAMPLING", &["onSampling", "sampling"]),
    ("ELICITATION", &["onElicitation", "elicitation"]),
    ("ROOTS", &["onRoots", "roots"]),
    ("ROOTS_CHANGED", &["setRoots"]),
];

/// Requests without a function of their own, and why.
const EXCEPTIONS: [(&str, &str); 5] = [
    ("DIRECTORY_READ", "few servers have it; `call` takes every method"),
    ("TASKS_UPDATE", "the library sends it with what a handler of the program has answered"),
    ("INITIALIZE", "the library performs the handshake"),
    ("DISCOVER", "the library asks when it connects; `info` has what was said"),
    ("LISTEN", "the library opens the stream for what `subscribe` and the handlers of notifications want"),
];

/// Each request of the method table has a function in each binding, or is excepted. Notifications come to one function for all.
pub fn every_method(checkout: &Checkout) -> Result<(), String> {
    let methods = methods::read_all(checkout)?;
    let mut wrong = unknown(&methods);
    for binding in &BINDINGS {
        let mut text = String::new();
        for file in Checkout::files_in(&checkout.root.join("bindings").join(binding.folder), binding.end) {
            if !GENERATED.iter().any(|end| file.to_string_lossy().ends_with(end)) {
                text.push_str(&read(&file)?);
            }
        }
        wrong.extend(unnamed(binding, &text));
    }
    if wrong.is_empty() { Ok(()) } else { Err(wrong.join("\n")) }
}

/// The table against the two lists.
fn unknown(methods: &[Method]) -> Vec<String> {
    let told: Vec<&str> = FUNCTIONS.iter().map(|it| it.0).chain(EXCEPTIONS.iter().map(|it| it.0)).collect();
    let mut wrong: Vec<String> = methods
        .iter()
        .filter(|method| !method.is_notification && !told.contains(&method.id.as_str()))
        .map(|method| {
            format!(
                "{} is neither among FUNCTIONS nor among EXCEPTIONS of xtask/src/bindings/named.rs",
                method.name
            )
        })
        .collect();
    for id in told {
        if !methods.iter().any(|method| method.id == id) {
            wrong.push(format!("xtask/src/bindings/named.rs tells of {id}, which is no method"));
        }
    }
    wrong
}

/// The methods that a binding has no function for.
fn unnamed(binding: &Binding, text: &str) -> Vec<String> {
    let lines: Vec<&str> = text
        .lines()
        .filter(|line| !line.trim_start().starts_with(['/', '*', '#']))
        .filter(|line| binding.defines.iter().any(|it| line.contains(it)))
        .collect();
    let has = |name: &str| {
        let name = if binding.is_snake { snake(name) } else { name.to_owned() };
        let capital = name[..1].to_ascii_uppercase() + &name[1..];
        lines.iter().any(|line| {
            line.split(|it: char| !it.is_alphanumeric() && it != '_')
                .any(|word| word == name || (binding.folder == "go" && word == capital))
        })
    };
    FUNCTIONS
        .iter()
        .filter(|(_, names)| {
            !names.iter().any(|name| match name.split_once(' ') {
                Some((folder, name)) => binding.folder.split('/').next() == Some(folder) && has(name),
                None => has(name),
            })
        })
        .map(|(id, names)| {
            format!("bindings/{} has no function for {id}: none of {}", binding.folder, names.join(", "))
        })
        .collect()
}

/// `listTools` as `list_tools`.
fn snake(name: &str) -> String {
    let mut text = String::new();
    for it in name.chars() {
        if it.is_ascii_uppercase() {
            text.push('_');
        }
        text.push(it.to_ascii_lowercase());
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn method(id: &str) -> Method {
        Method { id: id.to_owned(), name: id.to_owned(), doc: String::new(), is_notification: false }
    }

    #[test]
    fn a_new_method_and_one_that_is_gone_are_found() {
        let mut all: Vec<Method> =
            FUNCTIONS.iter().map(|it| it.0).chain(EXCEPTIONS.iter().map(|it| it.0)).map(method).collect();
        assert_eq!(unknown(&all), Vec::<String>::new());
        all.push(method("NEW"));
        all.retain(|it| it.id != "PING");
        let wrong = unknown(&all).join("\n");
        assert!(wrong.contains("NEW is neither") && wrong.contains("tells of PING"), "{wrong}");
    }

    #[test]
    fn a_method_that_a_binding_cannot_name_is_found() {
        let python = &BINDINGS[4];
        let all: Vec<String> =
            FUNCTIONS.iter().map(|it| format!("    def {}(self):\n", snake(it.1[0]))).collect();
        let all = all.concat();
        assert_eq!(unnamed(python, &all), Vec::<String>::new());
        let wrong = unnamed(python, &all.replace("def read_resource(", "# def read_resource("));
        assert!(wrong.len() == 1 && wrong[0].contains("RESOURCES_READ"), "{wrong:?}");
    }
}
