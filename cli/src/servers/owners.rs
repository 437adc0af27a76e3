//! Who else may write a file or a folder: its owner, its mode, its group and its access list.

use std::collections::HashSet;
use std::fs::Metadata;
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;
use std::sync::OnceLock;

/// The largest list of users or groups that is read.
const MOST_BYTES: u64 = 16 * 1024 * 1024;

/// The users whose files are taken: this one and root.
#[derive(Debug)]
pub struct Owners {
    uid: u32,
    /// Read when a file is met that its group may write.
    lists: OnceLock<Lists>,
}

/// The texts of `/etc/passwd` and `/etc/group`.
#[derive(Debug, Default)]
struct Lists {
    users: String,
    groups: String,
}

impl Owners {
    /// The user of this process, and root.
    pub fn of_this_process() -> Owners {
        Owners { uid: rustix::process::geteuid().as_raw(), lists: OnceLock::new() }
    }

    #[cfg(test)]
    pub fn of(uid: u32) -> Owners {
        Owners { uid, lists: OnceLock::new() }
    }

    /// Whether a file belongs to them.
    pub fn has(&self, about: &Metadata) -> bool {
        about.uid() == self.uid || about.uid() == 0
    }

    /// Why another user could have written the file or folder at `path`: what follows its name in a sentence.
    pub fn fault(&self, path: &Path, about: &Metadata) -> Option<String> {
        if !self.has(about) {
            return Some(format!("belongs to another user (uid {})", about.uid()));
        }
        let mode = about.mode();
        if mode & 0o002 != 0 {
            return Some(format!("can be written by every user (mode {:03o})", mode & 0o777));
        }
        // With an access list these bits say what the most of its entries may do.
        if mode & 0o020 == 0 {
            return None;
        }
        if has_access_list(path) {
            return Some("can be written by others (its access list says so)".to_owned());
        }
        let lists = self.lists.get_or_init(Lists::read);
        (!lists.is_private(about.gid(), self.uid))
            .then(|| format!("can be written by its group (gid {}, mode {:03o})", about.gid(), mode & 0o777))
    }
}

/// Whether a file has an access list beside its mode; one that cannot be read counts as one.
fn has_access_list(path: &Path) -> bool {
    #[cfg(target_os = "linux")]
    {
        use rustix::io::Errno;
        let found = rustix::fs::getxattr(path, "system.posix_acl_access", &mut [0_u8; 1]);
        !matches!(found, Err(Errno::NODATA | Errno::OPNOTSUPP))
    }
    #[cfg(not(target_os = "linux"))]
    {
        let _ = path;
        false
    }
}

impl Lists {
    /// What cannot be read has no group that is known to be private.
    fn read() -> Lists {
        let text = |path: &str| {
            super::open(Path::new(path))
                .map_err(|error| error.to_string())
                .and_then(|mut file| super::text_of(&mut file, MOST_BYTES))
                .unwrap_or_default()
        };
        Lists { users: text("/etc/passwd"), groups: text("/etc/group") }
    }

    /// Whether a group is that of this user or of root alone, as distributions make one for each user.
    fn is_private(&self, gid: u32, uid: u32) -> bool {
        let number = |text: Option<&str>| text.and_then(|text| text.parse::<u32>().ok());
        let is_ours = |user: u32| user == uid || user == 0;
        // NAME:PASSWORD:UID:GID:…
        let users = self.users.lines().filter_map(|line| {
            let mut fields = line.split(':');
            let name = fields.next()?;
            let uid = number(fields.nth(1))?;
            Some((name, uid, number(fields.next())?))
        });
        let (mut names, mut is_of_ours) = (HashSet::new(), false);
        for (name, user, group) in users {
            if is_ours(user) {
                names.insert(name);
                is_of_ours |= group == gid;
            } else if group == gid {
                return false;
            }
        }
        // NAME:PASSWORD:GID:MEMBER,MEMBER
        let mut members = self.groups.lines().filter_map(|line| {
            let mut fields = line.split(':');
            let group = number(fields.nth(2))?;
            (group == gid).then(|| fields.next().unwrap_or_default())
        });
        let Some(first) = members.next() else { return false };
        let mut all = first.split(',').chain(members.flat_map(|list| list.split(',')));
        is_of_ours && all.all(|name| name.trim().is_empty() || names.contains(name.trim()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_group_is_private_only_if_it_has_no_other_member() {
        let lists = Lists {
            users: "root:x:0:0:root:/root:/bin/sh\nann:x:1000:1000::/home/ann:/bin/sh\nbob:x:1001:1001::/:/bin/sh\n\
                    eve:x:1002:1003::/:/bin/sh\ndan:x:1004:1004::/:/bin/sh\nbad line\n"
                .to_owned(),
            groups: "root:x:0:\nann:x:1000:ann\nbob:x:1001:ann\nstaff:x:50:\nshared:x:1003:\ndan:x:1004:root,eve\n"
                .to_owned(),
        };
        assert!(lists.is_private(1000, 1000), "her own");
        assert!(lists.is_private(0, 1000), "root's");
        assert!(!lists.is_private(1001, 1000), "another user's, whose member she is");
        assert!(!lists.is_private(50, 1000), "no user's own");
        assert!(!lists.is_private(1003, 1000), "another user's by /etc/passwd alone");
        assert!(!lists.is_private(1004, 1004), "one with another member");
        assert!(!lists.is_private(7, 1000), "not known");
        assert!(!Lists::default().is_private(1000, 1000), "nothing is known");
    }
}
