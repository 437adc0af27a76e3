//! Where things are: the folders and files of this checkout.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

/// How the variables begin by which cargo tells a program of its package.
const OF_A_PACKAGE: [&str; 2] = ["CARGO_MANIFEST_", "CARGO_PKG_"];

/// The checkout that this program was built from.
pub struct Checkout {
    pub root: PathBuf,
    pub target: PathBuf,
}

impl Checkout {
    /// The root is what cargo says or the nearest folder upwards that is a workspace; the target folder is the one this
    /// program was built in, whatever the machine's settings made of it.
    pub fn find() -> Result<Self, String> {
        let start = match std::env::var_os("CARGO_MANIFEST_DIR") {
            Some(folder) => PathBuf::from(folder),
            None => {
                std::env::current_dir().map_err(|error| format!("there is no current folder: {error}"))?
            }
        };
        let root = start
            .ancestors()
            .find(|folder| folder.join("cbindgen.toml").is_file())
            .ok_or("this is not a checkout of libmcp: no cbindgen.toml here or above")?
            .to_path_buf();
        let program = std::env::current_exe().map_err(|error| format!("where am I? {error}"))?;
        let target = match program.ancestors().nth(2) {
            Some(folder) => folder.to_path_buf(),
            None => root.join("target"),
        };
        Ok(Self { root, target })
    }

    pub fn header(&self) -> PathBuf {
        self.root.join("include/mcp.h")
    }

    /// The exported symbols, sorted, one a line.
    pub fn exports(&self) -> PathBuf {
        self.root.join("include/mcp.exports")
    }

    /// A folder for the files of one piece of work, below the target folder.
    pub fn scratch(&self, name: &str) -> Result<PathBuf, String> {
        let folder = self.target.join("xtask").join(name);
        folder_at(&folder)?;
        Ok(folder)
    }

    /// The cargo that runs this program, at the root of the checkout. It is not told what `cargo run` told this program of its own
    /// package: a build script that asks for these variables, as that of *ring* does, would run again for each program that starts
    /// cargo, and the library would be compiled again.
    pub fn cargo(&self) -> Command {
        let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
        for (name, _) in std::env::vars_os() {
            if OF_A_PACKAGE.iter().any(|start| name.to_string_lossy().starts_with(start)) {
                cargo.env_remove(name);
            }
        }
        cargo.current_dir(&self.root);
        cargo
    }

    /// What cargo says of the packages of the workspace and of those that it is compiled with; with `--no-deps` of the first alone.
    pub fn metadata(&self, arguments: &[&str]) -> Result<Vec<Value>, String> {
        let mut cargo = self.cargo();
        let asked = cargo.args(["metadata", "--format-version", "1"]).args(arguments).output();
        let said = asked.map_err(|error| format!("cannot start cargo: {error}"))?;
        match serde_json::from_slice::<Value>(&said.stdout).map(|mut all| all["packages"].take()) {
            Ok(Value::Array(packages)) if said.status.success() => Ok(packages),
            _ => Err(format!("cargo metadata failed: {}", String::from_utf8_lossy(&said.stderr))),
        }
    }

    /// What cargo says of the library.
    pub fn package(&self) -> Result<Value, String> {
        let all = self.metadata(&["--no-deps"])?;
        all.into_iter().find(|it| it["name"] == "mcp").ok_or_else(|| "there is no package mcp".to_owned())
    }

    /// The files of a folder of the checkout whose name ends with the extension, sorted.
    pub fn files(&self, folder: &str, extension: &str) -> Vec<PathBuf> {
        Self::files_in(&self.root.join(folder), &format!(".{extension}"))
    }

    /// The files of any folder whose name ends so, sorted.
    pub fn files_in(folder: &Path, end: &str) -> Vec<PathBuf> {
        let mut files: Vec<PathBuf> = std::fs::read_dir(folder)
            .into_iter()
            .flatten()
            .filter_map(|entry| Some(entry.ok()?.path()))
            .filter(|path| path.is_file() && path.to_string_lossy().ends_with(end))
            .collect();
        files.sort();
        files
    }
}

/// What is in a folder, sorted.
pub fn entries(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let failed = |error| format!("cannot read {}: {error}", folder.display());
    let paths = std::fs::read_dir(folder).map_err(failed)?.map(|entry| entry.map(|it| it.path()));
    let mut paths = paths.collect::<Result<Vec<_>, _>>().map_err(failed)?;
    paths.sort();
    Ok(paths)
}

/// The files in a folder and in those below it, sorted.
pub fn files_below(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let mut files = Vec::new();
    for path in entries(folder)? {
        if path.is_dir() {
            files.extend(files_below(&path)?);
        } else {
            files.push(path);
        }
    }
    Ok(files)
}

/// Reads a text file; the error names it.
pub fn read(path: &Path) -> Result<String, String> {
    std::fs::read_to_string(path).map_err(|error| format!("cannot read {}: {error}", path.display()))
}

/// Writes a file; the error names it.
pub fn write(path: &Path, text: &str) -> Result<(), String> {
    std::fs::write(path, text).map_err(|error| format!("cannot write {}: {error}", path.display()))
}

/// Writes a file unless it has this text: a program that reads it meanwhile finds all of it.
pub fn update(path: &Path, text: &str) -> Result<(), String> {
    match read(path) {
        Ok(found) if found == text => Ok(()),
        _ => write(path, text),
    }
}

/// Copies a file, into a folder that is made if it is not there; the error names both.
pub fn copy(from: &Path, to: &Path) -> Result<(), String> {
    std::fs::create_dir_all(to.parent().unwrap_or(to))
        .and_then(|()| std::fs::copy(from, to))
        .map(drop)
        .map_err(|error| format!("cannot copy {} to {}: {error}", from.display(), to.display()))
}

/// Copies a file into a folder that is there, by renaming: a program that has the old file mapped, such as a library, keeps it whole. What
/// two processes copy at once is whole, too.
pub fn replace(file: &Path, folder: &Path) -> Result<(), String> {
    let name = file.file_name().unwrap_or_default();
    let fresh = folder.join(format!("{}.{}", name.to_string_lossy(), std::process::id()));
    std::fs::copy(file, &fresh)
        .and_then(|_| std::fs::rename(&fresh, folder.join(name)))
        .map_err(|error| format!("cannot copy {} to {}: {error}", file.display(), folder.display()))
}

/// Makes a folder, and those that it is in, unless they are there.
pub fn folder_at(folder: &Path) -> Result<(), String> {
    std::fs::create_dir_all(folder).map_err(|error| format!("cannot make {}: {error}", folder.display()))
}

/// Makes a folder that is empty.
pub fn cleared(folder: &Path) -> Result<PathBuf, String> {
    removed(folder)?;
    folder_at(folder)?;
    Ok(folder.to_path_buf())
}

/// Removes a folder with all that is in it, if it is there.
pub fn removed(folder: &Path) -> Result<(), String> {
    match std::fs::remove_dir_all(folder) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
            Err(format!("cannot clear {}: {error}", folder.display()))
        }
        _ => Ok(()),
    }
}

/// A file's name without folder and extension.
pub fn stem(path: &Path) -> String {
    path.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}

#[cfg(test)]
mod tests {
    use super::Checkout;

    #[test]
    fn cargo_is_not_told_of_the_package_of_this_program() -> Result<(), String> {
        let told = |name: &str| std::env::vars_os().any(|(known, _)| known == name);
        assert!(told("CARGO_PKG_NAME") && told("CARGO_MANIFEST_DIR"), "cargo test tells them");
        let cargo = Checkout::find()?.cargo();
        for name in ["CARGO_PKG_NAME", "CARGO_MANIFEST_DIR"] {
            assert!(cargo.get_envs().any(|(known, value)| known == name && value.is_none()), "{name}");
        }
        Ok(())
    }
}
