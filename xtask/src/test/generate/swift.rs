//! Generated Swift: compiled without a warning, as modules of their own; the programs that use them. The compiler may be one in a chroot.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::time::{Duration, Instant};

use super::{LIMIT, Scene};
use crate::checkout::{folder_at, read};
use crate::test::Stage;
use crate::test::swift::{self, Work, quoted};

/// The modules of every run that take part in the differential test: two recorded servers and the odd schemas. With `--deep` all do.
pub const MODULES: [&str; 3] = ["odd", "github", "everything"];
/// What is checked only: the hostile names, whose types are all alike.
const CHECKED: &str = "hostile";
const COMPILE: Duration = Duration::from_secs(1200);
/// Each module has types of the same names; a word before its name keeps it apart from a module that it imports.
const OPTIONS: &str = "-swift-version 6 -warnings-as-errors -module-cache-path modules";

/// The toolchain, and the folder with compiled modules.
pub struct Swift {
    work: Rc<Work>,
    pub folder: PathBuf,
}

impl Swift {
    pub fn find(stage: &mut Stage, scene: &Scene) -> Result<Option<Self>, String> {
        let Some(work) = swift::package(stage, "generated Swift")? else { return Ok(None) };
        Ok(Some(Self { work: Rc::new(work), folder: scene.folder.join("swift-compiled") }))
    }

    /// The same with another folder for what it compiles.
    pub fn at(&self, folder: PathBuf) -> Swift {
        Swift { work: Rc::clone(&self.work), folder }
    }

    /// What a program says that was compiled here.
    pub fn say(&self, program: &Path, words: &[String]) -> Result<String, String> {
        let words: Vec<String> = words.iter().map(|it| word(it)).collect();
        self.output(&format!("exec {} {}", quoted(program), words.join(" ")))
    }

    /// The same without arguments, for a program that finds a broker at a socket.
    pub fn behind(&self, program: &Path, socket: &str) -> Result<String, String> {
        self.output(&format!("MCP_SOCKET={} exec {}", word(socket), quoted(program)))
    }

    fn output(&self, script: &str) -> Result<String, String> {
        self.work.run("generated-live", script, LIMIT)?.text()
    }

    /// Compiles folders of a folder as modules, two at a time; gives how each went. What is only checked has no code, and takes half
    /// the time.
    pub fn modules(
        &self,
        from: &Path,
        compiled: &[String],
        checked: &[String],
    ) -> Result<Vec<Result<(), String>>, String> {
        folder_at(&self.folder)?;
        let all = || checked.iter().chain(compiled);
        let right = |name: &String| self.folder.join(format!("{name}.right"));
        for name in all() {
            // There may be one of an earlier run.
            let _ = std::fs::remove_file(right(name));
        }
        let swiftc = format!("swiftc {OPTIONS} {}", self.work.imports());
        let mut script = format!(
            "cd {}\n\
             check() {{ {swiftc} -module-name made_$1 -typecheck \"$2\"/$1/*.swift; }}\n\
             compile() {{ {swiftc} -module-name made_$1 -wmo -parse-as-library -emit-module \
             -emit-module-path made_$1.swiftmodule -c -o $1.o \"$2\"/$1/*.swift; }}\n\
             one() {{ $1 $2 \"$3\" >$2.log 2>&1 && touch $2.right; }}\n\
             export -f check compile one\n(",
            quoted(&self.folder),
        );
        for (how, names) in [("check", checked), ("compile", compiled)] {
            for name in names {
                let _ = writeln!(script, "echo {how} {name}");
            }
        }
        // How each went is told by its file.
        let _ = writeln!(script, ") | xargs -P 2 -n 2 bash -c 'one $1 $2 \"$0\"' {} || true", quoted(from));
        let finished = self.work.run("generated", &script, COMPILE)?;
        let how = |name: &String| {
            if right(name).is_file() {
                return Ok(());
            }
            let said = read(&self.folder.join(format!("{name}.log"))).unwrap_or_default();
            Err(format!("{said}\n{}", finished.story()))
        };
        Ok(all().map(how).collect())
    }

    /// Compiles a program of one file with these modules.
    pub fn program(&self, source: &Path, modules: &[String], into: &Path) -> Result<(), String> {
        let objects: Vec<String> = modules.iter().map(|name| format!("{name}.o")).collect();
        let script = format!(
            "cd {}\nswiftc {OPTIONS} {} -I . {} {} {} -o {}",
            quoted(&self.folder),
            self.work.imports(),
            quoted(source),
            objects.join(" "),
            self.work.links(),
            quoted(into),
        );
        self.work.run("generated-program", &script, COMPILE)?.done()
    }
}

/// Compiles the modules, and the program of the differential test with them; gives how that is started.
pub fn compiled(
    stage: &mut Stage,
    scene: &Scene,
    swift: &Swift,
    names: &[String],
) -> Result<Option<String>, String> {
    let began = Instant::now();
    let checked: Vec<String> =
        [CHECKED.to_owned()].into_iter().filter(|name| !names.contains(name)).collect();
    let results = swift.modules(&scene.folder.join("swift"), names, &checked)?;
    let is_right = results.iter().all(Result::is_ok);
    for (name, result) in checked.iter().chain(names).zip(results) {
        stage.tally.check(&format!("Swift compiles without a warning: {name}"), result);
    }
    if !is_right {
        return Ok(None);
    }
    let program = swift.folder.join("harness");
    swift.program(&scene.folder.join("swift-harness.swift"), names, &program)?;
    println!("  {} modules of Swift were compiled in {} s", names.len(), began.elapsed().as_secs());
    Ok(Some(swift.work.line(&format!("exec {}", quoted(&program)))))
}

/// A word of bash.
fn word(text: &str) -> String {
    quoted(Path::new(text))
}
