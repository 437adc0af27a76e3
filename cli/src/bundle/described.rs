//! What the package files of a folder say of a server: `package.json`, `pyproject.toml`, `Cargo.toml`. A bundle and a record of a registry
//! begin with it.

use crate::failure::Failure;
use crate::folders;
use serde_json::Value;
use std::path::Path;

/// The most bytes of such a file.
const MOST_BYTES: u64 = 4 << 20;

/// What one of these files says. What it does not say is empty.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Described {
    /// The file.
    pub file: &'static str,
    /// The type of the package in a registry of servers.
    pub registry: &'static str,
    pub name: String,
    pub version: String,
    pub description: String,
    pub author: String,
    pub license: String,
    pub repository: String,
    pub homepage: String,
    /// The name of the server in a registry: `mcpName`, or `mcp-name: …` in the README.
    pub server_name: String,
}

/// The first of these files that is there.
pub fn described(folder: &Path) -> Result<Option<Described>, Failure> {
    type Reader = fn(&str) -> Result<Described, String>;
    let readers: [(&str, Reader); 3] =
        [("package.json", npm), ("pyproject.toml", python), ("Cargo.toml", cargo)];
    for (name, reader) in readers {
        let path = folder.join(name);
        let Some(text) = folders::read(&path, MOST_BYTES)? else { continue };
        let mut described = reader(text.strip_prefix('\u{feff}').unwrap_or(&text))
            .map_err(|why| Failure::usage(format!("{} cannot be read: {why}", path.display())))?;
        if described.server_name.is_empty() {
            let readme = folders::read(&folder.join("README.md"), MOST_BYTES)?.unwrap_or_default();
            described.server_name = in_readme(&readme);
        }
        return Ok(Some(described));
    }
    Ok(None)
}

/// The name that a README has, in a comment or not.
fn in_readme(text: &str) -> String {
    let after = text.split_once("mcp-name:").map(|(_, after)| after.trim_start());
    let is_part = |c: char| c.is_ascii_alphanumeric() || "./_-".contains(c);
    after.map(|after| after.split(|c| !is_part(c)).next().unwrap_or_default().to_owned()).unwrap_or_default()
}

fn text(value: &Value, pointer: &str) -> String {
    value.pointer(pointer).and_then(Value::as_str).unwrap_or_default().to_owned()
}

/// A person as npm and Cargo write one: `Name <address>`.
fn without_address(person: &str) -> String {
    person.split(['<', '(']).next().unwrap_or_default().trim().to_owned()
}

/// The URL of a repository: npm takes `git+https://…` and `github:owner/name`, too.
fn repository(text: &str) -> String {
    let url = text.strip_prefix("git+").unwrap_or(text);
    let url = url.strip_suffix(".git").unwrap_or(url);
    let short = url.strip_prefix("github:").map(|short| format!("https://github.com/{short}"));
    short.unwrap_or_else(|| if crate::shape::is_url(url) { url.to_owned() } else { String::new() })
}

fn npm(file: &str) -> Result<Described, String> {
    let value: Value = serde_json::from_str(file).map_err(|error| error.to_string())?;
    let either = |one: &str, other: &str| {
        let first = text(&value, one);
        if first.is_empty() { text(&value, other) } else { first }
    };
    Ok(Described {
        file: "package.json",
        registry: "npm",
        name: text(&value, "/name"),
        version: text(&value, "/version"),
        description: text(&value, "/description"),
        author: without_address(&either("/author/name", "/author")),
        license: text(&value, "/license"),
        repository: repository(&either("/repository/url", "/repository")),
        homepage: text(&value, "/homepage"),
        server_name: text(&value, "/mcpName"),
    })
}

fn toml_of(file: &str) -> Result<Value, String> {
    let table: toml::Table = toml::from_str(file).map_err(|error| error.to_string())?;
    serde_json::to_value(table).map_err(|error| error.to_string())
}

fn python(file: &str) -> Result<Described, String> {
    let value = toml_of(file)?;
    let url = |names: &[&str]| {
        let urls = value.pointer("/project/urls").and_then(Value::as_object);
        let found =
            urls.into_iter().flatten().find(|(name, _)| names.contains(&name.to_ascii_lowercase().as_str()));
        found.and_then(|(_, url)| url.as_str()).unwrap_or_default().to_owned()
    };
    let license = text(&value, "/project/license");
    Ok(Described {
        file: "pyproject.toml",
        registry: "pypi",
        name: text(&value, "/project/name"),
        version: text(&value, "/project/version"),
        description: text(&value, "/project/description"),
        author: text(&value, "/project/authors/0/name"),
        license: if license.is_empty() { text(&value, "/project/license/text") } else { license },
        repository: repository(&url(&["repository", "source", "source code", "code"])),
        homepage: url(&["homepage"]),
        server_name: String::new(),
    })
}

fn cargo(file: &str) -> Result<Described, String> {
    let value = toml_of(file)?;
    Ok(Described {
        file: "Cargo.toml",
        registry: "cargo",
        name: text(&value, "/package/name"),
        version: text(&value, "/package/version"),
        description: text(&value, "/package/description"),
        author: without_address(&text(&value, "/package/authors/0")),
        license: text(&value, "/package/license"),
        repository: repository(&text(&value, "/package/repository")),
        homepage: text(&value, "/package/homepage"),
        server_name: String::new(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_of_package_says_the_same() {
        let same = |described: &Described| {
            [
                &described.name,
                &described.version,
                &described.description,
                &described.author,
                &described.repository,
            ]
            .map(Clone::clone)
        };
        let all = ["n", "1.2.3", "d", "A B", "https://github.com/a/n"];
        for described in [
            npm(
                r#"{"name":"n","version":"1.2.3","description":"d","author":"A B <a@b>","repository":{"type":"git","url":"git+https://github.com/a/n.git"}}"#,
            ),
            npm(
                r#"{"name":"n","version":"1.2.3","description":"d","author":{"name":"A B"},"repository":"github:a/n"}"#,
            ),
            python(
                "[project]\nname='n'\nversion='1.2.3'\ndescription='d'\nauthors=[{name='A B'}]\n[project.urls]\nRepository='https://github.com/a/n'",
            ),
            cargo(
                "[package]\nname='n'\nversion='1.2.3'\ndescription='d'\nauthors=['A B <a@b>']\nrepository='https://github.com/a/n'",
            ),
        ] {
            assert_eq!(same(&described.expect("read")), all);
        }
        assert!(npm("[").is_err() && python("=").is_err());
        // What a workspace says is not here.
        assert_eq!(cargo("[package]\nname='n'\nversion.workspace=true").expect("read").version, "");
    }

    #[test]
    fn the_name_in_a_registry_is_in_the_package_or_the_readme() {
        assert_eq!(in_readme("# x\n<!-- mcp-name: io.github.a/n -->\n"), "io.github.a/n");
        assert_eq!(in_readme("nothing"), "");
        let folder = tempfile::tempdir().expect("a folder");
        assert_eq!(described(folder.path()).expect("nothing"), None);
        let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).expect("written");
        write("pyproject.toml", "[project]\nname='n'\n");
        write("README.md", "mcp-name: io.github.a/n");
        let found = described(folder.path()).expect("read").expect("there");
        assert_eq!((found.file, found.server_name.as_str()), ("pyproject.toml", "io.github.a/n"));
    }
}
