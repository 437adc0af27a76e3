//! Files that change, for `mcp dev`: what is watched, and what is done then.
//!
//! Times and sizes are looked at a few times a second. That costs a millisecond for hundreds of files, works on every file system, also
//! those of containers and networks that tell nothing, and needs no crate.

use super::records::Records;
use super::served::Served;
use crate::arguments::Dev;
use crate::failure::Failure;
use crate::output::{Screen, one_line};
use mcp::client::json_text::quote;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::io::{Read as _, Seek as _, SeekFrom};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime};

/// How often files are looked at, and how long they must be as they are: editors and compilers write in several steps.
const LOOK: Duration = Duration::from_millis(100);
const REST: Duration = Duration::from_millis(200);
/// A file that changes so soon after each of so many starts is written by the server.
const SOON: Duration = Duration::from_secs(2);
const STARTS: usize = 3;
/// The most files that are looked at, and the deepest folder.
const FILES: usize = 20_000;
const DEPTH: usize = 20;
/// What is read of a `.gitignore`, and shown of what a build writes.
const MOST_BYTES: u64 = 64 << 10;
/// Folders with what others made.
const SKIPPED: [&str; 5] = ["node_modules", "target", "__pycache__", "build", "dist"];

/// What is known of a file.
type Seen = BTreeMap<PathBuf, (Option<SystemTime>, u64)>;

/// What is watched.
#[derive(Debug)]
pub struct Watched {
    root: PathBuf,
    globs: Vec<String>,
    /// The program, and files among its words.
    files: Vec<PathBuf>,
    build: Option<Vec<String>>,
}

/// What a build came to.
#[derive(Debug)]
struct Built {
    is_good: bool,
    output: String,
}

impl Watched {
    pub fn new(dev: &Dev) -> Result<Watched, Failure> {
        let root = std::env::current_dir()
            .map_err(|error| Failure::machine(format!("the current folder cannot be found: {error}")))?;
        let build = match &dev.build {
            None => None,
            Some(line) => Some(shlex::split(line).filter(|words| !words.is_empty()).ok_or_else(|| {
                Failure::usage(format!(
                    "--build '{line}' is not a command line: it is empty, or a quote in it is not closed"
                ))
            })?),
        };
        let is_of_path =
            |word: &&String| word.contains(std::path::MAIN_SEPARATOR) || root.join(word).is_file();
        let files =
            dev.program.iter().filter(is_of_path).map(|word| root.join(word)).filter(|path| path.is_file());
        Ok(Watched { files: files.collect(), root, globs: dev.watch.clone(), build })
    }

    /// For the page.
    pub fn about(&self) -> Value {
        json!({"watch": self.globs, "build": self.build, "files": self.files})
    }

    /// Builds before the server is started for the first time.
    pub fn build(&self) -> Result<(), Failure> {
        match self.run_build() {
            Some(built) if !built.is_good => {
                Err(Failure::usage(format!("the build of --build failed:\n{}", built.output.trim_end())))
            }
            _ => Ok(()),
        }
    }

    /// Looks from now on, on a thread that ends with the program.
    pub fn begin(self, served: Arc<Served>, records: Arc<Records>) -> Result<(), Failure> {
        let run = move || {
            let mut own = Own::default();
            let mut seen = own.without(self.look());
            // Whether a start that was not possible is to be made.
            let mut is_due = false;
            loop {
                std::thread::sleep(LOOK);
                let mut now = own.without(self.look());
                if now == seen && !is_due {
                    continue;
                }
                let noticed = Instant::now();
                let mut quiet = noticed;
                while quiet.elapsed() < REST {
                    std::thread::sleep(LOOK);
                    let next = own.without(self.look());
                    if next != now {
                        (now, quiet) = (next, Instant::now());
                    }
                }
                let built = self.run_build();
                if let Some(built) = &built {
                    let command = self.build.as_deref().unwrap_or_default().join(" ");
                    let data = format!(
                        "{{\"ok\":{},\"command\":{},\"output\":{}}}",
                        built.is_good,
                        quote(&command),
                        quote(&built.output)
                    );
                    records.add(Instant::now(), served.number, "build", "program", &data);
                }
                // What the build wrote is no change.
                let mut changed = differing(&seen, &now);
                // The program itself is what is edited.
                changed.retain(|path| !self.files.contains(path));
                seen = own.without(self.look());
                if let Some(path) = own.changed(changed, noticed) {
                    let shown = one_line(&path.to_string_lossy());
                    let why = format!(
                        "'{shown}' changed soon after each of {STARTS} starts: it seems that the server writes it; it is not watched any \
                         more. Name it in .gitignore, or what is to be watched with --watch"
                    );
                    Screen::said(why.clone());
                    let data = format!("{{\"event\":\"watch\",\"what\":{}}}", quote(&why));
                    records.add(Instant::now(), served.number, "remark", "program", &data);
                    continue;
                }
                // Where it is being started, that is with what it was before.
                is_due = built.is_none_or(|built| built.is_good) && served.connect(None).is_err();
                own.last = Some(Instant::now());
            }
        };
        std::thread::Builder::new()
            .name("mcp-page-watch".to_owned())
            .spawn(run)
            .map(|_| ())
            .map_err(|error| Failure::machine(format!("cannot start a thread that looks at files: {error}")))
    }

    fn run_build(&self) -> Option<Built> {
        let (program, words) = self.build.as_deref()?.split_first()?;
        let failed = |error: std::io::Error| Built {
            is_good: false,
            output: format!("{}: {error}", one_line(program)),
        };
        let run = || {
            // A file has room for whatever it writes, and the end of it is shown.
            let mut output = tempfile::tempfile()?;
            let status = Command::new(program)
                .args(words)
                .stdin(Stdio::null())
                .stdout(output.try_clone()?)
                .stderr(output.try_clone()?)
                .status()?;
            let length = output.seek(SeekFrom::End(0))?;
            output.seek(SeekFrom::Start(length.saturating_sub(MOST_BYTES)))?;
            let mut bytes = Vec::new();
            output.take(MOST_BYTES).read_to_end(&mut bytes)?;
            Ok(Built { is_good: status.success(), output: String::from_utf8_lossy(&bytes).into_owned() })
        };
        Some(run().unwrap_or_else(failed))
    }

    /// All files that count, with what tells that one has changed.
    fn look(&self) -> Seen {
        let mut seen = Seen::new();
        for file in &self.files {
            note(file, &mut seen);
            let extension = file.extension();
            if let (Some(folder), Some(_)) = (file.parent(), extension) {
                walk(folder, &mut Vec::new(), 0, &mut seen, &|path| path.extension() == extension);
            }
        }
        let wanted = |path: &Path| {
            let path = path.strip_prefix(&self.root).unwrap_or(path).to_string_lossy().into_owned();
            self.globs.iter().any(|glob| fits(glob.trim_start_matches("./"), &path))
        };
        if !self.globs.is_empty() {
            walk(&self.root, &mut Vec::new(), 0, &mut seen, &wanted);
        } else if self.build.is_some() {
            // The program is what the build makes.
            let is_source = |path: &Path| !self.files.iter().any(|file| file == path);
            walk(&self.root, &mut Vec::new(), 0, &mut seen, &is_source);
        }
        seen
    }
}

/// The files that are not as they were.
fn differing(before: &Seen, now: &Seen) -> BTreeSet<PathBuf> {
    let changed = now.iter().filter(|(path, known)| before.get(*path) != Some(known));
    changed
        .map(|(path, _)| path)
        .chain(before.keys().filter(|path| !now.contains_key(*path)))
        .cloned()
        .collect()
}

/// Files that the server writes itself, as a database: each start would lead to the next one.
#[derive(Debug, Default)]
struct Own {
    files: BTreeSet<PathBuf>,
    /// The files that changed after each of the last starts, how many those are, and when the last one was.
    always: BTreeSet<PathBuf>,
    starts: usize,
    last: Option<Instant>,
}

impl Own {
    fn without(&self, mut seen: Seen) -> Seen {
        seen.retain(|path, _| !self.files.contains(path));
        seen
    }

    /// Takes what has changed before a start. Gives a file that is watched no longer, where it changed soon after each start.
    fn changed(&mut self, changed: BTreeSet<PathBuf>, now: Instant) -> Option<PathBuf> {
        let is_soon = self.last.is_some_and(|last| now.saturating_duration_since(last) < SOON);
        self.last = Some(now);
        let same: BTreeSet<PathBuf> = self.always.intersection(&changed).cloned().collect();
        if !is_soon || same.is_empty() {
            (self.always, self.starts) = (changed, 0);
            return None;
        }
        (self.always, self.starts) = (same, self.starts + 1);
        // The first change of all may have been an edit.
        let path = if self.starts >= STARTS { self.always.pop_first() } else { None }?;
        self.files.insert(path.clone());
        (self.starts, self.last) = (0, None);
        Some(path)
    }
}

fn note(path: &Path, seen: &mut Seen) {
    let known = path.metadata().ok();
    let known = known.map_or((None, 0), |known| (known.modified().ok(), known.len()));
    seen.insert(path.to_owned(), known);
}

/// Looks at the files below a folder that are wanted and that no `.gitignore` names.
fn walk(
    folder: &Path,
    ignored: &mut Vec<(PathBuf, String)>,
    depth: usize,
    seen: &mut Seen,
    wanted: &dyn Fn(&Path) -> bool,
) {
    // A folder that cannot be read has nothing that changes.
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    let before = ignored.len();
    let mut text = String::new();
    if let Ok(file) = std::fs::File::open(folder.join(".gitignore"))
        && file.take(MOST_BYTES).read_to_string(&mut text).is_ok()
    {
        let lines = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
        ignored.extend(lines.map(|line| (folder.to_owned(), line.to_owned())));
    }
    for entry in entries.flatten() {
        let Ok(kind) = entry.file_type() else { continue };
        let (path, name) = (entry.path(), entry.file_name());
        let name = name.to_string_lossy();
        if seen.len() >= FILES {
            break;
        }
        if name.starts_with('.') || is_ignored(&path, kind.is_dir(), ignored) {
            continue;
        }
        // A link to a folder may lead in a circle.
        if kind.is_dir() && depth < DEPTH && !SKIPPED.contains(&&*name) {
            walk(&path, ignored, depth + 1, seen, wanted);
        } else if kind.is_file() && wanted(&path) {
            note(&path, seen);
        }
    }
    ignored.truncate(before);
}

/// Whether the last rule that fits a path excludes it.
fn is_ignored(path: &Path, is_folder: bool, rules: &[(PathBuf, String)]) -> bool {
    let mut is_out = false;
    for (folder, rule) in rules {
        let (rule, is_again) = rule.strip_prefix('!').map_or((rule.as_str(), false), |rule| (rule, true));
        let (rule, of_folders) = rule.strip_suffix('/').map_or((rule, false), |rule| (rule, true));
        let Ok(below) = path.strip_prefix(folder) else { continue };
        let below = below.to_string_lossy();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let is_it = match rule.trim_start_matches('/') {
            whole if rule.contains('/') => fits(whole, &below),
            word => fits(word, &name),
        };
        if is_it && (is_folder || !of_folders) {
            is_out = !is_again;
        }
    }
    is_out
}

/// Whether a path is what a pattern means: `*` within a name, `**` for any number of folders.
fn fits(pattern: &str, path: &str) -> bool {
    let patterns: Vec<&str> = pattern.split('/').collect();
    let parts: Vec<&str> = path.split('/').collect();
    // Row by row: which beginnings of the path each beginning of the pattern fits.
    let mut row: Vec<bool> = std::iter::once(true).chain(parts.iter().map(|_| false)).collect();
    for one in patterns {
        let mut next = vec![false; row.len()];
        for at in 0..row.len() {
            next[at] = match one {
                "**" => row[at] || (at > 0 && next[at - 1]),
                _ => at > 0 && row[at - 1] && mcp::client::matches_name(one, parts[at - 1]),
            };
        }
        row = next;
    }
    row.last() == Some(&true)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn l2_patterns_name_files_below_folders() {
        for (pattern, path, is_it) in [
            ("src/**/*.py", "src/a.py", true),
            ("src/**/*.py", "src/a/b/c.py", true),
            ("src/**/*.py", "other/a.py", false),
            ("*.py", "a.py", true),
            ("*.py", "src/a.py", false),
            ("**/*.py", "a.py", true),
            ("src/**", "src/a/b", true),
            ("src", "src/a", false),
        ] {
            assert_eq!(fits(pattern, path), is_it, "{pattern} {path}");
        }
        let folder = Path::new("/r");
        let rules = |list: &[&str]| -> Vec<(PathBuf, String)> {
            list.iter().map(|rule| (folder.to_owned(), (*rule).to_owned())).collect()
        };
        for (list, path, is_folder, is_out) in [
            (&["*.log"][..], "/r/a/b.log", false, true),
            (&["*.log", "!keep.log"], "/r/keep.log", false, false),
            (&["out/"], "/r/out", true, true),
            (&["out/"], "/r/out", false, false),
            (&["/a"], "/r/b/a", false, false),
            (&["/a"], "/r/a", false, true),
            (&["a/*.txt"], "/r/a/x.txt", false, true),
        ] {
            assert_eq!(is_ignored(Path::new(path), is_folder, &rules(list)), is_out, "{list:?} {path}");
        }
    }

    #[test]
    fn l2_a_file_that_the_server_writes_is_named_and_watched_no_longer() {
        let begin = Instant::now();
        let at = |seconds: u64| begin + Duration::from_secs(seconds);
        let files = |names: &[&str]| names.iter().map(PathBuf::from).collect::<BTreeSet<_>>();
        let mut own = Own::default();
        // Edits, also of one file again and again, are no such thing.
        for (names, time) in [(["a"], 0), (["a"], 10), (["a"], 20), (["a"], 30), (["a"], 40), (["b"], 41)] {
            assert_eq!(own.changed(files(&names), at(time)), None);
        }
        // An edit, and then what the server writes at each start.
        let mut named = Vec::new();
        for (names, time) in [
            (&["a"][..], 50),
            (&["log"], 51),
            (&["log", "a"], 52),
            (&["log"], 53),
            (&["log"], 54),
            (&["b"], 55),
        ] {
            named.extend(own.changed(files(names), at(time)));
        }
        assert_eq!(named, [PathBuf::from("log")]);
        let seen: Seen = ["a", "log"].iter().map(|name| (PathBuf::from(name), (None, 0))).collect();
        assert_eq!(own.without(seen).into_keys().collect::<Vec<_>>(), [PathBuf::from("a")]);
        let before = Seen::from([(PathBuf::from("a"), (None, 1)), (PathBuf::from("gone"), (None, 1))]);
        let now = Seen::from([(PathBuf::from("a"), (None, 2)), (PathBuf::from("new"), (None, 1))]);
        assert_eq!(differing(&before, &now), files(&["a", "gone", "new"]));
    }

    #[test]
    fn l2_what_is_watched_is_the_program_and_sources_beside_it() {
        let folder = tempfile::tempdir().expect("a folder");
        let at = |name: &str| folder.path().join(name);
        for name in ["lib", "node_modules", "out"] {
            std::fs::create_dir(at(name)).expect("made");
        }
        for name in
            ["server.py", "lib/more.py", "lib/more.txt", "node_modules/x.py", "out/x.py", ".hidden.py"]
        {
            std::fs::write(at(name), "1").expect("written");
        }
        std::fs::write(at(".gitignore"), "# made\nout/\n").expect("written");
        let mut watched = Watched {
            root: folder.path().to_owned(),
            globs: Vec::new(),
            files: vec![at("server.py")],
            build: None,
        };
        let names = |seen: &Seen| -> Vec<String> {
            seen.keys()
                .map(|path| path.strip_prefix(folder.path()).expect("below").display().to_string())
                .collect()
        };
        let before = watched.look();
        assert_eq!(names(&before), ["lib/more.py", "server.py"]);
        assert_eq!(watched.look(), before);
        std::fs::write(at("lib/more.py"), "12").expect("written");
        assert_ne!(watched.look(), before);
        watched.globs = vec!["lib/*.txt".to_owned()];
        assert_eq!(names(&watched.look()), ["lib/more.py", "lib/more.txt", "server.py"]);
        watched.globs.clear();
        watched.build = Some(vec!["true".to_owned()]);
        watched.files = vec![at("lib/more.txt")];
        assert!(!watched.look().contains_key(&at("out/x.py")));
    }

    #[test]
    fn l2_a_build_that_fails_says_what_it_wrote() {
        let with = |words: &[&str]| Watched {
            root: PathBuf::new(),
            globs: Vec::new(),
            files: Vec::new(),
            build: Some(words.iter().map(|word| (*word).to_owned()).collect()),
        };
        assert!(with(&["true"]).build().is_ok());
        let why = with(&["sh", "-c", "echo wrong here; exit 3"]).build().expect_err("failed").text();
        assert!(why.contains("wrong here"), "{why}");
        assert!(with(&["/nonexistent"]).build().is_err());
        let long = with(&["sh", "-c", "head -c 200000 /dev/zero | tr '\\0' x; echo end; exit 1"]);
        let built = long.run_build().expect("run");
        assert!(built.output.len() as u64 <= MOST_BYTES && built.output.ends_with("end\n"));
    }
}
