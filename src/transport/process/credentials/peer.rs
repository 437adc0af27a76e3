//! What is known of the process at the other end.

/// The process that connected, as the kernel saw it at that moment.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Credentials {
    /// Its user.
    pub user: u32,
    /// Its group.
    pub group: u32,
    /// Its id; `None` for a process of another namespace, which has no id here.
    pub process: Option<u32>,
}
