//! The programs, and where each keeps its servers.

use super::expand::Dialect;
use std::path::{Path, PathBuf};

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
}

const SOURCES: [&str; 10] = [
    "libmcp",
    "project",
    "claude-code",
    "claude-desktop",
    "cursor",
    "vscode",
    "windsurf",
    "codex",
    "gemini",
    "zed",
];

/// The file of this program, below the folder of configurations.
const OWN_FILE: &str = "libmcp/servers.json";

/// The file that `config import` writes; `None` without a home.
pub fn own_file() -> Option<PathBuf> {
    Some(crate::folders::configurations()?.join(OWN_FILE))
}

/// Whether a word names a program.
pub fn is_source(word: &str) -> bool {
    SOURCES.contains(&word)
}

/// Every file, those of the project first.
pub fn places() -> Vec<Place> {
    let here = std::env::current_dir().ok();
    let variable = |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let home = variable("HOME");
    let config = variable("XDG_CONFIG_HOME").or_else(|| Some(home.as_ref()?.join(".config")));
    let codex = variable("CODEX_HOME").or_else(|| Some(home.as_ref()?.join(".codex")));
    let claude = variable("CLAUDE_CONFIG_DIR").or_else(|| home.clone());
    let programs = match (&home, cfg!(target_os = "macos")) {
        (Some(home), true) => Some(home.join("Library/Application Support")),
        _ => config.clone(),
    };
    let mut places = Vec::new();
    let mut add = |source, folder: Option<&PathBuf>, file: &str, layout, dialect| {
        if let Some(folder) = folder {
            places.push(Place { source, path: folder.join(file), layout, dialect });
        }
    };
    let servers = Layout::Json("mcpServers");
    // The nearest folder upwards that has it is the project.
    let project = here.as_deref().and_then(|here| nearest(here, ".mcp.json"));
    add("project", project.as_ref().or(here.as_ref()), ".mcp.json", servers, Dialect::Shell);
    add("libmcp", programs.as_ref(), OWN_FILE, servers, Dialect::Shell);
    add("cursor", here.as_ref(), ".cursor/mcp.json", servers, Dialect::Editor);
    add("vscode", here.as_ref(), ".vscode/mcp.json", Layout::Json("servers"), Dialect::Editor);
    add("gemini", here.as_ref(), ".gemini/settings.json", servers, Dialect::Dollar);
    add("codex", here.as_ref(), ".codex/config.toml", Layout::Codex, Dialect::None);
    add("zed", here.as_ref(), ".zed/settings.json", Layout::Zed, Dialect::None);
    add("claude-code", claude.as_ref(), ".claude.json", Layout::ClaudeCode, Dialect::Shell);
    add("claude-desktop", programs.as_ref(), "Claude/claude_desktop_config.json", servers, Dialect::None);
    add("cursor", home.as_ref(), ".cursor/mcp.json", servers, Dialect::Editor);
    add("vscode", programs.as_ref(), "Code/User/mcp.json", Layout::Json("servers"), Dialect::Editor);
    add("windsurf", home.as_ref(), ".codeium/windsurf/mcp_config.json", servers, Dialect::Editor);
    add("codex", codex.as_ref(), "config.toml", Layout::Codex, Dialect::None);
    add("gemini", home.as_ref(), ".gemini/settings.json", servers, Dialect::Dollar);
    add("zed", config.as_ref(), "zed/settings.json", Layout::Zed, Dialect::None);
    // A project that is the home has the same files twice.
    let mut seen = std::collections::HashSet::new();
    places.retain(|place| seen.insert(place.path.clone()));
    places
}

fn nearest(here: &Path, file: &str) -> Option<PathBuf> {
    here.ancestors().find(|folder| folder.join(file).is_file()).map(Path::to_path_buf)
}
