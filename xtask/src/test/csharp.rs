//! The C# binding, as its users have it: an assembly with the library beside it, compiled by Mono without a warning, its tests, its examples,
//! and the programs of its page.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use super::{Stage, bindings};
use crate::bindings::is_fresh;
use crate::checkout::{Checkout, cleared, copy, read, write};
use crate::machine::{MCS, MONO};
use crate::process;

const LIMIT: Duration = Duration::from_secs(400);

/// The programs that the page shows, below these headings.
const SHOWN: [(&str, &str); 2] = [("## A client", "Hello"), ("## A server", "Adder")];

/// What the client says of the server example.
const SAYS: [&str; 7] = [
    "tool: reserve: Reserves a table",
    "the sum is 5",
    "the server asks: For how many people?",
    "a table for 4 near the window",
    "progress: 3 of 3",
    "slow was given up",
    "prompt: Greet Ada kindly.",
];

pub fn run(stage: &mut Stage) -> Result<(), String> {
    stage.tally.check("Native.cs is what include/mcp.h says", is_fresh(stage.checkout, "csharp"));
    let Some(mcs) = stage.tally.need(&MCS, "the C# binding") else { return Ok(()) };
    let Some(mono) = stage.tally.need(&MONO, "the C# binding") else { return Ok(()) };
    let built = stage.built()?;
    let program = stage.program()?;
    let folder = cleared(&stage.checkout.scratch("csharp")?.join("programs"))?;
    let library = built.library.file_name().ok_or("the library has no name")?;
    copy(&built.library, &folder.join(library))?;
    let work = Work { mcs, mono, folder };
    let compiled = work.compile_all(stage.checkout);
    let is_compiled = compiled.is_ok();
    stage.tally.check("all of it compiles without a warning, the programs of its page too", compiled);
    if !is_compiled {
        return Ok(());
    }
    let server = built.example_server.display().to_string();
    let mut tests = work.command("Tests", &[]);
    tests.env("MCP_EXAMPLE_SERVER", &built.example_server).env("MCP_SCRIPTED_SERVER", &built.scripted_server);
    tests.env("MCP_SCRIPTED_HTTP", &built.scripted_http).env("MCP_PROGRAM", program);
    let tests = process::run(&mut tests, LIMIT, &work.folder.join("test"))?;
    bindings::count(stage, &tests);
    stage.tally.check("the client of the page", work.says("Hello", &[&server], &["echo: ", "\nHello\n"]));
    let server = [work.mono.display().to_string(), work.program("ServerExample").display().to_string()];
    let result = work.says("ClientExample", &server.each_ref().map(String::as_str), &SAYS);
    stage.tally.check("the client example with the server example", result);
    Ok(())
}

struct Work {
    mcs: PathBuf,
    mono: PathBuf,
    /// Where the programs are, beside the assembly and the library.
    folder: PathBuf,
}

impl Work {
    fn program(&self, name: &str) -> PathBuf {
        self.folder.join(format!("{name}.exe"))
    }

    fn command(&self, name: &str, arguments: &[&str]) -> Command {
        let mut command = Command::new(&self.mono);
        command.arg("--debug").arg(self.program(name)).args(arguments).current_dir(&self.folder);
        command
    }

    fn compile_all(&self, checkout: &Checkout) -> Result<(), String> {
        let sources = |folder: &str| checkout.files(&format!("bindings/csharp/{folder}"), "cs");
        self.compile(&["-target:library", "-out:Libmcp.dll", "-doc:Libmcp.xml"], &sources("src"))?;
        let (tests, alone): (Vec<_>, Vec<_>) =
            sources("tests").into_iter().partition(|it| it.to_string_lossy().ends_with("Tests.cs"));
        self.compile(&["-r:Libmcp.dll", "-out:Tests.exe"], &tests)?;
        let page = read(&checkout.root.join("bindings/csharp/README.md"))?;
        let mut programs = [alone, sources("examples")].concat();
        for (heading, name) in SHOWN {
            let source = self.folder.join(format!("{name}.cs"));
            let start = format!("{heading}\n\n```csharp\n");
            let text = page.split_once(&start).and_then(|(_, rest)| rest.split_once("```"));
            write(&source, text.ok_or_else(|| format!("README.md shows no program below {heading}"))?.0)?;
            programs.push(source);
        }
        programs.iter().try_for_each(|source| self.compile(&["-r:Libmcp.dll"], std::slice::from_ref(source)))
    }

    fn compile(&self, options: &[&str], sources: &[PathBuf]) -> Result<(), String> {
        let mut command = Command::new(&self.mcs);
        command.current_dir(&self.folder).args(["-warnaserror", "-langversion:7", "-debug"]).args(options);
        if let ([source], false) = (sources, options.iter().any(|it| it.starts_with("-out"))) {
            let name = source.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            command.arg(format!("-out:{}", self.program(&name).display()));
        }
        process::run(command.args(sources), LIMIT, &self.folder.join("mcs"))?.done()
    }

    fn says(&self, name: &str, arguments: &[&str], words: &[&str]) -> Result<(), String> {
        let log: &Path = &self.folder.join(name.to_lowercase());
        process::run(&mut self.command(name, arguments), LIMIT, log)?.says(words)
    }
}
