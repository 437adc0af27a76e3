//! The libraries of the package, as the files say: `readelf` and `nm` are asked, not the flags that made them.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use super::Stage;
use crate::checkout::{Checkout, read};
use crate::dist::{self, Made, Wish};
use crate::machine::{NM, READELF};
use crate::process;
use crate::symbols;

const LIMIT: Duration = Duration::from_secs(60);

/// What rustc names for the static library on Linux with glibc. A crate that adds to this list adds a library to every
/// program that links libmcp.a; then it belongs here and into CMakeLists.txt.
const NATIVE: &str = "-lgcc_s -lutil -lrt -lpthread -lm -ldl -lc";

/// What the shared library may need of a system. `ld-linux` is the loader itself; the C library is `libc.so.6`, or `libc.so` of musl.
const MAY_NEED: [&str; 4] = ["libc.so", "libgcc_s.so.1", "libm.so.6", "ld-linux"];

pub fn run(stage: &mut Stage) -> Result<(), String> {
    if !cfg!(target_os = "linux") {
        stage.tally.skip("the package's libraries", "they are made on Linux only, so far");
        return Ok(());
    }
    let what = "the package's libraries";
    let (Some(nm), Some(readelf)) = (stage.tally.need(&NM, what), stage.tally.need(&READELF, what)) else {
        return Ok(());
    };
    let to = stage.checkout.scratch("dist")?.join("tree").display().to_string();
    let made = dist::make(stage.checkout, &Wish::read(stage.checkout, &["--to", &to, "--no-tarball"])?)?;
    let shared = made.tree.join("lib").join(made.version.file());
    let archive = made.tree.join("lib/libmcp.a");

    let ask = |tool: &Path, arguments: &[&str], file: &Path| -> Result<String, String> {
        let mut command = Command::new(tool);
        process::run(command.args(arguments).arg(file), LIMIT, &made.tree.join("../asked"))?.text()
    };
    let listed = read(&stage.checkout.exports())?;
    let script = symbols::version_script(stage.checkout)?;
    let tally = &mut stage.tally;

    let exported = ask(&nm, &["-D", "--defined-only"], &shared)?;
    tally.check(
        "the shared library exports the functions of the API, each in its version, and nothing else",
        same(&versioned(&exported), &expected(&script)),
    );
    let global = ask(&nm, &["-g", "--defined-only"], &archive)?;
    let listed: BTreeSet<String> = listed.lines().map(str::to_owned).collect();
    tally.check(
        "the static library shows the functions of the API and nothing else",
        same(&names(&global), &listed),
    );
    let dynamic = ask(&readelf, &["-dW"], &shared)?;
    let segments = ask(&readelf, &["-lW"], &shared)?;
    for (name, result) in looks(&dynamic, &segments, &made.version.soname()) {
        tally.check(name, result);
    }
    tally.check("libmcp.so and the SONAME lead to the library", links(&made));
    let native = made.native.join(" ");
    tally.check(
        "a program that links the static library needs what is written down",
        if native == NATIVE { Ok(()) } else { Err(format!("rustc says {native}, written down is {NATIVE}")) },
    );
    let result = cmake_agrees(&read(&stage.checkout.root.join("CMakeLists.txt"))?);
    stage.tally.check("CMakeLists.txt names the same libraries", result);
    for file in [&shared, &archive] {
        let name =
            format!("{} names no folder of this machine", file.file_name().unwrap_or_default().display());
        let result = names_no_folder(stage.checkout, file);
        stage.tally.check(&name, result);
    }
    Ok(())
}

/// `mcp_call@@MCP_0.1` for each function that nm shows; the versions themselves are symbols too.
pub fn versioned(nm: &str) -> BTreeSet<String> {
    names(nm).into_iter().filter(|name| name.contains('@')).collect()
}

pub fn names(nm: &str) -> BTreeSet<String> {
    let symbols = nm.lines().filter(|line| !line.ends_with(':') && !line.contains(" A MCP_"));
    symbols.filter_map(|line| line.split_whitespace().last().map(str::to_owned)).collect()
}

/// What the version script asks for.
pub fn expected(script: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let mut node = "";
    for line in script.lines() {
        if let Some(name) = line.strip_suffix(" {") {
            node = name;
        } else if let Some(symbol) = line.trim().strip_suffix(';').filter(|it| it.starts_with("mcp_")) {
            found.insert(format!("{symbol}@@{node}"));
        }
    }
    found
}

pub fn same(found: &BTreeSet<String>, wanted: &BTreeSet<String>) -> Result<(), String> {
    let missing = wanted.difference(found).map(|name| format!("{name} is missing"));
    let foreign = found.difference(wanted).map(|name| format!("{name} should not be there"));
    let wrong: Vec<String> = missing.chain(foreign).take(20).collect();
    match (wrong.is_empty(), wanted.is_empty()) {
        (true, false) => Ok(()),
        (_, true) => Err("there is nothing to compare with".to_owned()),
        (false, false) => Err(wrong.join("\n")),
    }
}

/// The table by which the frames of a panic are found: that of 32-bit ARM has a name of its own.
pub const FRAMES: [&str; 2] = ["GNU_EH_FRAME", "EXIDX"];

/// What the file says about itself: its dynamic section and its segments.
pub fn looks(dynamic: &str, segments: &str, soname: &str) -> Vec<(&'static str, Result<(), String>)> {
    let has = |text: &str, what: &str| match text.contains(what) {
        true => Ok(()),
        false => Err(format!("it has no {what}")),
    };
    let lacks = |text: &str, what: &str| match text.contains(what) {
        true => Err(format!("it has {what}")),
        false => Ok(()),
    };
    let stack = match segments.lines().find(|line| line.contains("GNU_STACK")) {
        Some(line) if !line.contains("RWE") => Ok(()),
        Some(line) => Err(line.trim().to_owned()),
        None => Err("it does not say that its stack is for data only".to_owned()),
    };
    let writable_code = segments.lines().find(|line| line.contains("LOAD") && line.contains("RWE"));
    let needs: Vec<&str> = dynamic
        .lines()
        .filter(|line| line.contains("(NEEDED)"))
        .filter_map(|line| line.split(['[', ']']).nth(1))
        .filter(|library| !MAY_NEED.iter().any(|known| library.starts_with(known)))
        .collect();
    let frames = match FRAMES.iter().any(|name| segments.contains(name)) {
        true => Ok(()),
        false => Err(format!("it has no {}", FRAMES.join(" or "))),
    };
    vec![
        ("its SONAME is right", has(dynamic, &format!("soname: [{soname}]"))),
        ("dlclose leaves it in place", has(dynamic, "NODELETE")),
        ("its relocations are done at the start", has(dynamic, "NOW")),
        ("and are read-only from then on", has(segments, "GNU_RELRO")),
        ("the frames of a panic are found by a table", frames),
        ("its stack cannot be executed", stack),
        (
            "no segment can be written and executed",
            match writable_code {
                None => Ok(()),
                Some(line) => Err(line.trim().to_owned()),
            },
        ),
        ("its code is not relocated", lacks(dynamic, "TEXTREL")),
        (
            "it looks for nothing in folders of its own",
            lacks(dynamic, "RPATH").and(lacks(dynamic, "RUNPATH")),
        ),
        (
            "it needs nothing but the C library",
            match needs.is_empty() {
                true => Ok(()),
                false => Err(format!("it needs {}", needs.join(", "))),
            },
        ),
    ]
}

fn links(made: &Made) -> Result<(), String> {
    let folder = made.tree.join("lib");
    for (link, to) in
        [("libmcp.so".to_owned(), made.version.soname()), (made.version.soname(), made.version.file())]
    {
        let found = std::fs::read_link(folder.join(&link)).map_err(|error| format!("{link}: {error}"))?;
        if found != Path::new(&to) {
            return Err(format!("{link} leads to {}, not to {to}", found.display()));
        }
    }
    Ok(())
}

/// The compilers link `libgcc_s` and libc by themselves.
fn cmake_agrees(lists: &str) -> Result<(), String> {
    let wanted: Vec<&str> = NATIVE.split(' ').filter(|it| *it != "-lgcc_s" && *it != "-lc").collect();
    let wanted = format!("INTERFACE_LINK_LIBRARIES \"{}\"", wanted.join(";"));
    if lists.contains(&wanted) { Ok(()) } else { Err(format!("CMakeLists.txt lacks {wanted}")) }
}

/// Whether a file is the same wherever it is made.
pub fn names_no_folder(checkout: &Checkout, file: &Path) -> Result<(), String> {
    let bytes = std::fs::read(file).map_err(|error| format!("cannot read {}: {error}", file.display()))?;
    let mut folders = vec![checkout.root.display().to_string()];
    folders.extend(std::env::var("HOME").ok().filter(|home| home.len() > 1));
    for folder in folders {
        let folder = format!("{folder}/");
        if let Some(at) = bytes.windows(folder.len()).position(|window| window == folder.as_bytes()) {
            let end =
                bytes[at..].iter().position(|byte| !byte.is_ascii_graphic()).map_or(at + 80, |end| at + end);
            return Err(String::from_utf8_lossy(&bytes[at..end.min(at + 160)]).into_owned());
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::{expected, looks, same, versioned};

    #[test]
    fn versions_of_symbols_are_compared() {
        let script = "MCP_0.1 {\n  global:\n    mcp_a;\n  local:\n    *;\n};\nMCP_0.2 {\n  global:\n    mcp_b;\n} MCP_0.1;\n";
        let nm = "0000 A MCP_0.1\n0010 T mcp_a@@MCP_0.1\n0020 T mcp_b@@MCP_0.1\n";
        let error = same(&versioned(nm), &expected(script)).err().unwrap_or_default();
        assert_eq!(error, "mcp_b@@MCP_0.2 is missing\nmcp_b@@MCP_0.1 should not be there");
        assert!(same(&BTreeSet::new(), &BTreeSet::new()).is_err());
    }

    #[test]
    fn a_soft_library_is_found_out() {
        let dynamic = "(NEEDED) Shared library: [libc.so.6]\n(NEEDED) Shared library: [libssl.so.3]\n(TEXTREL) 0x0\n\
                       Library soname: [libmcp.so.0]\nFlags: NOW NODELETE\n";
        let segments = "  LOAD 0x0 R E 0x1000\n  GNU_STACK 0x0 RWE 0x10\n  GNU_RELRO 0x0 R 0x1\n  GNU_EH_FRAME 0x0 R 0x4\n";
        let wrong: Vec<&str> = looks(dynamic, segments, "libmcp.so.0")
            .into_iter()
            .filter_map(|(name, result)| result.is_err().then_some(name))
            .collect();
        assert_eq!(
            wrong,
            [
                "its stack cannot be executed",
                "its code is not relocated",
                "it needs nothing but the C library"
            ]
        );
    }
}
