//! A build without skills.

use super::Server;
use crate::engine::{Error, Status};

impl Server {
    /// Publishes the skills below a folder: this build cannot.
    ///
    /// # Errors
    /// `UNSUPPORTED`.
    #[expect(clippy::unused_self, reason = "the same function as with skills")]
    pub(crate) fn add_skills(&self, _path: &str, _options: Option<&str>) -> Result<(), Error> {
        let what = "this build of the library has no skills (feature 'skills')";
        Err(Error::new(Status::Unsupported, "server_add_skills", what))
    }

    /// Removes the skills of a folder: this build has no skills.
    #[expect(clippy::unused_self, clippy::unnecessary_wraps, reason = "the same function as with skills")]
    pub(crate) fn remove_skills(&self, _path: &str) -> Result<bool, Error> {
        Ok(false)
    }
}
