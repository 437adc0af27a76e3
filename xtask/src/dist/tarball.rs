//! The files of the tree as one file, with its checksum; what else is below the prefix stays out of it. Two builds of one commit
//! give the same bytes: the names are sorted, the time is the commit's, and the owner is 0.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use super::wish::Wish;
use crate::checkout::{Checkout, write};
use crate::machine::{SHA256SUM, TAR};
use crate::process;

/// A library without optimization is large, and a machine that tests does other things too.
const LIMIT: Duration = Duration::from_secs(600);

pub fn pack(checkout: &Checkout, wish: &Wish, files: &[String], work: &Path) -> Result<PathBuf, String> {
    let name = wish
        .tree
        .file_name()
        .ok_or_else(|| format!("{} has no name for the tarball", wish.tree.display()))?
        .to_string_lossy()
        .into_owned();
    let folder = wish.tree.parent().map(PathBuf::from).unwrap_or_default();
    let file = format!("{name}.tar.gz");
    let log = work.join("tar");
    let list = work.join("names");
    let named: Vec<String> = files.iter().map(|path| format!("{name}/{path}")).collect();
    write(&list, &(named.join("\n") + "\n"))?;

    let mut tar = Command::new(TAR.find()?);
    tar.current_dir(&folder).arg("--create").arg("--file").arg(&file);
    tar.args(["--owner=0", "--group=0", "--numeric-owner", "--format=gnu", "--mode=go=rX,u+rw,a-s"]);
    // gzip would write the time into its header; -n leaves it out.
    tar.arg(format!("--mtime=@{}", time(checkout)?)).args(["--use-compress-program", "gzip -9n"]);
    tar.arg("--no-recursion").arg("--verbatim-files-from").arg("--files-from").arg(&list);
    let finished = process::run(&mut tar, LIMIT, &log)?;
    if !finished.succeeded() {
        return Err(format!("cannot pack {file}: {}", finished.story()));
    }
    let mut sums = Command::new(SHA256SUM.find()?);
    let finished = process::run(sums.current_dir(&folder).arg(&file), LIMIT, &log)?;
    if !finished.succeeded() {
        return Err(format!("cannot sum up {file}: {}", finished.story()));
    }
    write(&folder.join(format!("{file}.sha256")), &finished.stdout)?;
    Ok(folder.join(file))
}

/// The time that every file gets: `SOURCE_DATE_EPOCH`, or the commit's, or none.
pub fn time(checkout: &Checkout) -> Result<String, String> {
    if let Ok(given) = std::env::var("SOURCE_DATE_EPOCH") {
        return given
            .parse::<u64>()
            .map(|seconds| seconds.to_string())
            .map_err(|_| format!("SOURCE_DATE_EPOCH={given} is not a number of seconds"));
    }
    let mut git = Command::new("git");
    git.args(["log", "-1", "--format=%ct"]).current_dir(&checkout.root);
    match git.output() {
        Ok(output) if output.status.success() => {
            Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned())
        }
        // Sources that came without git have no commit.
        _ => Ok("0".to_owned()),
    }
}
