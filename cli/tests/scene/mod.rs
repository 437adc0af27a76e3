//! A person with a home, in a repository that others may have written.

use std::fs::{Permissions, create_dir_all, read_to_string, set_permissions, write};
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// A home, and a repository with a project in it.
pub struct Scene {
    pub folder: tempfile::TempDir,
    pub home: PathBuf,
    pub project: PathBuf,
}

const TOOLS: &str = "name: words\ntools:\n  - name: say\n    command: [printf, '%s', '{text}']\n    \
    inputSchema: {type: object, properties: {text: {type: string}}}\n";

const OLD: &str = r#"{"snapshot":1,"tools":[],"resources":[],"resourceTemplates":[],"prompts":[]}"#;

impl Scene {
    pub fn new() -> Scene {
        let folder = tempfile::tempdir().expect("a folder");
        let root = folder.path().canonicalize().expect("a path");
        let (home, project) = (root.join("home"), root.join("project"));
        create_dir_all(project.join("src")).expect("folders");
        create_dir_all(project.join(".git")).expect("a repository");
        create_dir_all(&home).expect("a home");
        for folder in [&home, &project, &project.join("src")] {
            set_permissions(folder, Permissions::from_mode(0o755)).expect("permissions");
        }
        write(root.join("tools.yaml"), TOOLS).expect("a file");
        write(root.join("old.json"), OLD).expect("a snapshot");
        Scene { folder, home, project }
    }

    /// Writes a file of the project, or with `~/` at the front one of the person.
    pub fn file(&self, path: &str, text: &str) -> PathBuf {
        let path = match path.strip_prefix("~/") {
            Some(below) => self.home.join(below),
            None => self.project.join(path),
        };
        create_dir_all(path.parent().expect("a folder")).expect("folders");
        write(&path, text).expect("written");
        path
    }

    /// The command of a server, as the members of a JSON object; it leaves a mark when it runs.
    pub fn server(&self) -> String {
        let line = format!(
            "echo ran >> '{}'; exec '{}' serve '{}'",
            self.mark().display(),
            env!("CARGO_BIN_EXE_mcp"),
            self.folder.path().join("tools.yaml").display()
        );
        format!("\"command\": \"sh\", \"args\": [\"-c\", {line:?}]")
    }

    /// Where the server leaves its mark.
    pub fn mark(&self) -> PathBuf {
        self.folder.path().join("ran")
    }

    /// How often the server was started since the last question.
    pub fn runs(&self) -> usize {
        let text = read_to_string(self.mark()).unwrap_or_default();
        let _gone = std::fs::remove_file(self.mark());
        text.lines().count()
    }

    pub fn own(&self, path: &str) -> String {
        read_to_string(self.home.join(path)).unwrap_or_default()
    }

    pub fn run_in(&self, folder: &Path, words: &[&str]) -> (i32, String) {
        let mut command = Command::new(env!("CARGO_BIN_EXE_mcp"));
        command.args(words).current_dir(folder).stdin(Stdio::null());
        command.env_clear().env("HOME", &self.home).env("PATH", std::env::var_os("PATH").unwrap_or_default());
        command.env("XDG_RUNTIME_DIR", self.folder.path()).env("KEPT_SECRET", "s3cret-value");
        let Output { status, stdout, stderr } = command.output().expect("it runs");
        let text = format!("{}{}", String::from_utf8_lossy(&stdout), String::from_utf8_lossy(&stderr));
        (status.code().unwrap_or(-1), text)
    }

    pub fn run(&self, words: &[&str]) -> (i32, String) {
        self.run_in(&self.project.join("src"), words)
    }
}
