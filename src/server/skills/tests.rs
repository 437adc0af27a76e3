//! Folders of skills: what becomes an entry, what is refused, and every bound.

use super::base;
use super::load;
use crate::engine::server::SkillSet;
use crate::engine::{Error, Status};
use crate::server::config::SkillBounds;
use crate::skill;
use crate::transport::folder::Folder;
use serde_json::Value;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

/// A folder that is removed at the end.
struct Scratch(PathBuf);

impl Scratch {
    fn new(name: &str) -> Scratch {
        let path = std::env::temp_dir().join(format!("libmcp-skills-{name}-{}", std::process::id()));
        fs::create_dir_all(&path).expect("a folder");
        Scratch(path)
    }

    fn put(&self, name: &str, bytes: impl AsRef<[u8]>) {
        let path = self.0.join(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("folders");
        fs::write(path, bytes).expect("a file");
    }

    fn load(&self, prefix: &str, bounds: &SkillBounds, file_bytes: usize) -> Result<SkillSet, Error> {
        let folder = Folder::open(self.0.to_str().expect("UTF-8")).expect("opens");
        load(&folder, &base(prefix)?, bounds, file_bytes)
    }

    fn fails(&self, bounds: &SkillBounds, file_bytes: usize) -> (Status, String) {
        let error = self.load("skill://", bounds, file_bytes).expect_err("too much");
        (error.status, error.message)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        if let Err(error) = fs::remove_dir_all(&self.0) {
            eprintln!("{} stays: {error}", self.0.display());
        }
    }
}

fn skill_md(name: &str) -> String {
    format!("---\nname: {name}\ndescription: Shows {name}\nversion: 1.0\n---\n# {name}\n")
}

fn entry(set: &SkillSet, uri: &str) -> Value {
    let found = set.skills.iter().find(|skill| skill.uri == uri);
    serde_json::from_str(&found.unwrap_or_else(|| panic!("no {uri}")).entry).expect("JSON")
}

fn uris(entry: &Value) -> Vec<&str> {
    let files = entry["resources"].as_array().expect("files");
    files.iter().map(|file| file["uri"].as_str().expect("a URI")).collect()
}

#[test]
fn every_folder_with_a_skill_md_is_a_skill_and_has_all_that_is_below_it() {
    let scratch = Scratch::new("all");
    scratch.put("pdf/SKILL.md", skill_md("pdf"));
    scratch.put("pdf/references/my notes.md", "d\u{e9}j\u{e0} vu");
    scratch.put("pdf/logo.png", b"\x89PNG\xff");
    scratch.put("pdf/.hidden", "left out");
    scratch.put("pdf/inner/SKILL.md", skill_md("inner"));
    scratch.put("acme/billing/refunds/SKILL.md", skill_md("refunds"));
    scratch.put("README.md", "not of a skill");
    scratch.put(".git/config", "left out");
    let set = scratch.load("skill://shelf/", &SkillBounds::default(), 1000).expect("skills");
    let names: Vec<&str> = set.skills.iter().map(|skill| skill.uri.as_str()).collect();
    assert_eq!(
        names,
        [
            "skill://shelf/acme/billing/refunds/SKILL.md",
            "skill://shelf/pdf/inner/SKILL.md",
            "skill://shelf/pdf/SKILL.md"
        ]
    );
    let pdf = entry(&set, "skill://shelf/pdf/SKILL.md");
    assert_eq!(pdf["frontmatter"]["version"], 1.0);
    let mut files = uris(&pdf);
    files.sort_unstable();
    assert_eq!(
        files,
        [
            "skill://shelf/pdf/SKILL.md",
            "skill://shelf/pdf/inner/SKILL.md",
            "skill://shelf/pdf/logo.png",
            "skill://shelf/pdf/references/my%20notes.md"
        ]
    );
    // The digests are those of what is served.
    for file in pdf["resources"].as_array().expect("files") {
        let uri = file["uri"].as_str().expect("a URI");
        let result: Value = serde_json::from_str(set.files.get(uri).expect("the file")).expect("JSON");
        let content = &result["contents"][0];
        let bytes = match content["text"].as_str() {
            Some(text) => text.as_bytes().to_vec(),
            None => b"\x89PNG\xff".to_vec(),
        };
        let digest =
            skill::sha256(&bytes).iter().fold(String::new(), |all, byte| all + &format!("{byte:02x}"));
        assert_eq!(file["digest"], format!("sha256:{digest}"), "{uri}");
        assert_eq!(file["size"], bytes.len(), "{uri}");
    }
    let children = set.folders.get("skill://shelf/pdf").expect("the folder");
    let children: Vec<Value> =
        children.iter().map(|child| serde_json::from_str(child).expect("JSON")).collect();
    let shown: Vec<(&str, &str)> = children
        .iter()
        .map(|child| (child["name"].as_str().expect("a name"), child["mimeType"].as_str().expect("a type")))
        .collect();
    assert_eq!(
        shown,
        [
            ("pdf", "text/markdown"),
            ("inner", "inode/directory"),
            ("logo.png", "image/png"),
            ("references", "inode/directory")
        ]
    );
    assert!(!set.folders.contains_key("skill://shelf/acme") && !set.folders.contains_key("skill://shelf"));
    // A folder that is a skill itself has the last name of the prefix.
    let folder = Folder::open(scratch.0.join("pdf").to_str().expect("UTF-8")).expect("opens");
    let base = base("skill://pdf").expect("a prefix");
    let set = load(&folder, &base, &SkillBounds::default(), 1000).expect("a skill");
    assert_eq!(set.skills.last().map(|skill| skill.uri.as_str()), Some("skill://pdf/SKILL.md"));
}

/// Makes a folder with one fault; gives the message.
fn refused(name: &str, fault: impl FnOnce(&Scratch, &Path)) -> String {
    let scratch = Scratch::new(name);
    scratch.put("pdf/SKILL.md", skill_md("pdf"));
    fault(&scratch, &scratch.0);
    let error = scratch.load("skill://", &SkillBounds::default(), 1000).expect_err(name);
    assert_eq!(error.status, Status::InvalidArgument, "{error:?}");
    error.message
}

#[test]
fn what_is_no_skill_is_refused_with_its_path() {
    let why = refused("link", |_, root| symlink("/etc/passwd", root.join("pdf/link")).expect("a link"));
    assert!(why.contains("'pdf/link' is a symbolic link"), "{why}");
    let why = refused("link-to-folder", |_, root| symlink("pdf", root.join("alias")).expect("a link"));
    assert!(why.contains("'alias' is a symbolic link"), "{why}");
    let why = refused("other-name", |scratch, _| scratch.put("b/SKILL.md", skill_md("pdf")));
    assert!(why.contains("'b/SKILL.md' has the name 'pdf'") && why.contains("folder 'b'"), "{why}");
    let why = refused("bad-name", |scratch, _| scratch.put("B/SKILL.md", skill_md("B")));
    assert!(why.contains("letters a to z"), "{why}");
    let why = refused("no-front-matter", |scratch, _| scratch.put("b/SKILL.md", "# Text\n"));
    assert!(why.contains("does not begin with front matter"), "{why}");
    let why = refused("no-text", |scratch, _| scratch.put("b/SKILL.md", b"---\nname: \xff\n---\n"));
    assert!(why.contains("not UTF-8"), "{why}");
    let why = refused("backslash", |scratch, _| scratch.put("pdf/a\\b", ""));
    assert!(why.contains("backslash"), "{why}");
    let why = refused("itself", |scratch, _| scratch.put("SKILL.md", skill_md("pdf")));
    assert!(why.contains("the folder above it"), "{why}");
}

#[test]
fn every_bound_is_reached_and_named() {
    let scratch = Scratch::new("bounds");
    scratch.put("a/SKILL.md", skill_md("a"));
    scratch.put("a/x/y/z", [b'x'; 100]);
    scratch.put("b/SKILL.md", skill_md("b"));
    let all = SkillBounds::default();
    assert_eq!(
        scratch.load("skill://", &all, 100).map(|set| (set.skills.len(), set.files.len())),
        Ok((2, 3))
    );
    let check = |bounds: SkillBounds, file_bytes: usize, key: &str| {
        let (status, message) = scratch.fails(&bounds, file_bytes);
        assert_eq!(status, Status::TooLarge, "{message}");
        assert!(message.contains(key), "{key}: {message}");
    };
    check(all, 99, "limits.file_bytes");
    check(SkillBounds { skills: 1, ..all }, 100, "limits.skills)");
    check(SkillBounds { skill_files: 1, ..all }, 100, "limits.skill_files");
    check(SkillBounds { skill_bytes: 120, ..all }, 100, "limits.skill_bytes");
    check(SkillBounds { skills_bytes: 120, ..all }, 100, "limits.skills_bytes");
    check(SkillBounds { skill_depth: 2, ..all }, 100, "limits.skill_depth");
    check(SkillBounds { skills: 0, ..all }, 100, "limits.skills");
    assert!(scratch.load("skill://", &SkillBounds { skill_depth: 3, ..all }, 100).is_ok());
}

#[test]
fn a_prefix_is_the_beginning_of_a_uri() {
    for (prefix, expected) in [
        ("skill://", "skill://"),
        ("skill://a", "skill://a/"),
        ("github://o/r/skills/", "github://o/r/skills/"),
    ] {
        assert_eq!(base(prefix), Ok(expected.to_owned()));
    }
    for prefix in ["", "skill", "skill:/a", "://a", "1x://a", "skill://a//b", "skill://../a", "skill://a b"] {
        assert!(base(prefix).is_err_and(|error| error.message.contains("uri_prefix")), "{prefix}");
    }
}
