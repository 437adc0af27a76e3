//! `init`: a small server in a folder of its own: a tool, a resource, a test, files to build it, a README and a file for continuous
//! integration. The files are in `cli/templates`, and a test builds each.

use crate::arguments::{Init, Language};
use crate::failure::Failure;
use crate::generate::RUST_KEYWORDS;
use crate::output::{Screen, one_line};
use serde_json::json;
use std::io::Write as _;
use std::path::{Path, PathBuf};

/// A file of a project: where it is there, and its text.
type File = (&'static str, &'static str);

macro_rules! files {
    ($folder:literal: $($path:literal $from:literal),* $(,)?) => {
        &[$(($path, include_str!(concat!("../templates/", $folder, "/", $from)))),*]
    };
}

/// What one language has.
struct Template {
    files: &'static [File],
    /// What is needed besides, as a comment of a shell; how it is built, tested and started.
    needs: &'static str,
    build: &'static str,
    test: &'static str,
    command: &'static str,
    /// How a bundle is made of it.
    pack: &'static str,
    /// Steps of GitHub before the build.
    setup: &'static str,
    /// Lines of `.gitignore`.
    ignored: &'static str,
}

/// The install tree of the library, until a package of the system has it.
const LIBRARY: &str = "      - run: |
          git clone --depth 1 https://github.com/libmcp/libmcp ../libmcp
          (cd ../libmcp && cargo xtask dist --to \"$HOME/libmcp\")
          echo \"PKG_CONFIG_PATH=$HOME/libmcp/lib/pkgconfig\" >> \"$GITHUB_ENV\"
          echo \"LD_LIBRARY_PATH=$HOME/libmcp/lib\" >> \"$GITHUB_ENV\"";
const BY_PKG_CONFIG: &str =
    "# pkg-config finds libmcp; PKG_CONFIG_PATH and LD_LIBRARY_PATH name a prefix of your own";

const C: Template = Template {
    files: files!("c": "Makefile" "Makefile", "main.c" "main.c", "server.c" "server.c", "server.h" "server.h", "test.c" "test.c"),
    needs: BY_PKG_CONFIG,
    build: "make",
    test: "make test",
    command: "./{{name}}",
    pack: "mkdir -p bundle && cp {{name}} bundle/ && mcp pack bundle --manifest author=Me -- ./{{name}}",
    setup: LIBRARY,
    ignored: "{{name}}\nserver_test",
};
const CPP: Template = Template {
    files: files!("cpp": "Makefile" "Makefile", "main.cpp" "main.cpp", "server.cpp" "server.cpp", "server.hpp" "server.hpp",
        "test.cpp" "test.cpp"),
    ..C
};
const GO: Template = Template {
    files: files!("go": "go.mod" "go.mod.txt", "main.go" "main.go", "main_test.go" "main_test.go"),
    needs: "# Go 1.24 and a C compiler",
    build: "go mod tidy && go build",
    test: "go test ./...",
    command: "./{{name}}",
    pack: C.pack,
    setup: "      - uses: actions/setup-go@v5\n        with: {go-version: stable}",
    ignored: "{{name}}",
};
const JAVA: Template = Template {
    files: files!("java": "pom.xml" "pom.xml", "src/main/java/greeter/Main.java" "Main.java",
        "src/test/java/greeter/MainTest.java" "MainTest.java"),
    needs: "# a JDK 21 or newer, and Maven",
    build: "mvn -q package -DskipTests",
    test: "mvn -q test",
    command: "java -jar target/{{name}}.jar",
    pack: "mkdir -p bundle && cp -r target/{{name}}.jar target/lib bundle/ && mcp pack bundle --manifest author=Me -- java -jar {{name}}.jar",
    setup: "      - uses: actions/setup-java@v4\n        with: {distribution: temurin, java-version: 25}",
    ignored: "target/",
};
const NODE: Template = Template {
    files: files!("node": "package.json" "package.json", "greeter.js" "greeter.js", "server.js" "server.js",
        "server.test.js" "server.test.js"),
    needs: "# Node.js 20",
    build: "npm install",
    test: "npm test",
    command: "node server.js",
    pack: "mcp pack --manifest author=Me -- node server.js",
    setup: "      - uses: actions/setup-node@v4\n        with: {node-version: 22}",
    ignored: "node_modules/",
};
const PYTHON: Template = Template {
    files: files!("python": "pyproject.toml" "pyproject.toml", "server.py" "server.py", "test_server.py" "test_server.py"),
    needs: "# Python 3.10",
    build: "python -m pip install -e .",
    test: "python -m unittest",
    command: "python server.py",
    pack: "python -m pip install --target bundle libmcp && cp server.py bundle/ && mcp pack bundle --manifest author=Me -- python server.py",
    setup: "      - uses: actions/setup-python@v5\n        with: {python-version: '3.13'}",
    ignored: "__pycache__/\n*.egg-info/\n.venv/",
};
const RUST: Template = Template {
    files: files!("rust": "Cargo.toml" "Cargo.toml.txt", "src/main.rs" "main.rs", "tests/server.rs" "server.rs"),
    needs: "# Rust 1.88",
    build: "cargo build --release",
    test: "cargo test",
    command: "target/release/{{name}}",
    pack: "mkdir -p bundle && cp target/release/{{name}} bundle/ && mcp pack bundle --manifest author=Me -- ./{{name}}",
    setup: "      - run: rustup update stable",
    ignored: "target/",
};
const SWIFT: Template = Template {
    files: files!("swift": "Package.swift" "Package.swift", "Sources/Greeter/Greeter.swift" "Greeter.swift",
        "Sources/Main/Main.swift" "Main.swift", "Tests/GreeterTests/GreeterTests.swift" "GreeterTests.swift"),
    needs: "# Swift 6; pkg-config finds libmcp, PKG_CONFIG_PATH and LD_LIBRARY_PATH name a prefix of your own",
    build: "swift build",
    test: "swift test",
    command: ".build/debug/{{name}}",
    pack: "mkdir -p bundle && cp .build/debug/{{name}} bundle/ && mcp pack bundle --manifest author=Me -- ./{{name}}",
    setup: LIBRARY,
    ignored: ".build/",
};
const YAML: Template = Template {
    files: files!("yaml": "server.yaml" "server.yaml", "calls.yaml" "calls.yaml"),
    needs: "# the program mcp",
    build: "mcp serve --check server.yaml",
    test: "mcp test calls.yaml -- mcp serve server.yaml",
    command: "mcp serve server.yaml",
    pack: "# a file for mcp serve needs no bundle",
    setup: "      - run: cargo install --git https://github.com/libmcp/libmcp mcp-cli",
    ignored: "*.log",
};

/// What every project has.
const OF_ALL: &[File] = &[
    ("README.md", include_str!("../templates/README.md.txt")),
    (".github/workflows/test.yml", include_str!("../templates/test.yml.txt")),
    (".gitignore", include_str!("../templates/gitignore.txt")),
];

fn template(language: Language) -> (&'static str, &'static Template) {
    match language {
        Language::C => ("c", &C),
        Language::Cpp => ("cpp", &CPP),
        Language::Go => ("go", &GO),
        Language::Java => ("java", &JAVA),
        Language::Node => ("node", &NODE),
        Language::Python => ("python", &PYTHON),
        Language::Rust => ("rust", &RUST),
        Language::Swift => ("swift", &SWIFT),
        Language::Yaml => ("yaml", &YAML),
    }
}

/// The longest name of a project.
const MOST_NAME: usize = 64;

/// Names that have another meaning for the files of a language: targets of its Makefile, or words that its tools refuse as a package.
fn is_taken(language: Language, name: &str) -> bool {
    let own: &[&str] = match language {
        Language::C | Language::Cpp => &["test", "clean"],
        Language::Go => &["main", "test", "std", "cmd", "vendor", "internal"],
        Language::Rust => &["test", "core", "std", "alloc", "build", "deps", "examples", "incremental"],
        // Modules of the project and of what it uses.
        Language::Swift => &["greeter", "mcp", "cmcp"],
        Language::Java | Language::Node | Language::Python | Language::Yaml => &[],
    };
    let keywords = if language == Language::Rust { RUST_KEYWORDS } else { &[] };
    own.contains(&name) || keywords.contains(&name)
}

/// Refuses a name that is taken.
fn refuse_taken(language: Language, name: &str) -> Result<(), Failure> {
    if is_taken(language, name) {
        return Err(Failure::usage(format!(
            "'{name}' has another meaning in the files of a project in this language; name the folder otherwise, such as {name}-server"
        )));
    }
    Ok(())
}

/// The name of a server in a folder: small letters, digits and hyphens, as every language takes it.
fn name_of(folder: &Path) -> Result<String, Failure> {
    let last = folder.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    let plain = |c: char| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '-' };
    let name: String = last.chars().map(plain).collect();
    let name = name.trim_matches('-').to_owned();
    if !name.starts_with(|c: char| c.is_ascii_lowercase()) || name.len() > MOST_NAME {
        return Err(Failure::usage(format!(
            "the folder '{}' gives no name for a server: one begins with a letter and has at most {MOST_NAME} letters and digits; name another folder",
            one_line(last)
        )));
    }
    Ok(name)
}

/// The files of a project with their texts.
fn files(language: Language, name: &str) -> Vec<(String, String)> {
    let (called, template) = template(language);
    let filled = |text: &str| {
        [
            ("{{language}}", called),
            ("{{needs}}", template.needs),
            ("{{build}}", template.build),
            ("{{test}}", template.test),
            ("{{pack}}", template.pack),
            ("{{command}}", template.command),
            ("{{setup}}", template.setup),
            ("{{ignored}}", template.ignored),
            ("{{name}}", name),
        ]
        .into_iter()
        .fold(text.to_owned(), |text, (mark, value)| text.replace(mark, value))
    };
    OF_ALL.iter().chain(template.files).map(|(path, text)| (filled(path), filled(text))).collect()
}

pub fn init(screen: Screen, init: &Init) -> Result<(), Failure> {
    let (called, template) = template(init.language);
    let folder = init.folder.clone().unwrap_or_else(|| PathBuf::from("."));
    let failed = |path: &Path, why: &dyn std::fmt::Display| {
        Failure::machine(format!("cannot write {}: {why}", path.display()))
    };
    let whole = std::path::absolute(&folder).map_err(|error| failed(&folder, &error))?;
    let name = name_of(&whole)?;
    refuse_taken(init.language, &name)?;
    let files = files(init.language, &name);
    // All of it or nothing: a file that is there is the person's.
    if let Some((path, _)) = files.iter().find(|(path, _)| whole.join(path).symlink_metadata().is_ok()) {
        return Err(Failure::usage(format!(
            "{} is there already, and nothing is overwritten; name a folder without it, such as `mcp init {called} my-server`",
            whole.join(path).display()
        )));
    }
    for (path, text) in &files {
        let path = whole.join(path);
        let above = path.parent().unwrap_or(&whole);
        std::fs::create_dir_all(above).map_err(|error| failed(above, &error))?;
        let mut file = std::fs::OpenOptions::new()
            .write(true)
            .create_new(true)
            .open(&path)
            .map_err(|error| failed(&path, &error))?;
        file.write_all(text.as_bytes()).map_err(|error| failed(&path, &error))?;
    }
    let names: Vec<String> = files.into_iter().map(|(path, _)| path).collect();
    if screen.format.is_data() {
        let shown = folder.display().to_string();
        return screen.json(&json!({"folder": shown, "name": name, "files": names}).to_string());
    }
    screen.names(&names)?;
    let into = if init.folder.is_some() { format!("cd {} && ", folder.display()) } else { String::new() };
    let next = |text: &str| text.replace("{{name}}", &name);
    Screen::said(format!(
        "'{name}' is made; next: {into}{} && {} && mcp doctor -- {}",
        next(template.build),
        next(template.test),
        next(template.command)
    ));
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::ValueEnum as _;

    #[test]
    fn every_language_has_a_server_a_test_and_no_mark_left() {
        let names =
            [Path::new("/x/my-server"), Path::new("/x/a & b")].map(|path| name_of(path).expect("a name"));
        let languages = Language::value_variants().iter();
        for (language, name) in languages.flat_map(|language| names.iter().map(move |name| (language, name)))
        {
            let files = files(*language, name);
            assert!(files.len() >= 5, "{language:?}");
            for (path, text) in files {
                assert!(!text.contains("{{"), "{language:?} {path}: {text}");
                assert!(!text.is_empty() && text.ends_with('\n'), "{language:?} {path}");
                // XML takes no comment with `--` in it, which a name may have.
                for (comment, _) in text.split("<!--").skip(1).filter_map(|rest| rest.split_once("-->")) {
                    assert!(!comment.contains("--"), "{language:?} {path}: {comment}");
                }
            }
        }
    }

    #[test]
    fn a_folder_gives_a_name_that_every_language_takes() {
        for (folder, name) in [("/a/My Server", "my-server"), ("/a/x_1", "x-1"), ("/a/b.c/", "b-c")] {
            assert_eq!(name_of(Path::new(folder)).expect(folder), name);
        }
        for folder in ["/", "/a/1x", "/a/---", "/a/ü"] {
            assert!(name_of(Path::new(folder)).is_err(), "{folder}");
        }
        for (language, name, is_taken) in [
            (Language::C, "test", true),
            (Language::Cpp, "clean", true),
            (Language::Rust, "core", true),
            (Language::Rust, "yield", true),
            (Language::Swift, "mcp", true),
            (Language::Go, "main", true),
            (Language::C, "core", false),
            (Language::Node, "test", false),
        ] {
            assert_eq!(refuse_taken(language, name).is_err(), is_taken, "{name}");
        }
    }
}
