//! What a command means on Windows, where `npx` and `uv` are batch files (`npx.cmd`): the file is looked for with the endings of
//! `PATHEXT`, and a batch file is run by `cmd.exe`, whose quoting is another than that of programs. Arguments that cannot be
//! quoted for it are refused: they would be commands (CVE-2024-24576).
//!
//! Pure functions, tested on every system.

/// The endings that are tried where `PATHEXT` says nothing.
pub const USUAL_ENDINGS: &str = ".COM;.EXE;.BAT;.CMD";

/// A file that a command means.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FoundProgram {
    /// Its path.
    pub path: String,
    /// Whether it is a batch file.
    pub batch: bool,
}

/// An argument that no quoting makes safe for a batch file.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error(
    "args[{index}] has the character {character:?}, which a batch file cannot be given safely; name the program behind it as 'command' (for npx: node with the path of npx-cli.js)"
)]
pub struct Unquotable {
    /// Which one, from 0.
    pub index: usize,
    /// The character in it.
    pub character: char,
}

/// Finds the file that `program` means. `path` and `endings` are the variables `PATH` and `PATHEXT`; the current directory is
/// not looked at unless the program names it, since a user who writes there would choose what runs.
pub fn find(program: &str, path: &str, endings: &str, exists: impl Fn(&str) -> bool) -> Option<FoundProgram> {
    let endings: Vec<&str> = endings.split(';').filter(|ending| ending.len() > 1).collect();
    let has_ending = endings.iter().any(|ending| ends_with(program, ending));
    let candidates = |place: &str| {
        let plain = has_ending.then(|| place.to_owned());
        let longer: Vec<String> = endings.iter().map(|ending| format!("{place}{ending}")).collect();
        plain.into_iter().chain(longer).find(|file| exists(file))
    };
    let found = if program.contains(['\\', '/', ':']) {
        candidates(program)
    } else {
        path.split(';')
            .map(|folder| folder.trim_matches('"'))
            .filter(|folder| !folder.is_empty())
            .find_map(|folder| candidates(&format!("{}\\{program}", folder.trim_end_matches('\\'))))
    }?;
    let batch = [".bat", ".cmd"].iter().any(|ending| ends_with(&found, ending));
    Some(FoundProgram { path: found, batch })
}

fn ends_with(text: &str, ending: &str) -> bool {
    text.len() > ending.len()
        && text.get(text.len() - ending.len()..).is_some_and(|tail| tail.eq_ignore_ascii_case(ending))
}

/// The command line that starts the file with these arguments.
///
/// # Errors
/// The argument that cannot be given to a batch file.
pub fn command_line(file: &FoundProgram, args: &[String]) -> Result<String, Unquotable> {
    let mut line = String::new();
    if !file.batch {
        quote(&file.path, &mut line);
        for arg in args {
            line.push(' ');
            quote(arg, &mut line);
        }
        return Ok(line);
    }
    // Without AutoRun, with extensions, without delayed expansion: then only these characters mean anything in quotes.
    line.push_str("cmd.exe /d /e:ON /v:OFF /s /c \"");
    quote_always(&file.path, &mut line);
    for (index, arg) in args.iter().enumerate() {
        if let Some(character) =
            arg.chars().find(|character| matches!(character, '"' | '%' | '\0' | '\r' | '\n'))
        {
            return Err(Unquotable { index, character });
        }
        line.push(' ');
        quote_always(arg, &mut line);
    }
    line.push('"');
    Ok(line)
}

/// As `CommandLineToArgvW` reads it.
fn quote(arg: &str, line: &mut String) {
    if !arg.is_empty() && !arg.contains([' ', '\t', '"']) {
        return line.push_str(arg);
    }
    quote_always(arg, line);
}

fn quote_always(arg: &str, line: &mut String) {
    line.push('"');
    let mut backslashes = 0;
    for character in arg.chars() {
        match character {
            '\\' => backslashes += 1,
            '"' => {
                // Those before a quote count twice, and the quote has one of its own.
                line.extend(std::iter::repeat_n('\\', backslashes + 1));
                backslashes = 0;
            }
            _ => backslashes = 0,
        }
        line.push(character);
    }
    line.extend(std::iter::repeat_n('\\', backslashes));
    line.push('"');
}

#[cfg(test)]
mod tests {
    use super::*;

    fn looked_up(program: &str, files: &[&str]) -> Option<FoundProgram> {
        find(program, r#"C:\node;"C:\Program Files\uv\""#, USUAL_ENDINGS, |file| {
            files.iter().any(|known| known.eq_ignore_ascii_case(file))
        })
    }

    #[test]
    fn a_name_is_found_with_the_endings_of_programs() {
        let npx = looked_up("npx", &[r"C:\node\npx", r"C:\node\npx.cmd"]).expect("found");
        assert!(npx.batch && npx.path.eq_ignore_ascii_case(r"C:\node\npx.cmd"));
        let uv = looked_up("uv", &[r"C:\Program Files\uv\uv.exe"]).expect("found");
        assert!(!uv.batch);
        assert!(looked_up("npx.cmd", &[r"C:\node\npx.cmd"]).is_some_and(|found| found.batch));
        assert!(looked_up(r".\tool", &[r".\tool.EXE"]).is_some());
        assert_eq!(
            looked_up("npx", &[r".\npx.cmd", "npx.cmd"]),
            None,
            "the current directory is not looked at"
        );
    }

    #[test]
    fn a_program_gets_its_arguments_as_they_are() {
        let file = FoundProgram { path: r"C:\Program Files\uv\uv.exe".to_owned(), batch: false };
        let args = ["run", "", "a b", r#"say "hi""#, r"C:\dir\", r"C:\my dir\"].map(str::to_owned);
        assert_eq!(
            command_line(&file, &args).as_deref(),
            Ok(r#""C:\Program Files\uv\uv.exe" run "" "a b" "say \"hi\"" C:\dir\ "C:\my dir\\""#)
        );
    }

    #[test]
    fn a_batch_file_gets_nothing_that_would_be_a_command() {
        let file = FoundProgram { path: r"C:\node\npx.cmd".to_owned(), batch: true };
        let args = ["-y", "@scope/server", "a & calc | b > c ^ d", r"C:\my dir\"].map(str::to_owned);
        assert_eq!(
            command_line(&file, &args).as_deref(),
            Ok(concat!(
                r#"cmd.exe /d /e:ON /v:OFF /s /c ""C:\node\npx.cmd" "-y" "@scope/server" "a & calc | b > c ^ d" "#,
                r#""C:\my dir\\"""#
            ))
        );
        for (arg, character) in [("\"&calc.exe", '"'), ("%PATH%", '%'), ("a\nb", '\n'), ("a\0", '\0')] {
            let refused = command_line(&file, &["ok".to_owned(), arg.to_owned()]);
            assert_eq!(refused, Err(Unquotable { index: 1, character }), "{arg:?}");
        }
    }
}
