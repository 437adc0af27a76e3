//! How much is read of folders of skills: keys of the server's configuration.

use crate::config::define::settings;
use crate::config::fields::GIBIBYTE;
use crate::config::kinds::Size;
use crate::engine::server::Limits;

settings! {
    /// The bounds of skills.
    #[derive(Clone, Copy, Debug)]
    SkillBounds {
        /// skills of one server, those of all folders of `mcp_server_add_skills` together
        skills: usize = Size(0, 100_000), Limits::default().skills;
        /// bytes of the files of all skills together, which the server keeps in memory
        skills_bytes: usize = Size(0, 4 * GIBIBYTE), Limits::default().skills_bytes;
        /// files of one skill that the server publishes. Hosts need not accept more than 512
        skill_files: usize = Size(1, 100_000), 512;
        /// bytes of the files of one skill that the server publishes. Hosts need not accept more than 16 MiB
        skill_bytes: usize = Size(1, GIBIBYTE), 16 << 20;
        /// how deep folders may nest below a folder of skills
        skill_depth: usize = Size(1, 60), 16;
    }
}
