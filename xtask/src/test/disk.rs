//! The room on the disk: a run builds the library some twenty times, and a disk that is full fails steps for reasons that their own
//! output does not show.

use std::path::Path;
use std::process::Command;

use crate::checkout::Checkout;
use crate::machine;

/// What a whole run writes below the target folder, with what it removes again removed.
const WHOLE_RUN: u64 = 25 * GIB;

/// With less than this left when a step fails, the disk may be the reason.
const LITTLE: u64 = GIB;

const GIB: u64 = 1 << 30;

/// The last steps that build in these folders below the target folder. A person's next run begins with them; CI's next run is another
/// checkout.
const LAST_TO_BUILD_IN: [(&str, &str); 7] = [
    ("poll-backend", "poll-backend"),
    ("tsan", "sanitize"),
    ("threads", "loom"),
    ("fuzz", "fuzz"),
    ("macos", "macos"),
    ("windows", "windows"),
    ("platform-packages", "linux-targets"),
];

/// Follows the room on the disk of the target folder through the steps.
pub struct Disk<'a> {
    checkout: &'a Checkout,
    least: Option<(u64, &'static str)>,
}

impl<'a> Disk<'a> {
    /// Says at once that a whole run will not fit.
    pub fn new(checkout: &'a Checkout, whole: bool) -> Self {
        if let Some(room) = room(&checkout.target)
            && whole
            && room < WHOLE_RUN
        {
            println!(
                "the disk of {} has room for {}, and a whole run of the tests may write {}: steps may fail for want of room",
                checkout.target.display(),
                amount(room),
                amount(WHOLE_RUN)
            );
        }
        Self { checkout, least: None }
    }

    /// After a step: what is left, as a sentence if the step failed and there is little. In CI it removes what no later step needs.
    pub fn after(&mut self, step: &'static str, failed: bool) -> Option<String> {
        let room = room(&self.checkout.target)?;
        if self.least.is_none_or(|(least, _)| room < least) {
            self.least = Some((room, step));
        }
        if machine::is_ci() {
            for (_, folder) in LAST_TO_BUILD_IN.iter().filter(|(its, _)| *its == step) {
                let folder = self.checkout.target.join(folder);
                if folder.exists()
                    && let Err(error) = std::fs::remove_dir_all(&folder)
                {
                    println!("  cannot remove {}: {error}", folder.display());
                }
            }
        }
        (failed && room < LITTLE).then(|| {
            format!(
                "  the disk of the target folder had only {} left: what failed may want room",
                amount(room)
            )
        })
    }

    /// The least that was left, for the end of the run.
    pub fn line(&self) -> Option<String> {
        let (room, step) = self.least?;
        Some(format!("the least room on the disk was {}, after {step}", amount(room)))
    }
}

/// The bytes that a program may still write to the disk of this folder, if `df` tells.
fn room(folder: &Path) -> Option<u64> {
    let output = Command::new("df").arg("-Pk").arg(folder).output().ok()?;
    available(&String::from_utf8_lossy(&output.stdout))
}

/// The fourth column of the second line is the number of blocks of 1,024 bytes.
fn available(table: &str) -> Option<u64> {
    table.lines().nth(1)?.split_whitespace().nth(3)?.parse::<u64>().ok()?.checked_mul(1024)
}

fn amount(bytes: u64) -> String {
    if bytes < GIB { format!("{} MiB", bytes >> 20) } else { format!("{} GiB", bytes / GIB) }
}
