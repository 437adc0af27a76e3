//! What is written: results to standard output, everything else to standard error.
//!
//! [`Screen`] knows the format, the width and whether colours are wanted, and turns a closed pipe into a quiet end.
//!
//! The files:
//!
//! * `indent`: JSON text indented, in its own order and with its own numbers
//! * `locale`: terminals that do not show UTF-8
//! * `plain`: text of servers without what a terminal would execute
//! * `table`: rows in columns as wide as the terminal
//! * `yaml`: JSON text as YAML

mod indent;
mod locale;
mod plain;
mod table;
mod yaml;

pub use indent::indented;
pub use plain::{one_line, plain};
pub use table::table;

use crate::arguments::Format;
use crate::failure::Failure;
use anstyle::{AnsiColor, Style};
use std::io::{ErrorKind, IsTerminal as _, Write as _};

/// Headings of tables and names.
pub const STRONG: Style = Style::new().bold();
/// What is beside the point.
pub const FAINT: Style = Style::new().dimmed();
/// Errors.
pub const ERROR: Style = AnsiColor::Red.on_default().bold();

/// Where a command writes.
#[derive(Clone, Copy, Debug)]
pub struct Screen {
    pub format: Format,
}

#[expect(clippy::unused_self, reason = "a command writes to the screen that it was given")]
impl Screen {
    /// Writes a result: text with styles, which are left out where colours are not wanted.
    pub fn write(self, text: &str) -> Result<(), Failure> {
        let text = locale::shown(text, &std::io::stdout());
        let mut out = anstream::stdout().lock();
        let done = out.write_all(text.as_bytes()).and_then(|()| out.flush());
        ended(done)
    }

    /// Writes bytes as they are.
    pub fn write_bytes(self, bytes: &[u8]) -> Result<(), Failure> {
        let mut out = std::io::stdout().lock();
        let done = out.write_all(bytes).and_then(|()| out.flush());
        ended(done)
    }

    /// Writes JSON text: indented, or as YAML where that is wanted.
    pub fn json(self, text: &str) -> Result<(), Failure> {
        if self.format == Format::Yaml {
            let text = yaml::yaml(text)
                .map_err(|error| Failure::machine(format!("cannot write the result as YAML: {error}")))?;
            return self.write_bytes(text.as_bytes());
        }
        let mut text = indented(text);
        text.push('\n');
        self.write_bytes(text.as_bytes())
    }

    /// Writes one of many results as it comes: a line of JSON, or a document of YAML.
    pub fn record(self, text: &str) -> Result<(), Failure> {
        if self.format == Format::Yaml {
            self.write_bytes(b"---\n")?;
            return self.json(text);
        }
        let mut line = Vec::with_capacity(text.len() + 1);
        mcp::client::json_text::one_line_into(text, &mut line);
        line.push(b'\n');
        self.write_bytes(&line)
    }

    /// Writes names, one a line.
    pub fn names(self, names: &[String]) -> Result<(), Failure> {
        let mut text: String = names.iter().map(|name| one_line(name) + "\n").collect();
        if text.is_empty() {
            return Ok(());
        }
        self.write_bytes(std::mem::take(&mut text).as_bytes())
    }

    /// The width of tables; `None` where lines may have any length.
    pub fn width(self) -> Option<u16> {
        let asked =
            std::env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok()).filter(|it| *it > 0);
        asked.or_else(|| {
            let is_terminal = std::io::stdout().is_terminal();
            is_terminal.then(terminal_size::terminal_size)?.map(|(width, _)| width.0)
        })
    }

    /// Whether a person reads and can be asked.
    pub fn can_ask() -> bool {
        std::io::stdin().is_terminal() && std::io::stderr().is_terminal()
    }

    /// A line for the person, on standard error. A standard error that is closed has no reader to be told.
    pub fn note(text: &str) {
        let text = locale::shown(text, &std::io::stderr());
        let _closed = writeln!(anstream::stderr().lock(), "{text}");
    }
}

/// A reader that has seen enough closes the pipe; that is no failure.
fn ended(done: std::io::Result<()>) -> Result<(), Failure> {
    match done {
        Err(error) if error.kind() == ErrorKind::BrokenPipe => std::process::exit(0),
        Err(error) => Err(Failure::machine(format!("cannot write to standard output: {error}"))),
        Ok(()) => Ok(()),
    }
}

/// A styled text.
pub fn styled(style: Style, text: &str) -> String {
    format!("{style}{text}{style:#}")
}

/// A number of bytes for people.
pub fn size(bytes: usize) -> String {
    #[expect(clippy::cast_precision_loss, reason = "shown with one digit")]
    let kibibytes = bytes as f64 / 1024.0;
    match bytes {
        0..1024 => format!("{bytes} bytes"),
        1024..1_048_576 => format!("{kibibytes:.1} KiB"),
        _ => format!("{:.1} MiB", kibibytes / 1024.0),
    }
}
