//! What a record of a registry may not choose besides its package: what a runner, a loader or an interpreter loads, and from where.

use crate::failure::Failure;
use crate::output::one_line;
use crate::variables;
use serde_json::Value;

/// A runner, the options that a record may give it, and those of them whose value is the next word or stands behind `=`.
type Options = (&'static str, &'static [&'static str], &'static [&'static str]);
/// Every other option may lead to another package, or to one from elsewhere: runners take options in many forms, such as shortened
/// (`--regist`) and joined with their values (`-iURL`).
const OPTIONS: [Options; 3] = [
    (
        "npx",
        &[
            "-y",
            "--yes",
            "-q",
            "--quiet",
            "-s",
            "--silent",
            "--ignore-scripts",
            "--offline",
            "--prefer-offline",
            "--prefer-online",
            "--no-audit",
            "--no-fund",
        ],
        &["--loglevel"],
    ),
    (
        "uvx",
        &[
            "-q",
            "--quiet",
            "-v",
            "--verbose",
            "-n",
            "--no-cache",
            "--refresh",
            "--isolated",
            "--offline",
            "--no-config",
            "--no-env-file",
            "--no-progress",
            "--native-tls",
            "--no-build",
        ],
        &["--python", "--prerelease", "--exclude-newer", "--resolution"],
    ),
    ("dnx", &["-y", "--yes", "--prerelease", "--allow-roll-forward"], &["--framework", "--verbosity"]),
];
/// Options of docker and podman whose value is always the next word: a word behind another one would be the image. Options that open the
/// container to the machine (`--privileged`, `-v /:/host`, `--pid host`) are the person's to judge, who is shown the whole command.
const VALUED: [&str; 54] = [
    "-v",
    "--volume",
    "--mount",
    "--tmpfs",
    "-e",
    "--env",
    "--env-file",
    "--name",
    "--network",
    "--net",
    "-p",
    "--publish",
    "-w",
    "--workdir",
    "-u",
    "--user",
    "-h",
    "--hostname",
    "--add-host",
    "--dns",
    "--entrypoint",
    "--platform",
    "--pull",
    "-l",
    "--label",
    "-m",
    "--memory",
    "--cpus",
    "--shm-size",
    "--ulimit",
    "--device",
    "--gpus",
    "--cap-add",
    "--cap-drop",
    "--security-opt",
    "--restart",
    "--log-driver",
    "--userns",
    "--pid",
    "--ipc",
    "--uts",
    "--cgroupns",
    "--group-add",
    "--volumes-from",
    "--network-alias",
    "--ip",
    "--expose",
    "--log-opt",
    "--sysctl",
    "--pids-limit",
    "--memory-swap",
    "--cpuset-cpus",
    "--dns-search",
    "--stop-timeout",
];
/// Refuses variables that a package sets although only the person may.
pub fn refuse_steering(package: &Value) -> Result<(), Failure> {
    let has_text = |input: &Value| {
        let is_text = |key: &str| input[key].as_str().is_some_and(|text| !text.is_empty());
        is_text("value") || is_text("default")
    };
    for one in package["environmentVariables"].as_array().into_iter().flatten() {
        let name = one["name"].as_str().unwrap_or_default();
        let is_name = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
            && name.chars().all(|c| c.is_ascii_alphanumeric() || "_.-".contains(c));
        if !is_name {
            return Err(Failure::usage(format!("'{}' is not a name of a variable", one_line(name))));
        }
        if has_text(one) && (variables::choose_code(name) || variables::choose_peers(name)) {
            return Err(Failure::usage(format!(
                "its record sets the variable {name}, which chooses what is loaded besides the package or from where; nothing is written"
            )));
        }
    }
    Ok(())
}

/// Refuses words for a runner, as they would be written, that may lead to another package.
pub fn refuse_elsewhere(runner: &str, runtime: &[String]) -> Result<(), Failure> {
    let own = OPTIONS.iter().find(|(name, ..)| *name == runner);
    let valued = own.map_or(&VALUED[..], |(_, _, valued)| valued);
    // Neither a path nor a URL.
    let is_plain = |text: &str| {
        text.starts_with(|c: char| c.is_ascii_alphanumeric())
            && text.chars().all(|c| c.is_ascii_alphanumeric() || "._:+-".contains(c))
    };
    let mut before = "";
    for word in runtime {
        let (option, value) =
            word.split_once('=').map_or((&**word, None), |(name, value)| (name, Some(value)));
        let is_good = match own {
            // A word that is neither an option nor the value of one would be the package.
            _ if valued.contains(&before) => own.is_none() || is_plain(word),
            Some((_, options, _)) => match value {
                Some(value) => valued.contains(&option) && is_plain(value),
                None => options.contains(&option) || valued.contains(&option),
            },
            None => word.starts_with('-') && word != "--",
        };
        before = if valued.contains(&before) { "" } else { word };
        if !is_good {
            return Err(Failure::usage(format!(
                "its record gives {runner} the word '{}', with which another package may run or one from elsewhere; nothing is written",
                one_line(word)
            )));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_record_does_not_choose_what_is_loaded_besides_its_package() {
        for (name, more, is_written) in [
            ("npm_config_registry", json!({"value": "https://evil.example/"}), false),
            ("NODE_OPTIONS", json!({"default": "--require=/x"}), false),
            ("uv_index_url", json!({"value": "x"}), false),
            ("LD_PRELOAD", json!({"value": "x"}), false),
            ("Path", json!({"value": "x"}), false),
            ("docker_host", json!({"value": "x"}), false),
            ("NODE_OPTIONS=x", json!({}), false),
            ("", json!({"value": "x"}), false),
            ("PYTHONWARNINGS", json!({"value": "all:0:antigravity.x:0:0"}), false),
            ("BROWSER", json!({"value": "sh -c x %s"}), false),
            ("CORECLR_PROFILER_PATH", json!({"value": "/x"}), false),
            ("Openssl_Conf", json!({"value": "/x"}), false),
            // The person may give what the record only asks for.
            ("NODE_OPTIONS", json!({}), true),
            ("NODE_ENV", json!({"value": "production"}), true),
            ("PYTHONUNBUFFERED", json!({"value": "1"}), true),
            ("PYTHON_LOG_LEVEL", json!({"default": "INFO"}), true),
            ("GIT_AUTHOR_NAME", json!({"value": "a server"}), true),
            ("GIT_SSH_COMMAND", json!({"value": "x"}), false),
            ("PYTHON_PRESITE", json!({"value": "x"}), false),
            ("JAVA_HOME", json!({"default": "/x"}), false),
        ] {
            let mut one = json!({"name": name});
            one.as_object_mut().expect("an object").extend(more.as_object().expect("an object").clone());
            let package = json!({"environmentVariables": [one]});
            assert_eq!(refuse_steering(&package).is_ok(), is_written, "{name}");
        }
    }

    #[test]
    fn a_record_gives_a_runner_no_way_to_another_package() {
        for (runner, words, is_written) in [
            ("npx", &["-y"][..], true),
            ("npx", &["--loglevel", "error"], true),
            ("npx", &["--registry=https://evil.example/"], false),
            ("npx", &["--regist=https://evil.example/"], false),
            ("npx", &["--@a:registry=https://evil.example/"], false),
            ("npx", &["-p", "evil"], false),
            ("npx", &["--python", "3.12"], false),
            ("npx", &["evil"], false),
            ("npx", &["-y", "evil"], false),
            ("npx", &["--", "evil"], false),
            ("npx", &["--loglevel", "error", "evil"], false),
            ("npx", &["--loglevel", "--loglevel", "evil"], false),
            ("uvx", &["--python", "3.12"], true),
            ("uvx", &["--python=3.12", "--no-cache"], true),
            ("uvx", &["--python", "/tmp/python"], false),
            ("uvx", &["--python=./python"], false),
            ("uvx", &["-ihttps://evil.example/simple"], false),
            ("uvx", &["-wevil"], false),
            ("uvx", &["--overrides=https://evil.example/x"], false),
            ("dnx", &["--prerelease"], true),
            ("dnx", &["--prerelease", "evil"], false),
            ("docker", &["-v", "/data:/data", "--name=x", "--init"], true),
            ("podman", &["--userns", "keep-id", "--group-add", "video", "--pids-limit", "64"], true),
            (
                "docker",
                &["--network-alias", "db", "--log-opt", "max-size=1m", "--sysctl", "net.core.somaxconn=9"],
                true,
            ),
            // The person is shown these, as `--privileged` and `-v /:/host`.
            ("docker", &["--pid", "host", "--ipc", "host", "--volumes-from", "other"], true),
            ("docker", &["--pid", "host", "evil"], false),
            ("podman", &["--pid=host", "evil"], false),
            ("docker", &["--privileged", "evil"], false),
            ("docker", &["evil"], false),
            ("docker", &["--init", "evil"], false),
            ("docker", &["-v", "-v", "evil"], false),
            ("docker", &["--", "evil"], false),
        ] {
            let given: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
            assert_eq!(refuse_elsewhere(runner, &given).is_ok(), is_written, "{runner} {words:?}");
        }
    }
}
