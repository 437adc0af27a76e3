//! A JDK that builds the Java binding: it needs 22, whose functions for foreign memory are final, and most systems package an older one beside.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::checkout::read;

/// The oldest that has what the binding calls.
pub const OLDEST: u32 = 22;

/// The oldest that runs the classes. Its functions for foreign memory are a preview, which only a compiler checks: those that the binding calls
/// are the same in both.
pub const RUNS: u32 = 21;

/// Where systems put them, each in a folder of its own.
const FOLDERS: [&str; 3] = ["/usr/lib/jvm", "/opt", "/Library/Java/JavaVirtualMachines"];

pub struct Jdk {
    home: PathBuf,
    pub version: u32,
}

impl Jdk {
    /// What `JAVA_HOME` names if it is new enough, else the newest that is found.
    ///
    /// # Errors
    /// There is none; the text tells how to get one.
    pub fn find() -> Result<Self, String> {
        let named = std::env::var_os("JAVA_HOME").map(PathBuf::from).and_then(|home| Self::at(&home));
        named.or_else(Self::newest).ok_or_else(|| {
            format!(
                "a JDK {OLDEST} or newer is missing (in JAVA_HOME, on PATH, in {}). To get it: apt-get install \
                 openjdk-25-jdk-headless (Debian 13), or adoptium.net; JAVA_HOME names its folder",
                FOLDERS.join(", ")
            )
        })
    }

    fn newest() -> Option<Self> {
        let mut places: Vec<PathBuf> = FOLDERS
            .iter()
            .filter_map(|folder| std::fs::read_dir(folder).ok())
            .flatten()
            .filter_map(|entry| Some(entry.ok()?.path()))
            .flat_map(|home| [home.join("Contents/Home"), home])
            .collect();
        let on_path = std::env::var_os("PATH").unwrap_or_default();
        // `bin/javac` is often a link to the JDK's own.
        let programs = std::env::split_paths(&on_path).filter_map(|it| it.join("javac").canonicalize().ok());
        places.extend(programs.filter_map(|javac| Some(javac.parent()?.parent()?.to_path_buf())));
        places.iter().filter_map(|home| Self::at(home)).max_by_key(|jdk| jdk.version)
    }

    fn at(home: &Path) -> Option<Self> {
        let version = version(&read(&home.join("release")).ok()?)?;
        let is_whole = ["javac", "javadoc", "jar"].iter().all(|name| home.join("bin").join(name).is_file());
        (is_whole && version >= OLDEST).then(|| Self { home: home.to_path_buf(), version })
    }

    /// Its folder, for a program that asks for it in `JAVA_HOME`.
    pub fn home(&self) -> &Path {
        &self.home
    }

    /// One of its programs, without what would change how it works.
    pub fn command(&self, program: &str) -> Command {
        let mut command = Command::new(self.home.join("bin").join(program));
        for variable in ["JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "JDK_JAVAC_OPTIONS", "CLASSPATH"] {
            command.env_remove(variable);
        }
        command
    }
}

/// The first number of `JAVA_VERSION="25.0.3"`.
fn version(release: &str) -> Option<u32> {
    let line = release.lines().find_map(|line| line.strip_prefix("JAVA_VERSION=\""))?;
    line.split(|it: char| !it.is_ascii_digit()).next()?.parse().ok()
}
