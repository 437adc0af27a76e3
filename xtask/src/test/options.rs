//! What the command line of `cargo xtask test` asks for.

use super::{STEPS, Step, When, find};

/// What the command line asks of the steps.
#[derive(Default)]
pub struct Options {
    /// How many schedules the simulator of the engine plays, if not as many as it would by itself.
    pub seeds: Option<u64>,
    /// Part of the names of the C and C++ programs that run, if not all do.
    pub program: Option<String>,
    /// Every step but the weekly ones, and not only those of the core.
    pub all: bool,
    /// Those, too, and the runs that take hours: a million schedules, half an hour a fuzz target, a soak of twenty minutes.
    pub deep: bool,
    /// Whether the steps use what cargo's development profile makes, which is there in a minute, instead of what packages have.
    pub quick: bool,
    /// Whether these steps run beside those of another process of this program, which reads their results.
    pub is_beside: bool,
}

impl Options {
    /// The words that ask for them, for a process that runs steps beside those of this one: never with `--deep`, or a program.
    pub fn words(&self) -> Vec<String> {
        let words = [("--all", self.all), ("--quick", self.quick)].into_iter().filter(|(_, is_so)| *is_so);
        let seeds = self.seeds.iter().flat_map(|seeds| ["--seeds".to_owned(), seeds.to_string()]);
        words.map(|(word, _)| word.to_owned()).chain(seeds).collect()
    }

    /// Whether these steps use what cargo's development profile makes: those of the core do.
    pub(super) fn is_quick(&self, steps: &[&'static Step]) -> bool {
        self.quick || !self.all && steps.iter().all(|step| step.when == When::Core)
    }
}

/// What `--seeds` is with `--deep`, unless it is said.
const DEEP_SEEDS: u64 = 1_000_000;

/// The steps that `--program` narrows.
const STEPS_OF_PROGRAMS: [&str; 7] = ["c", "cpp", "valgrind", "asan", "tsan", "login", "linux-targets"];

/// The steps and options asked for, or `None` if only the list is wanted.
pub fn choose(words: &[&str]) -> Result<Option<(Vec<&'static Step>, Options)>, String> {
    let mut chosen = Vec::new();
    let mut options = Options::default();
    let mut words = words.iter();
    while let Some(word) = words.next() {
        match (*word, words.as_slice().first()) {
            ("--list", _) => return Ok(None),
            ("--only", Some(names)) => {
                words.next();
                for name in names.split(',') {
                    chosen.push(find(name)?);
                }
            }
            ("--only", None) => return Err("--only needs the name of a step; --list shows them".to_owned()),
            ("--seeds", Some(number)) => {
                words.next();
                let seeds = number.parse().map_err(|_| format!("--seeds needs a number, not {number}"))?;
                options.seeds = Some(seeds);
            }
            ("--seeds", None) => return Err("--seeds needs a number".to_owned()),
            ("--all", _) => options.all = true,
            ("--deep", _) => {
                options.all = true;
                options.deep = true;
            }
            ("--quick", _) => options.quick = true,
            ("--beside", _) => options.is_beside = true,
            ("--program", Some(name)) => {
                words.next();
                options.program = Some((*name).to_owned());
            }
            ("--program", None) => return Err("--program needs a part of a program's name".to_owned()),
            (other, _) => {
                return Err(format!(
                    "test does not know {other}; it takes --all, --only STEP, --quick, --program NAME, --seeds N, --deep and --list"
                ));
            }
        }
    }
    if options.deep {
        options.seeds = options.seeds.or(Some(DEEP_SEEDS));
    }
    if options.program.is_some() {
        let narrowed = |step: &&Step| STEPS_OF_PROGRAMS.contains(&step.name);
        if chosen.is_empty() || !chosen.iter().all(narrowed) {
            return Err(format!("--program needs --only with some of {}", STEPS_OF_PROGRAMS.join(", ")));
        }
    }
    let asked = |step: &&Step| match step.when {
        When::Core => true,
        When::Weekly => options.deep,
        _ => options.all,
    };
    let steps = if chosen.is_empty() { STEPS.iter().filter(asked).collect() } else { chosen };
    Ok(Some((steps, options)))
}

#[cfg(test)]
mod tests {
    use super::super::{STEPS, When};
    use super::choose;

    fn names(options: &[&str]) -> Vec<&'static str> {
        let steps = choose(options).ok().flatten().map(|(steps, _)| steps).unwrap_or_default();
        steps.into_iter().map(|step| step.name).collect()
    }

    #[test]
    fn without_options_the_core_runs_and_with_all_what_is_not_weekly() {
        let those =
            |is: fn(When) -> bool| STEPS.iter().filter(move |step| is(step.when)).map(|step| step.name);
        assert!(names(&[]).into_iter().eq(those(|when| when == When::Core)));
        assert!(names(&["--all"]).into_iter().eq(those(|when| when != When::Weekly)));
        assert_eq!(names(&["--deep"]).len(), STEPS.len());
    }

    #[test]
    fn a_process_beside_this_one_is_asked_for_the_same() {
        for asked in ["", "--all", "--quick", "--all --quick --seeds 7"] {
            let words: Vec<&str> = asked.split_whitespace().collect();
            let options = choose(&words).ok().flatten().map(|(_, options)| options);
            assert_eq!(options.unwrap_or_default().words(), words);
        }
    }

    #[test]
    fn the_core_alone_takes_the_library_that_is_built_quickly() {
        let is_quick =
            |words: &[&str]| choose(words).ok().flatten().map(|(steps, options)| options.is_quick(&steps));
        assert_eq!(is_quick(&[]), Some(true));
        assert_eq!(is_quick(&["--only", "c,cli"]), Some(true));
        assert_eq!(is_quick(&["--only", "c,size"]), Some(false));
        assert_eq!(is_quick(&["--only", "bridge", "--quick"]), Some(true));
        assert_eq!(is_quick(&["--all", "--only", "c"]), Some(false));
    }
}
