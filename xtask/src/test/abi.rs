//! Programs that were built with an earlier library go on with this one: the header is compared with the snapshot in
//! `docs/abi`. Changes that break programs are planted first and must be found.

use std::path::Path;
use std::process::Command;
use std::time::Duration;

use super::Stage;
use crate::abi::{is_compatible, releases};
use crate::checkout::{Checkout, read, stem, write};
use crate::compiler;
use crate::machine::{ABIDIFF, ABIDW, GCC};
use crate::process;
use crate::release::Built;

const LIMIT: Duration = Duration::from_secs(60);

/// What no version may do, as a change of the header's text.
const BREAKS: [(&str, &str, &str); 3] = [
    ("a parameter that turns wider", "int32_t timeout_ms", "int64_t timeout_ms"),
    ("a result that is another", "uint32_t mcp_abi_version(void)", "const char *mcp_abi_version(void)"),
    ("a function that is gone", "const char *mcp_version(void);", ""),
];

pub fn run(stage: &mut Stage) -> Result<(), String> {
    if !cfg!(target_os = "linux") {
        stage.tally.skip("the ABI", "it is compared on Linux only");
        return Ok(());
    }
    for tool in [&ABIDW, &ABIDIFF, &GCC] {
        if stage.tally.need(tool, "the ABI is compatible with docs/abi/libmcp.abi").is_none() {
            return Ok(());
        }
    }
    programs_of_releases(stage)?;
    let header = read(&stage.checkout.header())?;
    for (at, (name, old, new)) in BREAKS.iter().enumerate() {
        let broken = header.replace(old, new);
        let result = if broken == header {
            Err(format!("the header has no {old}: plant another change"))
        } else {
            match is_compatible(stage.checkout, &broken, &format!("planted-{at}")) {
                Ok(()) => Err("abidiff did not find it".to_owned()),
                // Only what abidiff says counts, not that something else went wrong.
                Err(why) if why.contains("docs/reference/abi.md") => Ok(()),
                Err(why) => Err(why),
            }
        };
        stage.tally.check(&format!("{name} is found"), result);
    }
    let result = is_compatible(stage.checkout, &header, "now");
    stage.tally.check("the ABI is compatible with docs/abi/libmcp.abi", result);
    Ok(())
}

/// Programs compiled with the header of each release work with this library and print what they printed then. A number that is
/// another in a header is planted first.
fn programs_of_releases(stage: &mut Stage) -> Result<(), String> {
    let built = stage.built()?;
    for release in releases(stage.checkout)? {
        let name = release.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let header = read(&release.join("mcp.h"))?;
        let planted =
            header.replace("#define MCP_CLIENT_STATE_READY ", "#define MCP_CLIENT_STATE_READY 1 + ");
        let folder = stage.checkout.scratch(&format!("abi/{name}-planted"))?;
        write(&folder.join("mcp.h"), &planted)?;
        let result = match program(stage.checkout, &built, &folder, &release.join("client.c")) {
            Ok(()) => Err("it was not".to_owned()),
            Err(why) if planted != header && why.contains("is ready 0") => Ok(()),
            Err(why) => Err(why),
        };
        stage.tally.check(&format!("a number that is another than in {name} is found"), result);
        for source in stage.checkout.files(&format!("tests/abi/{name}"), "c") {
            let result = program(stage.checkout, &built, &release, &source);
            let what = stem(&source);
            stage.tally.check(&format!("the program {what} of {name} works and prints what it did"), result);
        }
    }
    Ok(())
}

/// Compiles with the header in a folder, runs with this library, and compares with the file `.out` beside the source.
fn program(checkout: &Checkout, built: &Built, header: &Path, source: &Path) -> Result<(), String> {
    let program = checkout.scratch("abi/programs")?.join(stem(source));
    let mut gcc = Command::new(GCC.find()?);
    gcc.args(["-std=c11", "-O1", "-I"]).arg(header).arg(source).arg("-o").arg(&program);
    compiler::compile(compiler::link(&mut gcc, built), &program.with_extension("compile"))?;
    let mut command = Command::new(&program);
    // A client is given its server.
    if read(source)?.contains("argc != 2") {
        command.arg(&built.example_server);
    }
    let finished = process::run(&mut command, LIMIT, &program.with_extension("run"))?;
    let wanted = read(&source.with_extension("out"))?;
    if finished.succeeded() && finished.stdout == wanted {
        return Ok(());
    }
    Err(format!("{}\nwanted:\n{wanted}", finished.story()))
}
