//! Stores of files: what is kept, what is refused, and what other processes do meanwhile.

use super::*;
use std::io::{BufRead, BufReader};
#[cfg(all(test, unix))]
use std::os::unix::fs::{PermissionsExt, symlink};
use std::process::{Child, Command, Stdio};

const LONG: Duration = Duration::from_secs(60);

/// A directory that is gone afterwards.
struct Scratch(PathBuf);

impl Scratch {
    fn new(name: &str) -> Scratch {
        let path = std::env::temp_dir().join(format!("libmcp-{name}-{}", std::process::id()));
        std::fs::create_dir(&path).expect("a new directory");
        Scratch(path)
    }

    fn with_store(name: &str) -> (FileStore, Scratch) {
        let scratch = Scratch::new(name);
        (FileStore::new(scratch.0.join("tokens")), scratch)
    }

    fn store(&self) -> FileStore {
        FileStore::new(self.0.join("tokens"))
    }

    #[cfg(all(test, unix))]
    fn mode(&self, name: &str, mode: u32) {
        let permissions = std::fs::Permissions::from_mode(mode);
        std::fs::set_permissions(self.0.join("tokens").join(name), permissions).expect("ours");
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        std::fs::remove_dir_all(&self.0).expect("it is ours");
    }
}

fn save(store: &FileStore, key: &str, text: &str) -> Result<(), StoreFault> {
    store.lock(key, LONG)?.save(&Secret::new(text))
}

#[cfg(all(test, unix))]
#[test]
fn what_is_saved_is_there_and_for_its_owner_only() {
    let (store, scratch) = Scratch::with_store("saved");
    assert_eq!(store.load("a"), Ok(None), "without a directory, too");
    save(&store, "a", "one").expect("saved");
    save(&store, "a", "two").expect("replaced");
    assert_eq!(store.load("a"), Ok(Some(Secret::new("two"))));
    assert_eq!(store.load("b"), Ok(None));
    let mode = |path: PathBuf| std::fs::metadata(path).expect("there").permissions().mode() & 0o7777;
    assert_eq!(mode(scratch.0.join("tokens")), 0o700);
    let mut names = Vec::new();
    for entry in std::fs::read_dir(scratch.0.join("tokens")).expect("a directory") {
        let entry = entry.expect("an entry");
        assert_eq!(mode(entry.path()), 0o600);
        names.push(entry.file_name().into_string().expect("plain"));
    }
    names.sort();
    assert_eq!(names, ["a.json", "a.lock"], "nothing is left of the replacing");
}

#[cfg(all(test, unix))]
#[test]
fn what_others_could_read_or_change_is_refused_with_the_fix() {
    let (store, scratch) = Scratch::with_store("modes");
    save(&store, "a", "x").expect("saved");
    scratch.mode("a.json", 0o640);
    let told = store.load("a").expect_err("not safe").to_string();
    assert!(told.contains("mode 640") && told.contains("chmod 600"), "{told}");
    scratch.mode("a.json", 0o600);
    scratch.mode("", 0o770);
    let told = save(&store, "a", "y").expect_err("not safe").to_string();
    assert!(told.contains("mode 770") && told.contains("chmod 700"), "{told}");
    scratch.mode("", 0o700);
    assert_eq!(store.load("a"), Ok(Some(Secret::new("x"))));
    symlink(scratch.0.join("tokens/a.json"), scratch.0.join("tokens/b.json")).expect("a link");
    assert!(store.load("b").is_err());
}

#[test]
fn a_key_cannot_leave_the_directory() {
    let scratch = Scratch::new("keys");
    for key in ["", "../a", "a/b", ".a", "a\0", &"x".repeat(300)] {
        assert!(save(&scratch.store(), key, "x").is_err(), "{key:?}");
        assert!(scratch.store().load(key).is_err(), "{key:?}");
    }
}

#[test]
fn the_size_is_bounded_both_ways_and_the_old_text_stays() {
    let (store, scratch) = Scratch::with_store("size");
    save(&store, "a", "x").expect("saved");
    assert!(save(&store, "a", &"x".repeat(MOST_BYTES + 1)).is_err());
    assert_eq!(store.load("a"), Ok(Some(Secret::new("x"))));
    std::fs::write(scratch.0.join("tokens/a.json"), "x".repeat(MOST_BYTES + 1)).expect("written");
    assert!(store.load("a").expect_err("too large").to_string().contains("1 MiB"));
}

#[test]
fn room_is_kept_until_it_is_used_or_let_go() {
    let (store, scratch) = Scratch::with_store("room");
    let new = scratch.0.join("tokens/a.new");
    let held = store.lock("a", LONG).expect("free");
    held.reserve(5000).expect("room");
    assert_eq!(std::fs::metadata(&new).expect("there").len(), 5000);
    held.save(&Secret::new("short")).expect("saved");
    assert_eq!(held.content(), Ok(Some(Secret::new("short"))), "without the zeros");
    held.reserve(5000).expect("room");
    drop(held);
    assert!(!new.exists());
}

#[test]
fn a_lock_has_one_holder_and_a_wait_has_an_end() {
    let (store, _scratch) = Scratch::with_store("lock");
    let held = store.lock("a", LONG).expect("free");
    assert!(matches!(store.lock("a", Duration::from_millis(1)), Err(StoreFault::Busy(_))));
    drop(store.lock("b", Duration::ZERO).expect("another key"));
    let other = store.clone();
    let waiting = std::thread::spawn(move || other.lock("a", LONG).map(drop));
    drop(held);
    assert_eq!(waiting.join().expect("no panic"), Ok(()));
}

/// Runs the test `part` of this file in another process.
fn another_process(part: &str, directory: &Path) -> Child {
    let own = std::env::current_exe().expect("our own program");
    let name = format!("transport::token_store::tests::{part}");
    Command::new(own)
        .args(["--exact", &name, "--nocapture", "--ignored"])
        .env("MCP_TEST_STORE", directory)
        .stdout(Stdio::piped())
        .spawn()
        .expect("another process")
}

fn given_store() -> FileStore {
    FileStore::new(std::env::var_os("MCP_TEST_STORE").expect("run by another test"))
}

#[test]
#[ignore = "a part of another test"]
fn full_part() {
    let told = save(&given_store(), "a", "new").expect_err("there is no room").to_string();
    assert!(told.contains("cannot write") && told.contains("a.new: File too large"), "{told}");
}

/// A limit of the process on the size of files stands for the disk: both let a file be made and not written.
#[cfg(all(test, unix))]
#[test]
fn a_full_disk_leaves_the_old_login_whole() {
    let scratch = Scratch::new("full");
    let store = scratch.store();
    save(&store, "a", "old").expect("saved");
    let own = std::env::current_exe().expect("our own program");
    let full = Command::new("sh")
        .args(["-c", "trap '' XFSZ; ulimit -f 0; exec \"$0\" \"$@\""])
        .arg(own)
        .args(["--exact", "transport::token_store::tests::full_part", "--nocapture", "--ignored"])
        .env("MCP_TEST_STORE", scratch.0.join("tokens"))
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .output()
        .expect("another process");
    let said = String::from_utf8_lossy(&full.stdout);
    assert!(full.status.success() && said.contains("1 passed"), "{said}");
    assert_eq!(store.load("a"), Ok(Some(Secret::new("old"))));
    assert!(!scratch.0.join("tokens/a.new").exists());
    save(&store, "a", "new").expect("there is room again");
    assert_eq!(store.load("a"), Ok(Some(Secret::new("new"))));
}

#[test]
#[ignore = "a part of another test"]
fn counting_part() {
    let store = given_store();
    for _ in 0..50 {
        let locked = store.lock("count", LONG).expect("free");
        let text = locked.content().expect("readable");
        let count: u32 = text.map_or(0, |text| text.expose().parse().expect("a number"));
        locked.save(&Secret::new((count + 1).to_string())).expect("saved");
    }
}

#[test]
fn processes_that_share_a_store_change_it_one_at_a_time() {
    let scratch = Scratch::new("processes");
    let directory = scratch.0.join("tokens");
    let children: Vec<Child> = (0..4).map(|_| another_process("counting_part", &directory)).collect();
    for mut child in children {
        assert!(child.wait().expect("ours").success());
    }
    assert_eq!(scratch.store().load("count"), Ok(Some(Secret::new("200"))));
}

#[test]
#[ignore = "a part of another test"]
fn writing_part() {
    let store = given_store();
    for number in 0_u32.. {
        let text = format!("{number}-").repeat(20_000);
        save(&store, "text", &text).expect("saved");
        println!("written");
    }
}

#[test]
fn a_process_that_is_killed_leaves_a_whole_file_and_no_lock() {
    let scratch = Scratch::new("killed");
    for _ in 0..5 {
        let mut child = another_process("writing_part", &scratch.0.join("tokens"));
        let output = BufReader::new(child.stdout.take().expect("piped"));
        let written = output.lines().map_while(Result::ok).filter(|line| line.contains("written")).take(3);
        assert_eq!(written.count(), 3);
        child.kill().expect("ours");
        child.wait().expect("ours");
        let text = scratch.store().load("text").expect("readable").expect("there");
        let number = text.expose().split('-').next().expect("a number");
        assert_eq!(text.expose(), format!("{number}-").repeat(20_000));
        drop(scratch.store().lock("text", LONG).expect("no process holds it"));
    }
}
