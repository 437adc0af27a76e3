//! What a call costs from the start of the program to its end: the processor time of `mcp call` beside that of the bare C program
//! (`examples/c/quickstart.c`), which does the same. Processor time, because a machine that does other work at the same time takes
//! longer, and not more of it.

use std::path::{Path, PathBuf};
use std::process::Command;

use super::{LIMIT, Scene, succeeded};
use crate::checkout::read;
use crate::compiler;
use crate::machine::CC;
use crate::process;
use crate::test::Stage;

/// Each program as often, in turns, so that both have the same from the machine.
const ROUNDS: u32 = 60;
/// What the program may take for each hundredth of what the C program takes.
const MOST: u64 = 150;

pub fn run(stage: &mut Stage, scene: &Scene) {
    let what = "a call costs at most 1.5 times what the C program costs";
    if !cfg!(target_os = "linux") {
        stage.tally.skip(what, "the time is read from /proc, which Linux has");
        return;
    }
    if stage.tally.need(&CC, what).is_none() {
        return;
    }
    let source = stage.checkout.root.join("examples/c/quickstart.c");
    let program = compiler::program(stage.checkout, &scene.built, &source, "cli-cost");
    let result = program.and_then(|program| compared(scene, &program));
    stage.tally.check(what, result);
}

fn compared(scene: &Scene, bare: &Path) -> Result<(), String> {
    let server = &scene.built.example_server;
    let (mut of_bare, mut of_program) = (0, 0);
    for _ in 0..ROUNDS {
        let mut command = Command::new(bare);
        scene.isolate(&mut command);
        of_bare += taken(scene, command.arg(server))?;
        let mut command = scene.command();
        command.arg("call").arg(server);
        of_program += taken(scene, command.args(["echo", "text=Hello from C"]))?;
    }
    println!("  {ROUNDS} calls: {of_program} ticks of the processor, the C program {of_bare}");
    if of_bare == 0 {
        return Err("the C program took no time, so that nothing was measured".to_owned());
    }
    if of_program * 100 <= of_bare * MOST { Ok(()) } else { Err(format!("{of_program} for {of_bare}")) }
}

/// Runs a program that says hello; gives the ticks of the processor that it and its server took.
fn taken(scene: &Scene, command: &mut Command) -> Result<u64, String> {
    let before = of_children()?;
    let finished = succeeded(process::run(command, LIMIT, &scene.folder.join("cost"))?)?;
    if !finished.stdout.contains("Hello from C") {
        return Err(finished.story());
    }
    Ok(of_children()? - before)
}

/// The processor time of all processes that this one has waited for, and that these have.
fn of_children() -> Result<u64, String> {
    let stat = read(&PathBuf::from("/proc/self/stat"))?;
    // Behind the name of the program, which may have spaces, the state is the first; `cutime` and `cstime` are fields 16 and 17.
    let fields: Vec<&str> = stat.rsplit(')').next().unwrap_or_default().split_whitespace().collect();
    let field = |at: usize| fields.get(at).and_then(|text| text.parse::<u64>().ok());
    field(13).zip(field(14)).map(|(user, system)| user + system).ok_or_else(|| format!("no times in {stat}"))
}
