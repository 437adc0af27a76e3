//! The programs, and where each keeps its servers.

use super::expand::Dialect;
use super::project::Project;
use super::read::{hidden_by, jsonc};
use crate::ordered::sort_by;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// How a file is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layout {
    /// JSON with an object of servers at this place, such as `mcp.servers`; comments are tolerated.
    Json(&'static str),
    /// `~/.claude.json`: servers of the user, and below `projects` those of a folder.
    ClaudeCode,
    /// `config.toml` of Codex.
    Codex,
    /// `settings.json` of Zed.
    Zed,
    /// `opencode.json`: servers below `mcp`, or below `mcp.servers`.
    OpenCode,
    /// `config.yaml` of Goose, whose extensions may be servers.
    Goose,
    /// YAML of Continue: a list of servers with their names.
    Continue,
}

/// A file that may have servers.
#[derive(Clone, Debug)]
pub struct Place {
    pub source: &'static str,
    pub path: PathBuf,
    pub layout: Layout,
    pub dialect: Dialect,
    /// The project, if this is one of its files: others may have written it.
    pub project: Option<Arc<Project>>,
}

/// The word for every file of the project, and the source of `.mcp.json`.
pub const PROJECT: &str = "project";

/// The source of this program's own file.
pub const OWN_SOURCE: &str = "libmcp";

/// The source of a file that a command line names.
pub const GIVEN: &str = "file";

/// The file of this program, below the folder of configurations.
const OWN_FILE: &str = "libmcp/servers.json";

/// The file that `config import` writes; `None` without a home.
pub fn own_file() -> Option<PathBuf> {
    Some(crate::folders::configurations()?.join(OWN_FILE))
}

/// The folder that a path is below.
#[derive(Clone, Copy)]
enum Root {
    Home,
    /// `$XDG_CONFIG_HOME` or `~/.config`.
    Config,
    /// The same, and on macOS the folder of applications.
    Programs,
    Claude,
    Codex,
    Copilot,
}

const SERVERS: Layout = Layout::Json("mcpServers");
const VS_CODE: Layout = Layout::Json("servers");
const SETTINGS: Layout = Layout::Json("mcp.servers");

/// A file of the person: the program, the folder, and the path below it.
type Own = (&'static str, Root, &'static str, Layout, Dialect);

/// The files of the person, in the order in which a name is looked for.
const OWN: [Own; 33] = [
    (OWN_SOURCE, Root::Programs, OWN_FILE, SERVERS, Dialect::Shell),
    ("claude-code", Root::Claude, ".claude.json", Layout::ClaudeCode, Dialect::Shell),
    ("claude-desktop", Root::Programs, "Claude/claude_desktop_config.json", SERVERS, Dialect::None),
    ("cursor", Root::Home, ".cursor/mcp.json", SERVERS, Dialect::Editor),
    ("vscode", Root::Programs, "Code/User/mcp.json", VS_CODE, Dialect::Editor),
    ("vscode", Root::Programs, "Code/User/settings.json", SETTINGS, Dialect::Editor),
    ("vscode-insiders", Root::Programs, "Code - Insiders/User/mcp.json", VS_CODE, Dialect::Editor),
    ("vscode-insiders", Root::Programs, "Code - Insiders/User/settings.json", SETTINGS, Dialect::Editor),
    ("windsurf", Root::Home, ".codeium/windsurf/mcp_config.json", SERVERS, Dialect::Editor),
    ("codex", Root::Codex, "config.toml", Layout::Codex, Dialect::None),
    ("gemini", Root::Home, ".gemini/settings.json", SERVERS, Dialect::Dollar),
    ("antigravity", Root::Home, ".gemini/antigravity/mcp_config.json", SERVERS, Dialect::Dollar),
    ("qwen", Root::Home, ".qwen/settings.json", SERVERS, Dialect::Dollar),
    ("zed", Root::Config, "zed/settings.json", Layout::Zed, Dialect::None),
    ("opencode", Root::Config, "opencode/opencode.json", Layout::OpenCode, Dialect::OpenCode),
    ("opencode", Root::Config, "opencode/opencode.jsonc", Layout::OpenCode, Dialect::OpenCode),
    ("copilot", Root::Copilot, "mcp-config.json", SERVERS, Dialect::Mixed),
    ("cline", Root::Programs, CLINE, SERVERS, Dialect::Mixed),
    ("cline", Root::Programs, CLINE_OF_INSIDERS, SERVERS, Dialect::Mixed),
    ("cline", Root::Home, ".cline/data/settings/cline_mcp_settings.json", SERVERS, Dialect::Mixed),
    ("roo", Root::Programs, ROO, SERVERS, Dialect::Mixed),
    ("roo", Root::Programs, ROO_OF_INSIDERS, SERVERS, Dialect::Mixed),
    ("kiro", Root::Home, ".kiro/settings/mcp.json", SERVERS, Dialect::Mixed),
    ("amazon-q", Root::Home, ".aws/amazonq/mcp.json", SERVERS, Dialect::Mixed),
    ("amazon-q", Root::Home, ".aws/amazonq/default.json", SERVERS, Dialect::Mixed),
    ("amazon-q", Root::Home, ".aws/amazonq/agents/default.json", SERVERS, Dialect::Mixed),
    ("lm-studio", Root::Home, ".lmstudio/mcp.json", SERVERS, Dialect::Mixed),
    ("lm-studio", Root::Home, ".cache/lm-studio/mcp.json", SERVERS, Dialect::Mixed),
    ("goose", Root::Config, "goose/config.yaml", Layout::Goose, Dialect::Dollar),
    ("continue", Root::Home, ".continue/config.yaml", Layout::Continue, Dialect::Mixed),
    ("continue", Root::Home, ".continue/config.json", SERVERS, Dialect::Mixed),
    ("junie", Root::Home, ".junie/mcp/mcp.json", SERVERS, Dialect::Mixed),
    ("junie", Root::Home, ".junie/mcp.json", SERVERS, Dialect::Mixed),
];

const CLINE: &str = "Code/User/globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json";
const CLINE_OF_INSIDERS: &str =
    "Code - Insiders/User/globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json";
const ROO: &str = "Code/User/globalStorage/rooveterinaryinc.roo-cline/settings/mcp_settings.json";
const ROO_OF_INSIDERS: &str =
    "Code - Insiders/User/globalStorage/rooveterinaryinc.roo-cline/settings/mcp_settings.json";

/// The files of a project in its current folder, beside `.mcp.json`.
const OF_PROJECT: [(&str, &str, Layout, Dialect); 15] = [
    ("cursor", ".cursor/mcp.json", SERVERS, Dialect::Editor),
    ("vscode", ".vscode/mcp.json", VS_CODE, Dialect::Editor),
    ("vscode", ".vscode/settings.json", SETTINGS, Dialect::Editor),
    ("gemini", ".gemini/settings.json", SERVERS, Dialect::Dollar),
    ("codex", ".codex/config.toml", Layout::Codex, Dialect::None),
    ("zed", ".zed/settings.json", Layout::Zed, Dialect::None),
    ("qwen", ".qwen/settings.json", SERVERS, Dialect::Dollar),
    ("opencode", "opencode.json", Layout::OpenCode, Dialect::OpenCode),
    ("opencode", "opencode.jsonc", Layout::OpenCode, Dialect::OpenCode),
    ("opencode", ".opencode/opencode.json", Layout::OpenCode, Dialect::OpenCode),
    ("copilot", ".github/mcp.json", SERVERS, Dialect::Mixed),
    ("roo", ".roo/mcp.json", SERVERS, Dialect::Mixed),
    ("kiro", ".kiro/settings/mcp.json", SERVERS, Dialect::Mixed),
    ("amazon-q", ".amazonq/mcp.json", SERVERS, Dialect::Mixed),
    ("junie", ".junie/mcp/mcp.json", SERVERS, Dialect::Mixed),
];

/// The folder in which Continue has a file for each server or for several.
const CONTINUE: &str = ".continue/mcpServers";
/// The most files of such a folder that are read.
const MOST_FILES: usize = 100;

/// Every file, those of the project first.
pub fn places() -> Vec<Place> {
    let home = variable("HOME");
    let own = own_places(home.as_ref());
    let here = std::env::current_dir().ok();
    let mut places =
        here.map_or_else(Vec::new, |here| project_places(Project::around(&here, home.as_deref())));
    // In the home the files of an editor's project are those of the person.
    let real: Vec<PathBuf> = own.iter().filter_map(|place| place.path.canonicalize().ok()).collect();
    let is_own = |path: &Path| {
        own.iter().any(|other| other.path == path)
            || path.canonicalize().is_ok_and(|path| real.contains(&path))
    };
    places.retain(|place| !is_own(&place.path));
    places.extend(own);
    places
}

/// The files of the project. Of several `.mcp.json` the first one that counts is used.
fn project_places(project: Project) -> Vec<Place> {
    let project = Arc::new(project);
    let here = project.here().to_owned();
    let mut places = Vec::new();
    let mut add = |source, path, layout, dialect| {
        places.push(Place { source, path, layout, dialect, project: Some(Arc::clone(&project)) });
    };
    let upwards = project.folders().iter().map(|folder| folder.join(".mcp.json"));
    let there: Vec<PathBuf> = upwards.filter(|path| path.symlink_metadata().is_ok()).collect();
    for path in if there.is_empty() { vec![here.join(".mcp.json")] } else { there } {
        add(PROJECT, path, SERVERS, Dialect::Shell);
    }
    for (source, path, layout, dialect) in OF_PROJECT {
        add(source, here.join(path), layout, dialect);
    }
    for (path, layout) in blocks(&here) {
        add("continue", path, layout, Dialect::Mixed);
    }
    places
}

/// The files of the person.
fn own_places(home: Option<&PathBuf>) -> Vec<Place> {
    let below_home = |folder: &str| home.map(|home| home.join(folder));
    let config = variable("XDG_CONFIG_HOME").or_else(|| below_home(".config"));
    let folder = |root: Root| match root {
        Root::Home => home.cloned(),
        Root::Config => config.clone(),
        Root::Programs if cfg!(target_os = "macos") && home.is_some() => {
            below_home("Library/Application Support")
        }
        Root::Programs => config.clone(),
        Root::Claude => variable("CLAUDE_CONFIG_DIR").or_else(|| home.cloned()),
        Root::Codex => variable("CODEX_HOME").or_else(|| below_home(".codex")),
        Root::Copilot => variable("COPILOT_HOME").or_else(|| below_home(".copilot")),
    };
    let mut places: Vec<Place> = OWN
        .into_iter()
        .filter_map(|(source, root, file, layout, dialect)| {
            Some(Place { source, path: folder(root)?.join(file), layout, dialect, project: None })
        })
        .collect();
    for (path, layout) in home.map(|home| blocks(home)).unwrap_or_default() {
        places.push(Place { source: "continue", path, layout, dialect: Dialect::Mixed, project: None });
    }
    places
}

/// The files of Continue below a folder, by their names.
fn blocks(folder: &Path) -> Vec<(PathBuf, Layout)> {
    let Ok(entries) = std::fs::read_dir(folder.join(CONTINUE)) else { return Vec::new() };
    let layout = |path: &Path| match path.extension()?.to_str()? {
        "yaml" | "yml" => Some(Layout::Continue),
        "json" => Some(SERVERS),
        _ => None,
    };
    let paths = entries.flatten().take(MOST_FILES).map(|entry| entry.path());
    let mut files: Vec<(PathBuf, Layout)> =
        paths.filter_map(|path| layout(&path).map(|layout| (path, layout))).collect();
    sort_by(&mut files, |(one, _), (other, _)| one.cmp(other));
    files
}

/// A file into which a server can be written.
pub struct Writable {
    pub path: PathBuf,
    /// Where in it the servers are.
    pub key: &'static str,
    pub dialect: Dialect,
    spelling: Spelling,
    layout: Layout,
}

/// What a program calls the URL of a server, and the types of one that is started and one that is reached.
#[derive(Clone, Copy)]
struct Spelling {
    url: &'static str,
    types: [Option<&'static str>; 2],
}

/// The programs that do not write `url` and nothing else.
const SPELLINGS: [(&str, &str, Option<&str>, Option<&str>); 10] = [
    ("claude-code", "url", Some("stdio"), Some("http")),
    ("vscode", "url", Some("stdio"), Some("http")),
    ("vscode-insiders", "url", Some("stdio"), Some("http")),
    ("copilot", "url", Some("local"), Some("http")),
    ("cline", "url", None, Some("streamableHttp")),
    ("roo", "url", None, Some("streamable-http")),
    ("windsurf", "serverUrl", None, None),
    ("antigravity", "serverUrl", None, None),
    ("gemini", "httpUrl", None, None),
    ("qwen", "httpUrl", None, None),
];

impl Writable {
    /// The file of a program; `project` is `.mcp.json` of the project.
    pub fn of(source: &str) -> Result<Writable, String> {
        let key = |place: &Place| match place.layout {
            Layout::Json(key) => Some(key),
            Layout::ClaudeCode => Some("mcpServers"),
            _ => None,
        };
        let is_meant =
            |place: &Place| place.source == source && (source == PROJECT || place.project.is_none());
        let all: Vec<Place> = places().into_iter().filter(is_meant).collect();
        let writable = || all.iter().filter_map(|place| Some((place, key(place)?)));
        let chosen = writable().find(|(place, _)| place.path.exists()).or_else(|| writable().next());
        let Some((place, key)) = chosen else {
            return Err(match all.first() {
                Some(place) => {
                    format!(
                        "{} is not JSON, and this program changes no other files; write the entry into it with an editor, or leave the \
                         file of {source} as it is and add the server to that of this program (without --to)",
                        place.path.display()
                    )
                }
                None if source == OWN_SOURCE => {
                    "HOME is not set, so that this program has no file of its own; --to SOURCE names another"
                        .to_owned()
                }
                None => format!(
                    "'{source}' is not a program whose files are known here; `mcp servers --files` lists them"
                ),
            });
        };
        let spelling = SPELLINGS.iter().find(|(name, ..)| *name == source);
        let spelling =
            spelling.map_or(Spelling { url: "url", types: [None, None] }, |(_, url, started, reached)| {
                Spelling { url, types: [*started, *reached] }
            });
        // A link stays one: what it leads to is changed.
        let path = place.path.canonicalize().unwrap_or_else(|_| place.path.clone());
        Ok(Writable { path, key, dialect: place.dialect, spelling, layout: place.layout })
    }

    /// Why this file cannot be changed although it is well formed: its servers are found at another place, and only as long as there are
    /// no others.
    pub fn misplaced(&self, text: &str) -> Option<String> {
        let is_json = matches!(self.layout, Layout::Json(_));
        is_json.then(|| hidden_by(&self.path, &jsonc(text).ok()?, self.key)).flatten()
    }

    /// The text of an entry from the members that it has, in their order; `url` gets the name that the program has for it.
    pub fn entry(&self, members: &[(&str, serde_json::Value)]) -> String {
        let is_reached = members.iter().any(|(key, _)| *key == "url");
        let kind =
            self.spelling.types[usize::from(is_reached)].map(|kind| ("type", serde_json::Value::from(kind)));
        let all = kind.iter().chain(members).map(|(key, value)| {
            let key = if *key == "url" { self.spelling.url } else { key };
            let text = format!("{value:#}").replace('\n', "\n  ");
            format!("  {}: {text}", serde_json::Value::from(key))
        });
        format!("{{\n{}\n}}", all.collect::<Vec<_>>().join(",\n"))
    }

    /// Whether the program would take a part of a text for a variable.
    pub fn replaces_in(&self, text: &str) -> bool {
        match self.dialect {
            Dialect::None => false,
            Dialect::OpenCode => text.contains("{env:") || text.contains("{file:"),
            Dialect::Shell | Dialect::Editor | Dialect::Mixed => text.contains("${"),
            Dialect::Dollar => {
                let is_name = |c: char| c == '{' || c == '_' || c.is_ascii_alphabetic();
                text.split('$').skip(1).any(|rest| rest.starts_with(is_name))
            }
        }
    }

    /// How a variable of the environment is written there.
    pub fn reference(&self, variable: &str) -> Option<String> {
        match self.dialect {
            Dialect::Shell | Dialect::Dollar | Dialect::Mixed => Some(format!("${{{variable}}}")),
            Dialect::Editor => Some(format!("${{env:{variable}}}")),
            Dialect::OpenCode => Some(format!("{{env:{variable}}}")),
            Dialect::None => None,
        }
    }
}

/// A variable of the environment that is an absolute path.
fn variable(name: &str) -> Option<PathBuf> {
    std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute())
}
