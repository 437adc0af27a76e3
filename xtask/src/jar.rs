//! `cargo xtask jar`: the Java binding as it is published, a jar with the native library of each platform.

use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::checkout::{Checkout, write};
use crate::dist::{Version, third_party};
use crate::jdk::{Jdk, OLDEST};
use crate::{process, release};

const HELP: &str = "\
usage: cargo xtask jar --to FOLDER [--library PLATFORM=FILE]…

Writes libmcp-VERSION.jar, with the classes of bindings/java and the native library of each platform that is named, such as
linux-x86_64 or linux-aarch64-musl. Without --library the library is built for this machine. It needs a JDK.
";

const LIMIT: Duration = Duration::from_secs(180);

/// A native library for a platform.
pub struct Library {
    pub platform: String,
    pub file: PathBuf,
}

/// `cargo xtask jar`
pub fn run(checkout: &Checkout, options: &[&str]) -> Result<(), String> {
    if options.contains(&"--help") {
        print!("{HELP}");
        return Ok(());
    }
    let mut to = None;
    let mut libraries = Vec::new();
    let mut words = options.iter();
    while let Some(word) = words.next() {
        let value = words.next().ok_or_else(|| format!("{word} needs a value\n\n{HELP}"))?;
        match (*word, value.split_once('=')) {
            ("--to", _) => to = Some(PathBuf::from(value)),
            ("--library", Some((platform, file))) => {
                libraries.push(Library { platform: platform.to_owned(), file: file.into() });
            }
            _ => return Err(format!("there is no option {word} {value}\n\n{HELP}")),
        }
    }
    let to = to.ok_or_else(|| format!("--to names no folder\n\n{HELP}"))?;
    if libraries.is_empty() {
        libraries.push(host(release::library_and_example(checkout)?.library));
    }
    let jdk = Jdk::find()?;
    let work = checkout.scratch("jar")?;
    let classes = compile(checkout, &jdk, &work)?;
    std::fs::create_dir_all(&to).map_err(|error| format!("cannot make {}: {error}", to.display()))?;
    let jar = pack(checkout, &jdk, &classes, &libraries, &to)?;
    println!("the jar is {}", jar.display());
    Ok(())
}

/// The library of this machine, by the name that the binding looks for.
pub fn host(file: PathBuf) -> Library {
    let musl = if cfg!(target_env = "musl") { "-musl" } else { "" };
    // Java calls macOS "Mac OS X".
    let system = if cfg!(target_os = "macos") { "mac" } else { std::env::consts::OS };
    Library { platform: format!("{system}-{}{musl}", std::env::consts::ARCH), file }
}

/// Compiles the classes of the binding, without a warning, into an empty folder below `work`.
pub fn compile(checkout: &Checkout, jdk: &Jdk, work: &Path) -> Result<PathBuf, String> {
    let classes = cleared(&work.join("classes"))?;
    let sources = sources(&checkout.root.join("bindings/java/src/main/java"))?;
    let mut command = jdk.command("javac");
    command
        .args(["--release", &OLDEST.to_string(), "-Xlint:all", "-Werror", "-encoding", "UTF-8", "-d"])
        .arg(&classes);
    command.args(sources);
    let finished = process::run(&mut command, LIMIT, &work.join("javac"))?;
    if finished.succeeded() { Ok(classes) } else { Err(finished.story()) }
}

/// Puts classes and libraries into a jar; gives its place.
pub fn pack(
    checkout: &Checkout,
    jdk: &Jdk,
    classes: &Path,
    libraries: &[Library],
    to: &Path,
) -> Result<PathBuf, String> {
    let version = Version::read(checkout)?.to_string();
    for Library { platform, file } in libraries {
        let name = if platform.starts_with("mac") { "libmcp.dylib" } else { "libmcp.so" };
        copy(file, &classes.join("io/libmcp/native").join(platform).join(name))?;
    }
    for licence in ["LICENSE-MIT", "LICENSE-APACHE"] {
        copy(&checkout.root.join(licence), &classes.join("META-INF").join(licence))?;
    }
    write(&classes.join("META-INF/THIRD-PARTY.md"), &third_party(checkout, &checkout.scratch("jar")?)?)?;
    let maven = classes.join("META-INF/maven/io.libmcp/libmcp");
    std::fs::create_dir_all(&maven).map_err(|error| format!("cannot make {}: {error}", maven.display()))?;
    write(&maven.join("pom.xml"), &pom(&version))?;
    write(
        &maven.join("pom.properties"),
        &format!("groupId=io.libmcp\nartifactId=libmcp\nversion={version}\n"),
    )?;
    let jar = to.join(format!("libmcp-{version}.jar"));
    let mut command = jdk.command("jar");
    // A fixed date, so that the same sources give the same jar.
    command
        .args(["--create", "--date", "2026-01-01T00:00:00Z", "--module-version", &version, "--file"])
        .arg(&jar);
    command.arg("-C").arg(classes).arg(".");
    let finished = process::run(&mut command, LIMIT, &checkout.scratch("jar")?.join("pack"))?;
    if finished.succeeded() { Ok(jar) } else { Err(finished.story()) }
}

fn pom(version: &str) -> String {
    format!(
        "<project xmlns=\"http://maven.apache.org/POM/4.0.0\">
  <modelVersion>4.0.0</modelVersion>
  <groupId>io.libmcp</groupId>
  <artifactId>libmcp</artifactId>
  <version>{version}</version>
  <name>libmcp</name>
  <description>Clients and servers of the Model Context Protocol</description>
  <licenses>
    <license><name>MIT OR Apache-2.0</name></license>
  </licenses>
</project>
"
    )
}

fn copy(from: &Path, to: &Path) -> Result<(), String> {
    let folder = to.parent().unwrap_or(to);
    std::fs::create_dir_all(folder)
        .and_then(|()| std::fs::copy(from, to))
        .map(|_| ())
        .map_err(|error| format!("cannot copy {} to {}: {error}", from.display(), to.display()))
}

/// An empty folder.
pub fn cleared(folder: &Path) -> Result<PathBuf, String> {
    if folder.exists() {
        std::fs::remove_dir_all(folder)
            .map_err(|error| format!("cannot clear {}: {error}", folder.display()))?;
    }
    std::fs::create_dir_all(folder).map_err(|error| format!("cannot make {}: {error}", folder.display()))?;
    Ok(folder.to_path_buf())
}

/// The sources below a folder, sorted.
pub fn sources(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let mut files = Vec::new();
    let entries =
        std::fs::read_dir(folder).map_err(|error| format!("cannot read {}: {error}", folder.display()))?;
    for path in entries.filter_map(|entry| Some(entry.ok()?.path())) {
        if path.is_dir() {
            files.extend(sources(&path)?);
        } else if path.extension().is_some_and(|it| it == "java") {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}
