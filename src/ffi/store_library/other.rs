//! Other systems: no store is loaded.

use super::{Find, find};

pub(super) fn load(_: &str) -> Result<(), String> {
    let _: Find = find;
    Err("stores are loaded on Linux only".to_owned())
}
