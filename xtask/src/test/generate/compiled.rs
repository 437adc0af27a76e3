//! Compilers and type checkers on the generated code, without a warning; each language's program of the differential test.

use std::path::{Path, PathBuf};
use std::process::Command;

use super::differential::{self, Programs, Tools};
use super::swift::{self, MODULES, Swift};
use super::{Scene, need};
use crate::checkout::{entries, folder_at, read, write};
use crate::machine::{CLANGXX, GCC, GO, NODE, NPM, PKG_CONFIG, PYTHON};
use crate::test::{Stage, node, python};

pub fn run(stage: &mut Stage, scene: &Scene, swift: Option<&Swift>) -> Result<(), String> {
    let Some(_) = need(stage, &PYTHON, "the types of generated Python, and values through all languages")
    else {
        return Ok(());
    };
    let (python, binding) = python::installed(stage.checkout, &scene.built)?;
    let names = if stage.options.deep {
        modules(&scene.folder.join("swift"))?
    } else {
        MODULES.map(str::to_owned).to_vec()
    };
    let mut prepare = Command::new(&python);
    prepare
        .arg(scene.root.join("tests/generate/prepare.py"))
        .arg(&scene.corpus)
        .arg(&scene.folder)
        .args(&names);
    scene.run("prepare", &mut prepare)?;

    let mut programs = Programs::default();
    stage.tally.check("mypy --strict has nothing to say", mypy(scene, &python, &binding));
    programs.add("python", format!("'{}' python-harness.py ./echo echo-tools", python.display()));
    if let Some(gcc) = need(stage, &GCC, "generated C") {
        let made = c(scene, &gcc);
        if made.is_ok() {
            programs.add("c", "./c-harness");
        }
        stage.tally.check("C compiles with -Wall -Wextra -Werror", made);
    } else {
        programs.is_short = true;
    }
    let Some(clang) = need(stage, &CLANGXX, "generated C++, and values through all languages") else {
        return Ok(());
    };
    let made = cpp(scene, &clang);
    if made.is_ok() {
        programs.add("cpp", "./cpp-harness");
    }
    stage.tally.check("C++ compiles with -Wall -Wextra -Werror", made);
    if let (Some(go), Some(_)) = (need(stage, &GO, "generated Go"), need(stage, &PKG_CONFIG, "generated Go"))
    {
        let made = go_code(scene, &go);
        if made.is_ok() {
            programs.add("go", "./go-harness");
        }
        stage.tally.check("go vet has nothing to say", made);
    } else {
        programs.is_short = true;
    }
    if let (Some(node), Some(_)) =
        (need(stage, &NODE, "generated TypeScript"), need(stage, &NPM, "generated TypeScript"))
    {
        let package = node::package(stage.checkout, &scene.built)?;
        let made = typescript(scene, &node, &package);
        if made.is_ok() {
            let node = node.display();
            programs.add("typescript", format!("'{node}' typescript/out/harness.js ./echo echo-tools"));
            programs.types =
                Some(format!("'{node}' '{}/node_modules/typescript/bin/tsc'", package.display()));
        }
        stage.tally.check("tsc --strict has nothing to say", made);
    } else {
        programs.is_short = true;
    }
    match swift {
        Some(swift) => {
            if let Some(command) = swift::compiled(stage, scene, swift, &names)? {
                programs.add("swift", command);
            }
        }
        None => programs.is_short = true,
    }
    let with = Tools { python: &python, binding: &binding, clang: &clang };
    differential::run(stage, scene, &with, &programs, &names)
}

/// The modules in a folder, by their names.
fn modules(folder: &Path) -> Result<Vec<String>, String> {
    let modules = entries(folder)?.into_iter().filter(|path| path.join("manifest.json").is_file());
    Ok(modules.map(|path| path.file_name().unwrap_or_default().to_string_lossy().into_owned()).collect())
}

fn mypy(scene: &Scene, python: &Path, binding: &Path) -> Result<(), String> {
    let folder = scene.folder.join("python");
    write(&scene.folder.join("mypy.ini"), "[mypy]\n[mypy-libmcp.*]\nfollow_imports = silent\n")?;
    let mut command = Command::new(python);
    command.args([
        "-m",
        "mypy",
        "--strict",
        "--config-file",
        "../mypy.ini",
        "--cache-dir",
        "../mypy-cache",
        ".",
    ]);
    command.current_dir(&folder).env("MYPYPATH", binding);
    scene.run("mypy", &mut command)
}

fn c(scene: &Scene, gcc: &Path) -> Result<(), String> {
    let folder = scene.folder.join("c");
    let mut command = Command::new("sh");
    command.args(["-c", "exec \"$0\" -std=c11 -Wall -Wextra -Werror -I. \"$@\" harness.c */*.c"]).arg(gcc);
    // Link options stand behind the sources where they are left to the linker; -Wl,--no-as-needed keeps the library.
    command.arg("-I").arg(scene.root.join("include")).arg("-Wl,--no-as-needed").args(scene.links());
    command.arg("-o").arg(scene.folder.join("c-harness")).current_dir(&folder);
    scene.run("gcc", &mut command)
}

fn cpp(scene: &Scene, clang: &Path) -> Result<(), String> {
    let mut command = Command::new(clang);
    command.args(["-std=c++17", "-Wall", "-Wextra", "-Werror", "-I.", "harness.cpp", "-I"]);
    command
        .arg(scene.root.join("include"))
        .args(scene.links())
        .arg("-o")
        .arg(scene.folder.join("cpp-harness"));
    scene.run("clang++", command.current_dir(scene.folder.join("cpp")))
}

/// The module of the generated code, which takes the binding from this checkout, and what that needs as it is pinned there.
pub fn go_module(scene: &Scene, folder: &Path) -> Result<(), String> {
    let binding = scene.root.join("bindings/go");
    let own = read(&binding.join("go.mod"))?;
    let (module, requires) = own.split_once('\n').ok_or("bindings/go/go.mod is empty")?;
    let module = module.strip_prefix("module ").ok_or("bindings/go/go.mod does not begin with its module")?;
    let text = format!(
        "module generated\n{requires}\nrequire {module} v0.0.0\n\nreplace {module} => {}\n",
        binding.display()
    );
    write(&folder.join("go.mod"), &text)?;
    write(&folder.join("go.sum"), &read(&binding.join("go.sum"))?)
}

fn go_code(scene: &Scene, go: &Path) -> Result<(), String> {
    let folder = scene.folder.join("go");
    go_module(scene, &folder)?;
    scene.run("go-vet", Command::new(go).args(["vet", "./..."]).current_dir(&folder))?;
    let mut build = Command::new(go);
    build.args(["build", "-o", "../go-harness", "./harness"]).current_dir(&folder);
    scene.run("go-build", &mut build)
}

/// A project that has the binding among its packages, and what the compiler is told. `package` is the binding with the packages that
/// it is developed with; the compiler and Node.js look for what these need from where they are.
pub fn typescript_project(folder: &Path, package: &Path, more: &str) -> Result<(), String> {
    let modules = folder.join("node_modules");
    folder_at(&modules)?;
    for (name, to) in [("libmcp", package.to_path_buf()), ("@types", package.join("node_modules/@types"))] {
        let link = modules.join(name);
        // There may be one of an earlier run.
        let _ = std::fs::remove_file(&link);
        std::os::unix::fs::symlink(&to, &link)
            .map_err(|error| format!("cannot link {}: {error}", link.display()))?;
    }
    write(
        &folder.join("tsconfig.json"),
        &format!(
            "{{\"compilerOptions\":{{\"strict\":true,\"noUnusedLocals\":true,\"noImplicitReturns\":true,\"target\":\"es2022\",\
             \"lib\":[\"es2023\",\"esnext.disposable\"],\"module\":\"nodenext\",\"types\":[\"node\"],{more}}},\
             \"include\":[\"*.ts\",\"*/*.ts\"],\"exclude\":[\"node_modules\"]}}"
        ),
    )
}

pub fn tsc(scene: &Scene, node: &Path, package: &Path, folder: &Path) -> Result<(), String> {
    let mut command = Command::new(node);
    command.arg(package.join("node_modules/typescript/bin/tsc")).args(["-p", "."]).current_dir(folder);
    scene.run("tsc", &mut command)
}

fn typescript(scene: &Scene, node: &Path, package: &Path) -> Result<(), String> {
    let folder: PathBuf = scene.folder.join("typescript");
    typescript_project(&folder, package, "\"outDir\":\"out\"")?;
    tsc(scene, node, package, &folder)
}
