//! The Go module as it is published, with the archives for other processors and musl: programs are built with it and run. Needs no header
//! and library but the module's.

use std::path::PathBuf;
use std::process::Command;
use std::time::Duration;

use super::Shop;
use crate::checkout::{cleared, copy, folder_at};
use crate::machine::GO;
use crate::natives::Native;
use crate::test::Stage;
use crate::{go_module, process};

const LIMIT: Duration = Duration::from_secs(600);

/// How a program for musl is linked statically. Go lets a module ask for few options of the linker, and not for this one.
const STATIC: &str = "-ldflags '-linkmode external -extldflags \"-static -Wl,--eh-frame-hdr\"'";

/// Builds and runs a program for each system for which there are archives; with every test only for arm64 with glibc, because Go's own
/// library is compiled for each.
pub fn check(stage: &mut Stage, shops: &[Shop]) -> Result<(), String> {
    let shops: Vec<(&Shop, (&str, &str))> = shops
        .iter()
        .filter(|shop| stage.options.deep || !shop.target.is_musl())
        .filter_map(|shop| Some((shop, shop.target.packages.as_ref()?.go)))
        .collect();
    if shops.is_empty() {
        return Ok(());
    }
    let Some(go) = stage.tally.need(&GO, "the Go module for other Linux systems") else { return Ok(()) };
    let folder = stage.checkout.scratch("linux-targets")?.join("go");
    let work = Work { go, folder: cleared(&folder)? };
    work.module(stage, &shops)?;
    for (shop, (_, processor)) in shops {
        stage.tally.check(
            &format!("{}: a Go program with the module's archive calls a server", shop.target.triple),
            work.program(shop, processor, ""),
        );
        if shop.target.is_musl() {
            stage.tally.check(
                &format!("{}: the same program, static throughout", shop.target.triple),
                work.program(shop, processor, STATIC),
            );
        }
    }
    Ok(())
}

struct Work {
    go: PathBuf,
    folder: PathBuf,
}

impl Work {
    /// Writes the module, and a program that has it vendored.
    fn module(&self, stage: &Stage, shops: &[(&Shop, (&str, &str))]) -> Result<(), String> {
        let module = self.folder.join("module");
        let archives: Vec<Native> = shops
            .iter()
            .map(|(shop, (platform, _))| Native {
                platform: (*platform).to_owned(),
                file: shop.prefix.join("lib/libmcp.a"),
            })
            .collect();
        go_module::write_module(stage.checkout, &module, &archives)?;
        let user = self.folder.join("user");
        folder_at(&user)?;
        copy(&stage.checkout.root.join("tests/go/published/main.go"), &user.join("main.go"))?;
        let replaced = format!("-replace={}={}", go_module::MODULE, module.display());
        for words in [
            &["mod", "init", "example.com/user"][..],
            &["mod", "edit", &replaced],
            &["mod", "tidy"],
            &["mod", "vendor"],
        ] {
            let make = || {
                let mut command = Command::new(&self.go);
                command.args(words).current_dir(&user);
                command
            };
            let mut command = make();
            let finished = process::run(&mut command, LIMIT, &self.folder.join("log"))?;
            if !finished.succeeded() {
                return Err(format!("go {}: {}", words.join(" "), finished.story()));
            }
        }
        Ok(())
    }

    fn program(&self, shop: &Shop, processor: &str, options: &str) -> Result<(), String> {
        let finished =
            process::run(Command::new(&self.go).args(["env", "GOROOT"]), LIMIT, &self.folder.join("log"))?;
        let root = PathBuf::from(finished.stdout.trim());
        let tags = if shop.target.is_musl() { "-tags mcp_musl" } else { "" };
        let program = self.folder.join(shop.target.triple);
        let (folder, program) = (self.folder.display(), program.display());
        let script = format!(
            "export CGO_ENABLED=1 GOARCH={processor} CC={} GOCACHE='{folder}/cache' GOFLAGS='-mod=vendor -buildvcs=false' PKG_CONFIG=false\n\
             cd '{folder}/user'; '{}/bin/go' build {tags} {options} -o '{program}' .; exec timeout -k 5 60 {} '{program}'",
            shop.target.cc,
            root.display(),
            shop.target.runner()
        );
        let mut command = shop.workshop.command(shop.target, &script, &[&root]);
        let finished = process::run(&mut command, LIMIT, &self.folder.join(shop.target.triple))?;
        let works = finished.succeeded() && finished.stdout.starts_with("hello from ");
        if works { Ok(()) } else { Err(finished.story()) }
    }
}
