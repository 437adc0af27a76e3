//! The programs, and where each keeps its servers.

use super::expand::Dialect;
use super::project::Project;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// How a file is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layout {
    /// JSON with an object of servers under this key; comments are tolerated.
    Json(&'static str),
    /// `~/.claude.json`: servers of the user, and below `projects` those of a folder.
    ClaudeCode,
    /// `config.toml` of Codex.
    Codex,
    /// `settings.json` of Zed.
    Zed,
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

/// The file of this program, below the folder of configurations.
const OWN_FILE: &str = "libmcp/servers.json";

/// The file that `config import` writes; `None` without a home.
pub fn own_file() -> Option<PathBuf> {
    Some(crate::folders::configurations()?.join(OWN_FILE))
}

/// Every file, those of the project first.
pub fn places() -> Vec<Place> {
    let home = variable("HOME");
    let own = own_places(home.as_ref());
    let here = std::env::current_dir().ok();
    let mut places =
        here.map_or_else(Vec::new, |here| project_places(Project::around(&here, home.as_deref())));
    // In the home the files of an editor's project are those of the person.
    places.retain(|place| !own.iter().any(|other| is_same(&other.path, &place.path)));
    places.extend(own);
    places
}

/// The files of the project. Of several `.mcp.json` the first one that counts is used.
fn project_places(project: Project) -> Vec<Place> {
    let project = Arc::new(project);
    let (servers, here) = (Layout::Json("mcpServers"), project.here().to_owned());
    let mut places = Vec::new();
    let mut add = |source, path, layout, dialect| {
        places.push(Place { source, path, layout, dialect, project: Some(Arc::clone(&project)) });
    };
    let upwards = project.folders().iter().map(|folder| folder.join(".mcp.json"));
    let there: Vec<PathBuf> = upwards.filter(|path| path.symlink_metadata().is_ok()).collect();
    for path in if there.is_empty() { vec![here.join(".mcp.json")] } else { there } {
        add(PROJECT, path, servers, Dialect::Shell);
    }
    add("cursor", here.join(".cursor/mcp.json"), servers, Dialect::Editor);
    add("vscode", here.join(".vscode/mcp.json"), Layout::Json("servers"), Dialect::Editor);
    add("gemini", here.join(".gemini/settings.json"), servers, Dialect::Dollar);
    add("codex", here.join(".codex/config.toml"), Layout::Codex, Dialect::None);
    add("zed", here.join(".zed/settings.json"), Layout::Zed, Dialect::None);
    places
}

/// The files of the person.
fn own_places(home: Option<&PathBuf>) -> Vec<Place> {
    let below_home = |folder: &str| home.map(|home| home.join(folder));
    let config = variable("XDG_CONFIG_HOME").or_else(|| below_home(".config"));
    let codex = variable("CODEX_HOME").or_else(|| below_home(".codex"));
    let claude = variable("CLAUDE_CONFIG_DIR").or_else(|| home.cloned());
    let programs = match cfg!(target_os = "macos") {
        true if home.is_some() => below_home("Library/Application Support"),
        _ => config.clone(),
    };
    let mut places = Vec::new();
    let mut add = |source, folder: Option<&PathBuf>, file: &str, layout, dialect| {
        if let Some(folder) = folder {
            places.push(Place { source, path: folder.join(file), layout, dialect, project: None });
        }
    };
    let servers = Layout::Json("mcpServers");
    add("libmcp", programs.as_ref(), OWN_FILE, servers, Dialect::Shell);
    add("claude-code", claude.as_ref(), ".claude.json", Layout::ClaudeCode, Dialect::Shell);
    add("claude-desktop", programs.as_ref(), "Claude/claude_desktop_config.json", servers, Dialect::None);
    add("cursor", home, ".cursor/mcp.json", servers, Dialect::Editor);
    add("vscode", programs.as_ref(), "Code/User/mcp.json", Layout::Json("servers"), Dialect::Editor);
    add("windsurf", home, ".codeium/windsurf/mcp_config.json", servers, Dialect::Editor);
    add("codex", codex.as_ref(), "config.toml", Layout::Codex, Dialect::None);
    add("gemini", home, ".gemini/settings.json", servers, Dialect::Dollar);
    add("zed", config.as_ref(), "zed/settings.json", Layout::Zed, Dialect::None);
    places
}

/// A variable of the environment that is an absolute path.
fn variable(name: &str) -> Option<PathBuf> {
    std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute())
}

fn is_same(one: &Path, other: &Path) -> bool {
    one == other || matches!((one.canonicalize(), other.canonicalize()), (Ok(one), Ok(other)) if one == other)
}
