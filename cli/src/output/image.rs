//! Images in terminals that show them, by the protocols of kitty and of iTerm2, and as sixels.

use super::Text;
use super::text::sequence;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use std::fmt::Write as _;
use std::io::IsTerminal as _;

/// How a person wants images to be shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum Images {
    /// By the protocol that the terminal is known for, outside of tmux and screen
    #[default]
    Auto,
    /// As their type and size
    Never,
    /// By the protocol of kitty (PNG)
    Kitty,
    /// By the protocol of iTerm2
    Iterm,
    /// As sixels (PNG)
    Sixel,
}

/// A protocol of terminals for images.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Protocol {
    Kitty,
    Iterm,
    Sixel,
}

/// Terminals that are known by the name in TERM to show sixels. A question to the terminal would have to be taken back from its input.
const SIXEL: [&str; 6] = ["foot", "foot-extra", "mlterm", "contour", "xterm-sixel", "yaft-256color"];

/// How many characters of Base64 one sequence of kitty has.
const CHUNK: usize = 4096;
/// How wide a cell of a terminal is about, in pixels.
const CELL: u32 = 8;
const PNG: &[u8] = b"\x89PNG\r\n\x1a\n";

impl Images {
    /// The protocol for standard output; `None` where images are not shown.
    pub fn protocol(self) -> Option<Protocol> {
        self.of(std::io::stdout().is_terminal(), |name| std::env::var(name).ok())
    }

    fn of(self, is_terminal: bool, variable: impl Fn(&str) -> Option<String>) -> Option<Protocol> {
        match self {
            Images::Never => return None,
            Images::Kitty => return Some(Protocol::Kitty),
            Images::Iterm => return Some(Protocol::Iterm),
            Images::Sixel => return Some(Protocol::Sixel),
            Images::Auto => {}
        }
        let is_set = |name: &str| variable(name).is_some_and(|value| !value.is_empty());
        if !is_terminal || ["TMUX", "STY"].into_iter().any(is_set) {
            return None;
        }
        let word = |name: &str| variable(name).unwrap_or_default();
        let (term, program) = (word("TERM"), word("TERM_PROGRAM"));
        if is_set("KITTY_WINDOW_ID")
            || ["xterm-kitty", "xterm-ghostty"].contains(&&*term)
            || program == "ghostty"
        {
            return Some(Protocol::Kitty);
        }
        let is_iterm =
            ["iTerm.app", "WezTerm", "mintty"].contains(&&*program) || word("LC_TERMINAL") == "iTerm2";
        if is_iterm {
            return Some(Protocol::Iterm);
        }
        SIXEL.contains(&&*term).then_some(Protocol::Sixel)
    }
}

/// An image with a line break behind it; `None` if the protocol does not take its form.
pub fn image(protocol: Protocol, bytes: &[u8]) -> Option<Text> {
    let data = STANDARD.encode(bytes);
    let mut out = String::with_capacity(data.len() + data.len() / 64 + 64);
    match protocol {
        Protocol::Sixel => {
            let columns = terminal_size::terminal_size().map_or(80, |(width, _)| u32::from(width.0));
            out = super::sixel::sixel(&super::png::pixels(bytes)?, columns * CELL);
        }
        Protocol::Iterm => {
            let _infallible = write!(out, "\u{1b}]1337;File=inline=1;size={}:{data}\u{7}", bytes.len());
        }
        Protocol::Kitty => {
            if !bytes.starts_with(PNG) {
                return None;
            }
            // No wider than the terminal, and without an answer, which would stand in the next line that is typed.
            let columns = terminal_size::terminal_size().map_or(80, |(width, _)| width.0);
            let is_wide = super::png::size(bytes).is_some_and(|[width, _]| width / CELL > columns.into());
            let fit = if is_wide { format!(",c={columns}") } else { String::new() };
            let mut control = format!("a=T,f=100,q=2{fit},");
            let mut rest = data.as_str();
            loop {
                let (chunk, more) = rest.split_at(rest.len().min(CHUNK));
                let is_last = more.is_empty();
                let _infallible = write!(out, "\u{1b}_G{control}m={};{chunk}\u{1b}\\", u8::from(!is_last));
                control.clear();
                rest = more;
                if is_last {
                    break;
                }
            }
        }
    }
    out.push('\n');
    Some(sequence(out))
}

/// Whether a text has an image; texts of others cannot.
pub fn is_in(text: &str) -> bool {
    text.contains("\u{1b}_G") || text.contains("\u{1b}]1337;") || text.contains("\u{1b}Pq")
}

/// A text without styles, and with its images.
pub fn without_styles(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find("\u{1b}[") {
        out.push_str(&rest[..at]);
        rest = rest[at..].split_once('m').map_or("", |(_, after)| after);
    }
    out.push_str(rest);
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::output::{FAINT, styled};

    #[test]
    fn the_environment_says_which_terminal_shows_images() {
        let of = |images: Images, is_terminal: bool, variables: &[(&str, &str)]| {
            images.of(is_terminal, |name| {
                variables.iter().find(|(known, _)| *known == name).map(|(_, value)| (*value).to_owned())
            })
        };
        let kitty = ("KITTY_WINDOW_ID", "1");
        for (images, is_terminal, variables, protocol) in [
            (Images::Auto, true, &[kitty][..], Some(Protocol::Kitty)),
            (Images::Auto, false, &[kitty], None),
            (Images::Auto, true, &[kitty, ("TMUX", "/tmp/x")], None),
            (Images::Auto, true, &[("TERM", "xterm-kitty")], Some(Protocol::Kitty)),
            (Images::Auto, true, &[("TERM_PROGRAM", "ghostty")], Some(Protocol::Kitty)),
            (Images::Auto, true, &[("TERM_PROGRAM", "iTerm.app")], Some(Protocol::Iterm)),
            (Images::Auto, true, &[("TERM_PROGRAM", "iTerm.app"), ("STY", "1")], None),
            (Images::Auto, true, &[("LC_TERMINAL", "iTerm2")], Some(Protocol::Iterm)),
            (Images::Auto, true, &[("TERM", "xterm-256color")], None),
            (Images::Never, true, &[kitty], None),
            (Images::Kitty, false, &[], Some(Protocol::Kitty)),
            (Images::Iterm, false, &[("TMUX", "1")], Some(Protocol::Iterm)),
            (Images::Auto, true, &[("TERM", "foot")], Some(Protocol::Sixel)),
            (Images::Auto, true, &[("TERM", "foot"), ("TMUX", "1")], None),
            (Images::Sixel, false, &[], Some(Protocol::Sixel)),
        ] {
            assert_eq!(of(images, is_terminal, variables), protocol, "{images:?} {variables:?}");
        }
    }

    #[test]
    fn kitty_gets_a_png_in_pieces_and_no_other_form() {
        let png = [PNG, b"\0\0\0\rIHDR", &100_u32.to_be_bytes(), &[7; 4000]].concat();
        let text = image(Protocol::Kitty, &png).expect("an image");
        let pieces: Vec<&str> = text.as_str().trim_end().split_terminator("\u{1b}\\").collect();
        assert_eq!(pieces.len(), 2);
        assert!(pieces[0].starts_with("\u{1b}_Ga=T,f=100,q=2,m=1;") && pieces[1].starts_with("\u{1b}_Gm=0;"));
        let data: String =
            pieces.iter().filter_map(|piece| piece.split_once(';')).map(|(_, data)| data).collect();
        assert_eq!(STANDARD.decode(data).expect("Base64"), png);
        let wide = [PNG, b"\0\0\0\rIHDR", &100_000_u32.to_be_bytes(), &[7; 4]].concat();
        assert!(image(Protocol::Kitty, &wide).expect("an image").as_str().contains(",c="));
        assert_eq!(image(Protocol::Kitty, b"GIF89a"), None);
        let text = image(Protocol::Iterm, b"GIF89a").expect("an image");
        assert_eq!(text.as_str(), "\u{1b}]1337;File=inline=1;size=6:R0lGODlh\u{7}\n");
    }

    #[test]
    fn styles_can_be_left_out_and_images_stay() {
        let mut text = styled(FAINT, "note");
        text.push("\n");
        text.push(image(Protocol::Iterm, b"x").expect("an image"));
        assert!(is_in(text.as_str()) && !is_in("\u{241b}_G"));
        assert_eq!(without_styles(text.as_str()), "note\n\u{1b}]1337;File=inline=1;size=1:eA==\u{7}\n");
    }
}
