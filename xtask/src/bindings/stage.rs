//! Where the bindings find the library: a folder laid out as an installed one, so that they are built with `pkg-config` as
//! their users build them.

use std::path::PathBuf;

use crate::checkout::{Checkout, read, replace, update};
use crate::release::Built;

/// The folders of a prefix that programs need to know.
pub struct Staged {
    pub library_folder: PathBuf,
    pub pkgconfig: PathBuf,
}

/// Lays the release build out below `target/xtask/stage`. The real installation can take this function's place.
pub fn stage(checkout: &Checkout, built: &Built) -> Result<Staged, String> {
    let include = checkout.scratch("stage/include")?;
    let library_folder = checkout.scratch("stage/lib")?;
    let pkgconfig = checkout.scratch("stage/lib/pkgconfig")?;
    replace(&checkout.header(), &include)?;
    replace(&built.library, &library_folder)?;
    replace(&built.folder.join("libmcp.a"), &library_folder)?;
    let prefix = checkout.scratch("stage")?;
    let manifest = read(&checkout.root.join("Cargo.toml"))?;
    let version = manifest.lines().find_map(|line| line.strip_prefix("version = ")).unwrap_or("\"0\"");
    let text = format!(
        "prefix={}\nlibdir=${{prefix}}/lib\nincludedir=${{prefix}}/include\n\nName: mcp\n\
         Description: Model Context Protocol client\nVersion: {}\nLibs: -L${{libdir}} -lmcp\n\
         Libs.private: -lpthread -ldl -lm\nCflags: -I${{includedir}}\n",
        prefix.display(),
        version.trim_matches('"'),
    );
    update(&pkgconfig.join("mcp.pc"), &text)?;
    Ok(Staged { library_folder, pkgconfig })
}
