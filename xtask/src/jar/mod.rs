//! `cargo xtask jar`: the Java binding as it is published: a jar with the native library of each platform, its sources, its
//! reference and its POM, as a Maven repository.
//!
//! The files:
//!
//! * `maven`: the folder of a Maven repository, the POM, checksums

mod maven;

use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::checkout::{Checkout, cleared, copy, files_below, write};
use crate::dist::{Version, third_party};
use crate::jdk::{Jdk, RUNS};
use crate::natives::{self, Native};
use crate::process;
use crate::release;

pub use maven::Publication;

const HELP: &str = "\
usage: cargo xtask jar --to FOLDER [--library PLATFORM=FILE]…

Writes the Java binding into FOLDER as a Maven repository, io/libmcp/libmcp/VERSION/: a jar with the classes of bindings/java and
the native library of each platform that is named, such as linux-x86_64 or linux-aarch64-musl; a jar of the sources, a jar of the
reference, the POM, and the checksums of each. Without --library the library is built for this machine. It needs a JDK.
";

const LIMIT: Duration = Duration::from_secs(180);

/// Where the sources are.
const SOURCES: &str = "bindings/java/src/main/java";

/// A fixed date, so that the same sources give the same jars.
const DATE: &str = "2026-01-01T00:00:00Z";

/// `cargo xtask jar`
pub fn run(checkout: &Checkout, options: &[&str]) -> Result<(), String> {
    if options.contains(&"--help") {
        print!("{HELP}");
        return Ok(());
    }
    let (to, mut libraries) = natives::named(options, "--library", HELP)?;
    if libraries.is_empty() {
        libraries.push(host(release::library_and_example(checkout)?.library));
    }
    let jdk = Jdk::find()?;
    let work = checkout.scratch("jar")?;
    let classes = compile(checkout, &jdk, &work)?;
    let reference = document(checkout, &jdk, &work)?;
    let publication = publish(checkout, &jdk, &classes, &reference, &libraries, &to)?;
    println!("the jar is {}", publication.jar().display());
    Ok(())
}

/// The library of this machine, by the name that the binding looks for.
pub fn host(file: PathBuf) -> Native {
    let musl = if cfg!(target_env = "musl") { "-musl" } else { "" };
    // Java calls macOS "Mac OS X".
    let system = if cfg!(target_os = "macos") { "mac" } else { std::env::consts::OS };
    Native { platform: format!("{system}-{}{musl}", std::env::consts::ARCH), file }
}

/// Compiles the classes of the binding, without a warning, into an empty folder below `work`.
pub fn compile(checkout: &Checkout, jdk: &Jdk, work: &Path) -> Result<PathBuf, String> {
    let classes = cleared(&work.join("classes"))?;
    let mut command = jdk.command("javac");
    let runs = RUNS.to_string();
    // With --release the compiler would refuse what was a preview there; of the functions of this JDK it therefore takes all, and the tests run
    // with the oldest one, too.
    command.args(["-source", &runs, "-target", &runs, "-Xlint:all,-options", "-Werror"]);
    command.args(["-encoding", "UTF-8", "-d"]).arg(&classes);
    command.args(sources(checkout)?);
    process::run(&mut command, LIMIT, &work.join("compile"))?.done()?;
    Ok(classes)
}

/// Makes the reference, without a warning, in an empty folder below `work`.
pub fn document(checkout: &Checkout, jdk: &Jdk, work: &Path) -> Result<PathBuf, String> {
    let reference = cleared(&work.join("javadoc"))?;
    let mut command = jdk.command("javadoc");
    command
        .args(["-Xdoclint:all", "-Werror", "-quiet", "-notimestamp", "-encoding", "UTF-8", "-d"])
        .arg(&reference)
        .args(sources(checkout)?);
    process::run(&mut command, LIMIT, &work.join("document"))?.done()?;
    Ok(reference)
}

/// Puts classes and libraries, the sources and the reference into jars of a Maven repository, `to`.
pub fn publish(
    checkout: &Checkout,
    jdk: &Jdk,
    classes: &Path,
    reference: &Path,
    libraries: &[Native],
    to: &Path,
) -> Result<Publication, String> {
    let version = Version::read(checkout)?.to_string();
    let publication = Publication::begin(checkout, to, &version)?;
    for Native { platform, file } in libraries {
        let name = if platform.starts_with("mac") { "libmcp.dylib" } else { "libmcp.so" };
        copy(file, &classes.join("io/libmcp/native").join(platform).join(name))?;
    }
    let work = checkout.scratch("jar")?;
    let notices = classes.join("META-INF");
    licences(checkout, &notices)?;
    write(&notices.join("THIRD-PARTY.md"), &third_party(checkout)?)?;
    publication.describe(&notices.join("maven/io.libmcp/libmcp"))?;
    let extra = cleared(&work.join("notices"))?;
    licences(checkout, &extra.join("META-INF"))?;
    let written = checkout.root.join(SOURCES);
    let contents: [(PathBuf, &[&Path], bool); 3] = [
        (publication.jar(), &[classes], true),
        (publication.sources(), &[&written, &extra], false),
        (publication.reference(), &[reference, &extra], false),
    ];
    for (jar, folders, is_module) in contents {
        let mut command = jdk.command("jar");
        command.args(["--create", "--date", DATE]);
        if is_module {
            command.args(["--module-version", &version]);
        }
        command.arg("--file").arg(&jar);
        for folder in folders {
            command.arg("-C").arg(folder).arg(".");
        }
        process::run(&mut command, LIMIT, &work.join("pack"))?.done()?;
    }
    publication.finish(&work)?;
    Ok(publication)
}

fn licences(checkout: &Checkout, to: &Path) -> Result<(), String> {
    for licence in ["LICENSE-MIT", "LICENSE-APACHE"] {
        copy(&checkout.root.join(licence), &to.join(licence))?;
    }
    Ok(())
}

/// The sources, sorted.
fn sources(checkout: &Checkout) -> Result<Vec<PathBuf>, String> {
    let all = files_below(&checkout.root.join(SOURCES))?;
    Ok(all.into_iter().filter(|path| path.extension().is_some_and(|it| it == "java")).collect())
}
