//! What programs that use servers, and the APIs of the models behind them, refuse beyond the specification. One table has their rules, each
//! with where it was read.

use super::Report;
use super::conversation::Lists;
use crate::commands::lists::list;
use crate::output::counted;
use mcp::client::json_text::{member, members, string};

/// A program, or the API of a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Host {
    /// Claude Code, Claude Desktop and the API of Anthropic
    Claude,
    /// The API of `OpenAI`
    Openai,
    Cursor,
    /// Copilot in VS Code
    Vscode,
    /// Gemini CLI and the API of Google
    Gemini,
}

/// Whether a character may be in a name.
type Takes = fn(char) -> bool;

/// What a host takes.
struct Rules {
    name: &'static str,
    source: &'static str,
    /// Characters of a name, and what it may begin with.
    longest: usize,
    /// Whether the name of the server counts for the length, too.
    counts_server: bool,
    characters: Takes,
    beginning: Takes,
    /// Tools of all servers.
    tools: Option<usize>,
    /// Keywords that the root of the arguments may not have.
    not_at_the_root: &'static [&'static str],
    /// Names of arguments: their characters, and how many.
    arguments: Option<(Takes, usize)>,
}

fn word(c: char) -> bool {
    c.is_ascii_alphanumeric() || "_-".contains(c)
}

fn dotted(c: char) -> bool {
    word(c) || c == '.'
}

fn with_colon(c: char) -> bool {
    dotted(c) || c == ':'
}

fn letter(c: char) -> bool {
    c.is_ascii_alphabetic() || c == '_'
}

impl Host {
    fn rules(self) -> Rules {
        let of_models = Rules {
            name: "",
            source: "",
            longest: 64,
            counts_server: false,
            characters: word,
            beginning: word,
            tools: None,
            not_at_the_root: &[],
            arguments: None,
        };
        match self {
            Host::Claude => Rules {
                name: "Claude",
                source: "github.com/anthropics/claude-code/issues/5319",
                not_at_the_root: &["allOf", "anyOf", "oneOf"],
                arguments: Some((dotted, 64)),
                ..of_models
            },
            Host::Openai => Rules {
                name: "OpenAI",
                source: "github.com/microsoft/foundry-dev-tools/issues/723",
                tools: Some(128),
                not_at_the_root: &["allOf", "anyOf", "enum", "not", "oneOf"],
                ..of_models
            },
            Host::Cursor => Rules {
                name: "Cursor",
                source: "github.com/awslabs/mcp/issues/1283",
                longest: 60,
                counts_server: true,
                ..of_models
            },
            Host::Vscode => Rules {
                name: "VS Code",
                source: "github.com/microsoft/vscode/issues/337428",
                tools: Some(128),
                ..of_models
            },
            Host::Gemini => Rules {
                name: "Gemini",
                source: "github.com/google-gemini/gemini-cli/issues/2966",
                characters: with_colon,
                beginning: letter,
                ..of_models
            },
        }
    }
}

/// Looks at the tools as the hosts do; `server` is what the server is called in their files.
pub fn check(hosts: &[Host], server: &str, lists: &Lists, report: &mut Report) {
    let tools = lists.tools.as_deref().map(|result| list(result, "tools")).unwrap_or_default();
    for host in hosts {
        let rules = host.rules();
        let before = report.findings.len();
        if let Some(most) = rules.tools.filter(|most| tools.len() > *most) {
            report.fault(
                "tools",
                format!(
                    "{} takes {most} tools of all servers together, and there are {}",
                    rules.name,
                    tools.len()
                ),
                &format!(
                    "offer fewer, or several servers; `mcp bridge --allow` chooses some ({})",
                    rules.source
                ),
            );
        }
        for tool in &tools {
            let name = member(tool, "name").and_then(string).unwrap_or_default().into_owned();
            for (what, fix) in refusals(&rules, server, &name, tool) {
                report.fault(
                    &format!("tool {name}"),
                    format!("{} refuses it: {what}", rules.name),
                    &format!("{fix} ({})", rules.source),
                );
            }
        }
        if report.findings.len() == before {
            report.good(&format!("host {}", rules.name), format!("takes {}", counted(tools.len(), "tool")));
        }
    }
}

/// What each host says of the tools, with where its rules were read.
pub fn verdicts(server: &str, lists: &Lists) -> Vec<serde_json::Value> {
    let verdict = |host: &Host| {
        let (rules, mut report) = (host.rules(), Report::default());
        check(&[*host], server, lists, &mut report);
        let faults = report.findings.iter().filter(|finding| finding.grade == super::Grade::Fault);
        let faults: Vec<_> = faults
            .map(|one| serde_json::json!({"about": one.about, "what": one.what, "fix": one.fix}))
            .collect();
        serde_json::json!({"host": rules.name, "source": rules.source, "faults": faults})
    };
    <Host as clap::ValueEnum>::value_variants().iter().map(verdict).collect()
}

/// Why a host refuses a tool, each with how to mend it.
fn refusals(rules: &Rules, server: &str, name: &str, tool: &str) -> Vec<(String, String)> {
    let mut found = Vec::new();
    let length = name.chars().count();
    if rules.counts_server && length + server.chars().count() > rules.longest {
        found.push((
            format!(
                "its name and that of the server, '{server}', have {} characters together",
                length + server.chars().count()
            ),
            format!("shorten them to {}; `mcp bridge --names {}` does", rules.longest, rules.longest),
        ));
    } else if length > rules.longest {
        found.push((
            format!("the name has {length} characters"),
            format!("shorten it to {}; `mcp bridge --names {}` does", rules.longest, rules.longest),
        ));
    }
    let odd = name.chars().find(|&c| !(rules.characters)(c));
    if let Some(odd) = odd.or_else(|| name.chars().next().filter(|&c| !(rules.beginning)(c))) {
        let what = if (rules.characters)(odd) { "begins with" } else { "has" };
        found.push((
            format!("the name {what} '{odd}'"),
            "write it with letters, digits, '_' and '-', a letter first".to_owned(),
        ));
    }
    let schema = member(tool, "inputSchema").unwrap_or("{}");
    let roots: Vec<&str> =
        rules.not_at_the_root.iter().filter(|key| member(schema, key).is_some()).copied().collect();
    if !roots.is_empty() {
        found.push((
            format!("the root of the inputSchema has {}", roots.join(", ")),
            "describe the arguments as one object, and say in the description which belong together"
                .to_owned(),
        ));
    }
    if let Some((fits, most)) = rules.arguments {
        let names = members(member(schema, "properties").unwrap_or("{}"))
            .filter_map(|(name, _)| Some(string(&format!("\"{name}\""))?.into_owned()));
        let odd: Vec<String> = names
            .filter(|name| name.is_empty() || name.chars().count() > most || !name.chars().all(fits))
            .collect();
        if !odd.is_empty() {
            found.push((
                format!("names of arguments: {}", odd.join(", ")),
                format!("write them with up to {most} letters, digits, '_', '.' and '-'"),
            ));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::{Host, refusals};

    #[test]
    fn each_host_has_its_verdict_with_its_source() {
        let tool = r#"{"tools":[{"name":"a.b","inputSchema":{"type":"object"}}]}"#;
        let lists = super::Lists { tools: Some(tool.to_owned()), ..super::Lists::default() };
        let all = super::verdicts("s", &lists);
        let of = |host: &str| {
            let one = all.iter().find(|one| one["host"] == host).expect("a verdict");
            assert!(one["source"].as_str().is_some_and(|source| source.starts_with("github.com/")), "{one}");
            one["faults"].as_array().map_or(0, Vec::len)
        };
        assert_eq!((of("Claude"), of("Gemini")), (1, 0), "{all:?}");
    }

    #[test]
    fn c37_each_host_refuses_by_its_own_rules() {
        let long = "n".repeat(59);
        let odd = r#"{"inputSchema":{"type":"object","anyOf":[{}],"properties":{"a b":{},"$ref":{"type":"string"}}}}"#;
        for (host, name, tool, parts) in [
            (Host::Claude, "a", odd, &["has anyOf", "arguments: a b, $ref"][..]),
            (Host::Openai, "a.b", odd, &["has '.'", "has anyOf"]),
            (Host::Cursor, &*long, "{}", &["have 61 characters together"]),
            (Host::Cursor, &long[1..], "{}", &[]),
            (Host::Vscode, &*"n".repeat(65), "{}", &["has 65 characters"]),
            (Host::Gemini, "1a.b", "{}", &["begins with '1'"]),
            (Host::Gemini, "a.b:c", odd, &[]),
        ] {
            let found = refusals(&host.rules(), "ab", name, tool);
            assert_eq!(found.len(), parts.len(), "{host:?} {name}: {found:?}");
            for ((what, _), part) in found.iter().zip(parts) {
                assert!(what.contains(part), "{host:?} {name}: {what}");
            }
        }
    }
}
