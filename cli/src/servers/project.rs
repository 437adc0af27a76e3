//! Which files of a project count: where the search for them ends, and who else may write there.
//!
//! A project comes from others: a cloned repository, an unpacked archive, a folder that several people use. A file counts only if no
//! other user than root could have put it there.

use super::owners::Owners;
use std::fs::{File, Metadata};
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

/// What is in the root of a repository.
const REPOSITORIES: [&str; 3] = [".git", ".hg", ".jj"];

/// The folders from the current one to the end of the search.
#[derive(Debug)]
pub struct Project {
    /// From the current folder upwards; never empty.
    folders: Vec<PathBuf>,
    owners: Owners,
    /// Why no file in them counts.
    fault: Option<String>,
}

/// A file that is open, and its text.
#[derive(Debug)]
pub struct Text {
    pub text: String,
    /// Its path without symbolic links.
    pub path: PathBuf,
}

impl Project {
    /// The project around the current folder, whose path has no symbolic links.
    pub fn around(here: &Path, home: Option<&Path>) -> Project {
        Project::with(here, home, Owners::of_this_process())
    }

    fn with(here: &Path, home: Option<&Path>, owners: Owners) -> Project {
        let folders = folders(here, home);
        let fault = folders.iter().find_map(|folder| fault_of_folder(folder, &owners, true));
        Project { folders, owners, fault }
    }

    /// The folders in which files of the project may be, the nearest first.
    pub fn folders(&self) -> &[PathBuf] {
        &self.folders
    }

    /// The current folder.
    pub fn here(&self) -> &Path {
        self.folders.first().map_or(Path::new(""), PathBuf::as_path)
    }

    /// Reads a file, if it counts; `Err(None)` if it is not there. It is opened once: what is checked is what is read.
    pub fn read(&self, path: &Path, most: u64) -> Result<Text, Option<String>> {
        let mut file = match super::open(path) {
            Ok(file) => file,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Err(None),
            Err(error) => return Err(Some(error.to_string())),
        };
        let path = self.counted(path, &file).map_err(Some)?;
        let text = super::text_of(&mut file, most).map_err(Some)?;
        Ok(Text { text, path })
    }

    /// The path of an open file without symbolic links; the error says why it does not count.
    fn counted(&self, path: &Path, file: &File) -> Result<PathBuf, String> {
        let unread = |error: std::io::Error| error.to_string();
        if let Some(fault) = &self.fault {
            return Err(fault.clone());
        }
        let about = file.metadata().map_err(unread)?;
        let real = path.canonicalize().map_err(unread)?;
        let there = real.symlink_metadata().map_err(unread)?;
        if (there.dev(), there.ino()) != (about.dev(), about.ino()) {
            return Err("it was replaced while it was read".to_owned());
        }
        if let Some(fault) = self.owners.fault(&real, &about) {
            return Err(format!("it {fault}"));
        }
        let root = self.folders.last().map_or(Path::new("/"), PathBuf::as_path);
        let Some(folder) = real.parent().filter(|folder| folder.starts_with(root)) else {
            return Err(format!("it is a link that leads out of {}", root.display()));
        };
        // A link may lead to a folder beside those of the search.
        let mut between = folder.ancestors().take_while(|folder| folder.starts_with(root));
        if let Some(fault) = between.find_map(|at| fault_of_folder(at, &self.owners, at != folder)) {
            return Err(fault);
        }
        Ok(real)
    }
}

/// Why a folder could have files of others. Where it may be `sticky`, as `/tmp` is, others may add files, and cannot replace what
/// belongs to this user: enough for a folder above, and not for the one with the file.
fn fault_of_folder(folder: &Path, owners: &Owners, sticky: bool) -> Option<String> {
    const STICKY: u32 = 0o1000;
    let about = match folder.symlink_metadata() {
        Ok(about) => about,
        Err(error) => return Some(format!("{} cannot be looked at: {error}", folder.display())),
    };
    if sticky && about.mode() & STICKY != 0 && owners.has(&about) {
        return None;
    }
    Some(format!("the folder {} {}", folder.display(), owners.fault(folder, &about)?))
}

/// The folders from `here` to the root of the repository, the home or a mount point, whichever comes first.
fn folders(here: &Path, home: Option<&Path>) -> Vec<PathBuf> {
    let home = home.and_then(|home| home.canonicalize().ok());
    let device = |folder: &Path| folder.symlink_metadata().ok().as_ref().map(Metadata::dev);
    let mut folders = Vec::new();
    for folder in here.ancestors() {
        folders.push(folder.to_owned());
        let is_repository = REPOSITORIES.iter().any(|name| folder.join(name).symlink_metadata().is_ok());
        let is_mount_point = folder.parent().is_some_and(|above| device(above) != device(folder));
        if is_repository || is_mount_point || home.as_deref() == Some(folder) {
            break;
        }
    }
    folders
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs::{Permissions, create_dir_all, set_permissions, write};
    use std::os::unix::fs::{PermissionsExt as _, symlink};

    /// A repository `p` with a folder `p/a/b` and a `.mcp.json` in its root, in a folder with nothing else.
    fn scene() -> (tempfile::TempDir, PathBuf) {
        let folder = tempfile::tempdir().expect("a folder");
        let root = folder.path().canonicalize().expect("a path").join("p");
        create_dir_all(root.join("a/b")).expect("folders");
        create_dir_all(root.join(".git")).expect("a repository");
        write(root.join(".mcp.json"), "{}").expect("a file");
        for folder in [&root, &root.join("a"), &root.join("a/b")] {
            mode(folder, 0o755);
        }
        mode(&root.join(".mcp.json"), 0o644);
        (folder, root)
    }

    fn mode(path: &Path, mode: u32) {
        set_permissions(path, Permissions::from_mode(mode)).expect("permissions");
    }

    /// Why the file in the root does not count, seen from `p/a/b`.
    fn fault(root: &Path) -> Option<String> {
        let read = Project::around(&root.join("a/b"), None).read(&root.join(".mcp.json"), 100);
        read.err().map(|why| why.expect("it is there"))
    }

    #[test]
    fn the_search_ends_at_the_repository_or_the_home() {
        let (_folder, root) = scene();
        let here = root.join("a/b");
        assert_eq!(folders(&here, None), [here.clone(), root.join("a"), root.clone()]);
        assert_eq!(folders(&here, Some(&root.join("a"))), [here.clone(), root.join("a")]);
        assert_eq!(folders(&root, Some(&here)), [root]);
        // A mount point is an end, too.
        assert_eq!(
            folders(Path::new("/proc/self"), None).last().map(PathBuf::as_path),
            Some(Path::new("/proc"))
        );
    }

    #[test]
    fn a_file_counts_if_no_other_user_may_write_it_or_a_folder_above() {
        let (_folder, root) = scene();
        assert_eq!(fault(&root), None);
        for (path, before) in [(".mcp.json", 0o644), ("", 0o755), ("a", 0o755), ("a/b", 0o755)] {
            let path = root.join(path);
            mode(&path, 0o777);
            assert!(fault(&root).is_some_and(|why| why.contains("every user")), "{}", path.display());
            mode(&path, before);
        }
        // Others add files to a sticky folder, and replace none: enough above the file, not beside it.
        mode(&root.join("a"), 0o1777);
        assert_eq!(fault(&root), None);
        mode(&root, 0o1777);
        assert!(fault(&root).is_some_and(|why| why.contains("every user")));
    }

    #[test]
    fn a_file_of_another_user_does_not_count() {
        let (_folder, root) = scene();
        let about = root.join(".mcp.json").metadata().expect("there");
        if about.uid() == 0 {
            std::os::unix::fs::chown(root.join(".mcp.json"), Some(65_534), None).expect("another owner");
            assert!(fault(&root).is_some_and(|why| why.contains("another user (uid 65534)")));
        } else {
            let project = Project::with(&root, None, Owners::of(about.uid() + 1));
            let why = project.read(&root.join(".mcp.json"), 100).expect_err("refused");
            assert!(why.is_some_and(|why| why.contains("another user")));
        }
    }

    #[test]
    fn a_link_counts_as_what_it_leads_to() {
        let (folder, root) = scene();
        let link = root.join("a/b/.mcp.json");
        symlink("../../.mcp.json", &link).expect("a link");
        let project = Project::around(&root.join("a/b"), None);
        assert_eq!(project.read(&link, 100).expect("inside").path, root.join(".mcp.json"));
        create_dir_all(root.join("open")).expect("a folder");
        write(root.join("open/x.json"), "{}").expect("a file");
        mode(&root.join("open"), 0o777);
        write(folder.path().join("x.json"), "{}").expect("a file");
        for (target, says) in [("../../open/x.json", "every user"), ("../../../x.json", "leads out")] {
            std::fs::remove_file(&link).expect("removed");
            symlink(target, &link).expect("a link");
            let why = project.read(&link, 100).expect_err("refused").expect("there");
            assert!(why.contains(says), "{why}");
        }
    }

    #[test]
    fn only_regular_files_of_a_bounded_size_are_read() {
        let (_folder, root) = scene();
        let path = root.join("pipe");
        rustix::fs::mkfifoat(rustix::fs::CWD, &path, rustix::fs::Mode::RUSR).expect("a pipe");
        let project = Project::around(&root, None);
        assert!(project.read(&path, 100).expect_err("refused").is_some_and(|why| why.contains("regular")));
        assert!(project.read(&root.join(".mcp.json"), 1).expect_err("large").is_some());
        assert!(project.read(&root.join("none"), 1).expect_err("not there").is_none());
    }
}
