//! The size that a user pays: the shared library without symbols. A build with one side of the protocol has the functions of
//! that side only, and works with a build of the other side.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use super::Stage;
use crate::checkout::Checkout;
use crate::compiler;
use crate::dist;
use crate::machine::{CC, NM, STRIP};
use crate::process;

const LIBRARY: &str = "libmcp.so";
/// A client with all that it can have.
const CLIENT: u64 = 6 * 1024 * 1024;
/// What the server adds to it.
const SERVER: u64 = 2 * 1024 * 1024;
/// Both. What is larger than this must show with `--deep` what each side has of it.
const WHOLE: u64 = 8 * 1024 * 1024;
/// A client without the features that need much of other people's code: no HTTP, no TLS.
const PLAIN: u64 = 1024 * 1024 * 3 / 2;
/// A server without them that checks arguments and results.
const PLAIN_SERVER: u64 = 1024 * 1024 * 9 / 4;

/// A build: its name, and its features.
type Part = (&'static str, &'static str);

/// A profile of cargo, and the folder that it builds in.
type Profile = [&'static str; 2];

const SHIPPED: Profile = ["release"; 2];
const QUICK: Profile = ["dev", "debug"];

const CLIENT_ALONE: Part = ("client", "client");
const SERVER_ALONE: Part = ("server", "schema,server");
const WHOLE_CLIENT: Part = ("whole-client", "auth,client,http,schema,skills");

pub fn run(stage: &mut Stage) -> Result<(), String> {
    let plain = build(stage.checkout, CLIENT_ALONE, SHIPPED)?;
    measure(
        stage,
        "plain",
        &plain.join(LIBRARY),
        PLAIN,
        "without the optional features it is at most 1.5 MiB",
    )?;
    let server = build(stage.checkout, SERVER_ALONE, QUICK)?;
    if let Some(cc) =
        stage.tally.need(&CC, "a client without the server works with a server without the client")
    {
        let result = work_together(stage, &cc, &plain, &server);
        stage.tally.check("a client without the server works with a server without the client", result);
    }
    if let Some(nm) = stage.tally.need(&NM, "a build with one side exports no function of the other") {
        let result = exports_of(&nm, stage, &plain, "mcp_server_")
            .and_then(|()| exports_of(&nm, stage, &server, "mcp_client_"));
        stage.tally.check("a build with one side exports no function of the other", result);
    }
    let whole = stage.built()?.library.clone();
    let name = "the stripped library with both sides is at most 8 MiB";
    let whole = measure(stage, "whole", &whole, WHOLE, name)?;
    if stage.options.deep { parts(stage, whole) } else { Ok(()) }
}

/// The sizes that are far from their bounds: each needs a library that is optimized as one.
fn parts(stage: &mut Stage, whole: Option<u64>) -> Result<(), String> {
    let server = build(stage.checkout, SERVER_ALONE, SHIPPED)?;
    let name = "a server without client and HTTP is at most 2.25 MiB";
    measure(stage, "server", &server.join(LIBRARY), PLAIN_SERVER, name)?;
    let client = build(stage.checkout, WHOLE_CLIENT, SHIPPED)?;
    let name = "the stripped library without the server is at most 6 MiB";
    let client = measure(stage, "client", &client.join(LIBRARY), CLIENT, name)?;
    let Some((whole, client)) = whole.zip(client) else { return Ok(()) };
    let adds = whole.saturating_sub(client);
    let result = if adds <= SERVER {
        Ok(())
    } else {
        Err(format!("it adds {adds} bytes, {} too many", adds - SERVER))
    };
    stage.tally.check("the server adds at most 2 MiB to it", result);
    Ok(())
}

/// What the step builds without `--deep`, before it.
pub fn build_all(checkout: &Checkout) -> Result<(), String> {
    [(CLIENT_ALONE, SHIPPED), (SERVER_ALONE, QUICK)]
        .into_iter()
        .try_for_each(|(part, profile)| build(checkout, part, profile).map(drop))
}

/// Builds the library with these features only, without a warning: what one side needs alone, the other one does not have. It has a folder
/// of its own: cargo gives a shared library one name whatever its features are, so that in one folder each build would undo the one before
/// it. Gives the folder that the library is in.
fn build(checkout: &Checkout, (name, features): Part, [profile, output]: Profile) -> Result<PathBuf, String> {
    let folder = checkout.target.join("plain").join(name);
    let mut cargo = checkout.cargo();
    cargo.args(["rustc", "--quiet", "--profile", profile, "--package", "libmcp", "--no-default-features"]);
    cargo.args(["--features", features, "--crate-type", "cdylib", "--target-dir"]).arg(&folder);
    cargo.env("CARGO_ENCODED_RUSTFLAGS", "-Dwarnings");
    if let Some(level) = dist::optimization(&features.split(',').collect::<Vec<_>>()) {
        cargo.env("CARGO_PROFILE_RELEASE_OPT_LEVEL", level);
    }
    match cargo.status() {
        Ok(status) if status.success() => Ok(folder.join(output)),
        Ok(status) => Err(format!("cargo rustc with the features '{features}' failed: {status}")),
        Err(error) => Err(format!("cannot start cargo: {error}")),
    }
}

/// Compiles the client of the README for one library and its server for the other, and has the client call the server.
fn work_together(stage: &Stage, cc: &Path, client: &Path, server: &Path) -> Result<(), String> {
    let mut programs = Vec::new();
    for (file, folder) in [("quickstart.c", client), ("tool_server.c", server)] {
        let source = stage.checkout.root.join("examples/c").join(file);
        let program = folder.join(file.trim_end_matches(".c"));
        let mut command = compiler::command(stage.checkout, cc, "c11");
        let mut rpath = std::ffi::OsString::from("-Wl,-rpath,");
        rpath.push(folder);
        command.arg(source).arg("-o").arg(&program).arg("-L").arg(folder).arg("-lmcp").arg(rpath);
        compiler::compile(&mut command, &program.with_extension("compile"))?;
        programs.push(program);
    }
    let mut command = Command::new(&programs[0]);
    command.arg(&programs[1]);
    let log = programs[0].with_extension("run");
    process::run(&mut command, Duration::from_secs(60), &log)?.says(&["Hello from C"])
}

/// That a library exports no function whose name begins so, but what reads messages.
fn exports_of(nm: &Path, stage: &Stage, folder: &Path, prefix: &str) -> Result<(), String> {
    let mut command = Command::new(nm);
    command.args(["-D", "--defined-only"]).arg(folder.join(LIBRARY));
    let log = stage.checkout.scratch("size")?.join(format!("nm-{prefix}"));
    let finished = process::run(&mut command, Duration::from_secs(60), &log)?;
    finished.says(&["mcp_version"])?;
    let found: Vec<_> = finished.stdout.lines().filter_map(|line| line.split(' ').next_back()).collect();
    let found: Vec<_> = found.into_iter().filter(|name| name.starts_with(prefix)).collect();
    if found.is_empty() { Ok(()) } else { Err(format!("it exports {}", found.join(", "))) }
}

/// Gives the size.
fn measure(
    stage: &mut Stage,
    what: &str,
    library: &Path,
    most: u64,
    name: &str,
) -> Result<Option<u64>, String> {
    let Some(strip) = stage.tally.need(&STRIP, name) else { return Ok(None) };
    let folder = stage.checkout.scratch("size")?;
    let stripped = folder.join(what);
    std::fs::copy(library, &stripped)
        .map_err(|error| format!("cannot copy {}: {error}", library.display()))?;
    let mut command = Command::new(strip);
    // On macOS a shared library keeps its global symbols only if told so; there -x is what --strip-unneeded is here.
    command.arg(if cfg!(target_os = "macos") { "-x" } else { "--strip-unneeded" }).arg(&stripped);
    process::run(&mut command, Duration::from_secs(60), &folder.join("strip"))?.well()?;
    let bytes = std::fs::metadata(&stripped).map_err(|error| error.to_string())?.len();
    #[expect(clippy::cast_precision_loss, reason = "shown with two digits")]
    let mebibytes = bytes as f64 / (1024.0 * 1024.0);
    println!("  {what}: {bytes} bytes, {mebibytes:.2} MiB");
    let result = if bytes <= most { Ok(()) } else { Err(format!("{} bytes too many", bytes - most)) };
    stage.tally.check(name, result);
    Ok(Some(bytes))
}
