//! Tokens that stand in the configuration of a server, or in a file that is read again when it has changed.

use crate::auth::server::FixedToken;
use crate::runtime::lock;
use crate::transport::system::token_files::which_file;
use std::fmt;
use std::fs::{self, File};
use std::io::{ErrorKind, Read as _};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant, SystemTime};

/// The most bytes that such a file may have.
const MOST: u64 = 1 << 20;
/// A change of the file is found at the first request after this time.
const LOOK: Duration = Duration::from_secs(1);

/// Reads the text of a file; the error says what is wrong with it, and shows no token.
pub(crate) type ReadTokens = Box<dyn Fn(&str) -> Result<Vec<FixedToken>, String> + Send + Sync>;

/// What is known of the file without reading it: its times, its length and which file it is. One that takes its place with the same length
/// and time of change, as `cp -p` and restored backups have it, is another file or has another time of its entry (Unix).
type Seen = Option<(SystemTime, u64, [i64; 4])>;

/// The tokens that are good now.
#[derive(Debug)]
pub(crate) struct FixedTokens {
    /// Those of the configuration.
    listed: Arc<Vec<FixedToken>>,
    file: Option<TokenFile>,
}

struct TokenFile {
    path: PathBuf,
    read: ReadTokens,
    state: Mutex<FileState>,
}

#[derive(Debug)]
struct FileState {
    looked: Instant,
    seen: Seen,
    /// Why it could not be read at the last look, where that may pass without a change of what is seen of it: it is tried again at each.
    failed: Option<String>,
    /// Those of the configuration and of the file.
    tokens: Arc<Vec<FixedToken>>,
}

impl fmt::Debug for TokenFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TokenFile").field("path", &self.path).finish_non_exhaustive()
    }
}

impl FixedTokens {
    pub(crate) fn listed(tokens: Vec<FixedToken>) -> FixedTokens {
        FixedTokens { listed: Arc::new(tokens), file: None }
    }

    /// The tokens of the configuration and of a file, which `read` gives together.
    ///
    /// # Errors
    /// Why the file cannot be read, or what is wrong with it.
    pub(crate) fn with_file(
        tokens: Vec<FixedToken>,
        path: &Path,
        read: ReadTokens,
        now: Instant,
    ) -> Result<FixedTokens, String> {
        // The program may change its folder.
        let path = std::path::absolute(path)
            .map_err(|error| format!("'{}' is not a path: {error}", path.display()))?;
        let seen = seen(&path);
        let read_now = content(&path)
            .map_err(|error| format!("'{}' cannot be read: {error}", path.display()))
            .and_then(|text| read(&text))?;
        let state = FileState { looked: now, seen, failed: None, tokens: Arc::new(read_now) };
        let file = TokenFile { path, read, state: Mutex::new(state) };
        Ok(FixedTokens { listed: Arc::new(tokens), file: Some(file) })
    }

    /// Those that are good at this time. `warn` is told of a file that is gone or wrong, once for each change of it.
    pub(crate) fn at(&self, now: impl FnOnce() -> Instant, warn: impl FnOnce(&str)) -> Arc<Vec<FixedToken>> {
        let Some(file) = &self.file else { return Arc::clone(&self.listed) };
        let now = now();
        let mut state = lock(&file.state);
        if now.saturating_duration_since(state.looked) < LOOK {
            return Arc::clone(&state.tokens);
        }
        state.looked = now;
        // Before the file is read: what is written meanwhile is found at the next look.
        let seen = seen(&file.path);
        if seen != state.seen || state.failed.is_some() {
            state.seen = seen;
            let failed = state.failed.take();
            let path = file.path.display();
            match content(&file.path) {
                // A person who removes the file takes its tokens back.
                Err(error) if error.kind() == ErrorKind::NotFound => {
                    state.tokens = Arc::clone(&self.listed);
                    warn(&format!("the file of tokens '{path}' is gone: none of its tokens is good"));
                }
                Err(error) => {
                    let why = error.to_string();
                    if failed.as_ref() != Some(&why) {
                        warn(&format!(
                            "the file of tokens '{path}' cannot be read, its last tokens stay: {why}"
                        ));
                    }
                    state.failed = Some(why);
                }
                Ok(text) => match (file.read)(&text) {
                    Ok(tokens) => state.tokens = Arc::new(tokens),
                    Err(why) => {
                        warn(&format!("the file of tokens '{path}' is wrong, its last tokens stay: {why}"));
                    }
                },
            }
        }
        Arc::clone(&state.tokens)
    }
}

fn seen(path: &Path) -> Seen {
    let metadata = fs::metadata(path).ok()?;
    Some((metadata.modified().ok()?, metadata.len(), which_file(&metadata)))
}

fn content(path: &Path) -> std::io::Result<String> {
    let mut text = String::new();
    let read = File::open(path)?.take(MOST + 1).read_to_string(&mut text)?;
    if read as u64 > MOST {
        return Err(std::io::Error::other(format!("it has more than {MOST} bytes")));
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::auth::Scopes;
    use crate::auth::server::Implied;
    use std::cell::RefCell;

    /// A token for each line of a file, with its number as digest; "wrong" is no such file.
    pub(super) fn of_lines(text: &str) -> Result<Vec<FixedToken>, String> {
        let of = |line: &str| {
            let digest = format!("{:064}", line.parse::<u32>().map_err(|error| error.to_string())?);
            FixedToken::new(&digest, line, &Scopes::of([]), &Implied(Vec::new())).ok_or_else(String::new)
        };
        text.lines().map(of).collect()
    }

    #[test]
    fn a_file_is_read_again_when_it_has_changed() {
        let path = std::env::temp_dir().join(format!("mcp-fixed-tokens-{}", std::process::id()));
        let write = |text: &str| fs::write(&path, text).expect("written");
        let begun = Instant::now();
        let made = || FixedTokens::with_file(Vec::new(), &path, Box::new(of_lines), begun);
        assert!(made().is_err_and(|why| why.contains("cannot be read")));
        write("wrong");
        assert!(made().is_err());
        write("1\n2\n");
        let tokens = made().expect("read");
        let mut now = begun;
        let told = RefCell::new(String::new());
        let mut look = |later: Duration| {
            now += later;
            told.borrow_mut().clear();
            tokens.at(|| now, |what| told.borrow_mut().push_str(what)).len()
        };
        assert_eq!(look(Duration::ZERO), 2);
        // What is done to the file, how many tokens are good then, and what is told of it, once.
        let steps: [(&dyn Fn(), usize, &str); 7] = [
            (&|| write("1\n2\n3\n"), 3, ""),
            (&|| write("wrong"), 3, "is wrong"),
            (&|| write(""), 0, ""),
            (&|| write("1\n"), 1, ""),
            (&|| write(&"\n".repeat((1 << 20) + 1)), 1, "more than"),
            (&|| fs::remove_file(&path).expect("removed"), 0, "is gone"),
            (&|| write("4\n5\n"), 2, ""),
        ];
        for (at, (change, good, what)) in steps.iter().enumerate() {
            let before = look(Duration::ZERO);
            change();
            assert_eq!(look(LOOK / 2), before, "step {at}: within the time");
            assert_eq!(look(LOOK), *good, "step {at}");
            assert!(told.borrow().contains(what) && told.borrow().is_empty() == what.is_empty(), "step {at}");
            assert_eq!(look(LOOK), *good, "step {at}: once");
            assert!(told.borrow().is_empty(), "step {at}: {}", told.borrow());
        }
        fs::remove_file(&path).expect("removed");
    }
}

#[cfg(all(test, unix))]
mod files_of_unix {
    use super::tests::of_lines;
    use super::*;
    use std::cell::RefCell;

    #[test]
    fn a_file_that_could_not_be_read_is_tried_again_and_one_in_its_place_is_found() {
        let path = std::env::temp_dir().join(format!("mcp-fixed-tokens-again-{}", std::process::id()));
        let other = path.with_extension("new");
        let write = |path: &Path, text: &str| fs::write(path, text).expect("written");
        write(&path, "1\n");
        let mut now = Instant::now();
        let tokens = FixedTokens::with_file(Vec::new(), &path, Box::new(of_lines), now).expect("read");
        let told = RefCell::new(Vec::new());
        let mut look = || {
            now += LOOK;
            tokens
                .at(|| now, |what| told.borrow_mut().push(what.to_owned()))
                .first()
                .map(|one| one.digest.clone())
        };
        let is = |line: &str| of_lines(line).expect("tokens").first().map(|one| one.digest.clone());
        // The same length and time, another file.
        write(&other, "2\n");
        let time = fs::metadata(&path).and_then(|metadata| metadata.modified()).expect("a time");
        File::options().append(true).open(&other).and_then(|file| file.set_modified(time)).expect("set");
        fs::rename(&other, &path).expect("renamed");
        assert_eq!(look(), is("2"));
        // A folder can be opened and not read; what failed is told once, and tried again though nothing that is seen has changed.
        fs::remove_file(&path).expect("removed");
        fs::create_dir(&path).expect("a folder");
        assert_eq!((look(), look(), told.borrow().len()), (is("2"), is("2"), 1));
        fs::remove_dir(&path).expect("removed");
        write(&path, "3\n");
        let file = tokens.file.as_ref().expect("there is one");
        let unchanged = seen(&path);
        lock(&file.state).seen = unchanged;
        assert!(lock(&file.state).failed.is_some());
        assert_eq!((look(), told.borrow().len()), (is("3"), 1));
        assert!(lock(&file.state).failed.is_none());
        fs::remove_file(&path).expect("removed");
    }
}
