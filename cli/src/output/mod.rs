//! What is written: results to standard output, everything else to standard error.
//!
//! [`Screen`] knows the format, the width and whether colours are wanted, and turns a closed pipe into a quiet end. It writes
//! [`Text`], and JSON and YAML in which whatever a terminal would execute or not show is escaped.
//!
//! The files:
//!
//! * `image`: images in terminals that show them
//! * `indent`: JSON text indented, in its own order and with its own numbers
//! * `junit`: results of checks as XML
//! * `png`: pixels of a PNG
//! * `sixel`: pixels as sixels
//! * `locale`: terminals that do not show UTF-8
//! * `table`: rows in columns as wide as the terminal
//! * `text`: `Text`: what may be written for people; texts of others become one by the cleaner
//! * `yaml`: JSON text as YAML

mod image;
mod indent;
mod junit;
mod locale;
mod png;
mod sixel;
mod table;
mod text;
mod yaml;

pub use image::{Images, Protocol, image};
pub use indent::indented;
pub use junit::{Case, junit};
pub use locale::{needs_ascii, shown};
pub use png::size as png_size;
pub use table::table;
pub(crate) use text::text;
pub use text::{Text, beginning, one_line, styled};

use crate::arguments::Format;
use crate::failure::Failure;
use anstyle::{AnsiColor, Style};
use mcp::client::visible::visible_json_into;
use std::io::{ErrorKind, IsTerminal as _, Write as _};
use std::sync::atomic::{AtomicBool, Ordering};

/// Headings of tables and names.
pub const STRONG: Style = Style::new().bold();
/// What is beside the point.
pub const FAINT: Style = Style::new().dimmed();
/// Errors.
pub const ERROR: Style = AnsiColor::Red.on_default().bold();

/// Whether the person is no longer at the terminal.
static ASKS_NO_MORE: AtomicBool = AtomicBool::new(false);

/// Where a command writes.
#[derive(Clone, Copy, Debug)]
pub struct Screen {
    pub format: Format,
}

#[expect(clippy::unused_self, reason = "a command writes to the screen that it was given")]
impl Screen {
    /// Writes a result: text with styles, which are left out where colours are not wanted.
    pub fn write(self, text: impl Into<Text>) -> Result<(), Failure> {
        let text = text.into();
        let text = locale::shown(text.as_str(), &std::io::stdout());
        let mut out = anstream::stdout().lock();
        if image::is_in(&text) {
            // The stream would take an image for a style, and leave it out where none is wanted.
            let is_plain = matches!(out.current_choice(), anstream::ColorChoice::Never);
            drop(out);
            let text = if is_plain { image::without_styles(&text).into() } else { text };
            return self.own(text.as_bytes());
        }
        let done = out.write_all(text.as_bytes()).and_then(|()| out.flush());
        ended(done)
    }

    /// Whether contents of a server may be written as they are, which a terminal might take for commands.
    pub fn takes_bytes() -> Result<(), Failure> {
        if std::io::stdout().is_terminal() {
            return Err(Failure::usage(
                "--raw and '--save -' write bytes as they are, which is not for a terminal: add `> FILE`",
            ));
        }
        Ok(())
    }

    /// Writes what this program has by itself, such as a manual page, as it is.
    pub fn own(self, bytes: &[u8]) -> Result<(), Failure> {
        let mut out = std::io::stdout().lock();
        let done = out.write_all(bytes).and_then(|()| out.flush());
        ended(done)
    }

    /// Writes JSON text: indented, or as YAML where that is wanted.
    pub fn json(self, text: &str) -> Result<(), Failure> {
        let is_foreign = locale::foreign(&std::io::stdout());
        let text = if self.format == Format::Yaml {
            yaml::yaml(text, is_foreign)
                .map_err(|error| Failure::machine(format!("cannot write the result as YAML: {error}")))?
        } else {
            json_text(text, is_foreign)
        };
        self.own(text.as_bytes())
    }

    /// Writes one of many results as it comes: a line of JSON, or a document of YAML.
    pub fn record(self, text: &str) -> Result<(), Failure> {
        if self.format == Format::Yaml {
            self.own(b"---\n")?;
            return self.json(text);
        }
        self.own(json_line(text, locale::foreign(&std::io::stdout())).as_bytes())
    }

    /// Writes names, one a line.
    pub fn names(self, names: &[String]) -> Result<(), Failure> {
        let text: String = names.iter().map(|name| one_line(name) + "\n").collect();
        if text.is_empty() { Ok(()) } else { self.write(text) }
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
        !ASKS_NO_MORE.load(Ordering::Relaxed)
            && std::io::stdin().is_terminal()
            && std::io::stderr().is_terminal()
    }

    /// From here on the person is somewhere else than at the terminal: what needs an answer is a failure that says so, and no thread waits
    /// for one.
    pub fn ask_no_more() {
        ASKS_NO_MORE.store(true, Ordering::Relaxed);
    }

    /// A line for the person, on standard error. A standard error that is closed has no reader to be told.
    pub fn note(text: impl Into<Text>) {
        let text = text.into();
        let text = locale::shown(text.as_str(), &std::io::stderr());
        let _closed = writeln!(anstream::stderr().lock(), "{text}");
    }

    /// What this program says beside a result, in the style of its errors.
    pub fn said(text: impl Into<Text>) {
        Screen::note(text!["mcp: ", text]);
    }

    /// The same for programs: JSON text on one line.
    pub fn note_json(text: &str) {
        let line = json_line(text, locale::foreign(&std::io::stderr()));
        let _closed = std::io::stderr().lock().write_all(line.as_bytes());
    }

    /// The beginning of a line that the person goes on with.
    pub fn ask(question: impl Into<Text>) -> std::io::Result<()> {
        let question = question.into();
        let question = locale::shown(question.as_str(), &std::io::stderr());
        let mut stderr = anstream::stderr().lock();
        write!(stderr, "{question}").and_then(|()| stderr.flush())
    }
}

/// JSON text as it is written for people: indented, with what a terminal would execute or not show as escapes, and what
/// `is_foreign` says.
pub fn json_text(text: &str, is_foreign: fn(char) -> bool) -> String {
    let mut out = String::new();
    visible_json_into(&indented(text), &mut out, is_foreign);
    out.push('\n');
    out
}

/// JSON text on one line, with its end.
fn json_line(text: &str, is_foreign: fn(char) -> bool) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    mcp::client::json_text::one_line_into(text, &mut bytes);
    let mut line = String::new();
    visible_json_into(&String::from_utf8_lossy(&bytes), &mut line, is_foreign);
    line.push('\n');
    line
}

/// A reader that has seen enough closes the pipe; that is not a failure.
fn ended(done: std::io::Result<()>) -> Result<(), Failure> {
    match done {
        Err(error) if error.kind() == ErrorKind::BrokenPipe => std::process::exit(0),
        Err(error) => Err(Failure::machine(format!("cannot write to standard output: {error}"))),
        Ok(()) => Ok(()),
    }
}

/// A number of things, with the plural where it is not one.
pub fn counted(count: impl std::fmt::Display, what: &str) -> String {
    let count = count.to_string();
    let end = if count == "1" { "" } else { "s" };
    format!("{count} {what}{end}")
}

/// A number of bytes for people.
pub fn size(bytes: usize) -> String {
    #[expect(clippy::cast_precision_loss, reason = "shown with one digit")]
    let kibibytes = bytes as f64 / 1024.0;
    match bytes {
        0..1024 => counted(bytes, "byte"),
        1024..1_048_576 => format!("{kibibytes:.1} KiB"),
        _ => format!("{:.1} MiB", kibibytes / 1024.0),
    }
}
