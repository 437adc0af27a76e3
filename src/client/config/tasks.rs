//! What a configuration says about tasks, and about the types of results that extensions bring.

use super::times::TaskTimes;
use crate::config::fields::wrong;
use crate::engine::{Error, Settings, TaskSettings};
use crate::protocol::{capability, task};
use serde_json::{Map, Value};

impl TaskTimes {
    /// As the engine takes them, for at most `limit` tasks.
    pub(super) fn settings(self, limit: usize) -> Result<TaskSettings, Error> {
        if self.poll_max_ms < self.poll_min_ms {
            return Err(wrong("tasks.poll_max_ms", "it is smaller than tasks.poll_min_ms"));
        }
        Ok(TaskSettings {
            poll: self.poll_ms,
            poll_min: self.poll_min_ms,
            poll_max: self.poll_max_ms,
            ttl: self.ttl_ms,
            life: self.life_ms,
            limit,
        })
    }
}

/// A client with tasks declares their extension without being asked to.
pub(super) fn with_extension(mut settings: Settings) -> Settings {
    if settings.tasks.is_some() {
        let extensions =
            settings.capabilities.entry("extensions").or_insert_with(|| Value::Object(Map::new()));
        if let Value::Object(extensions) = extensions {
            extensions.entry(task::EXTENSION).or_insert_with(|| Value::Object(Map::new()));
        }
    }
    settings
}

/// The types of results that declared extensions bring.
pub(super) fn result_types(
    by_extension: Vec<(String, Vec<String>)>,
    capabilities: &Map<String, Value>,
) -> Result<Vec<String>, Error> {
    let mut types = Vec::new();
    for (id, names) in by_extension {
        let key = format!("result_types.{id}");
        if !capability::has_extension(capabilities, &id) {
            let what = "there is no such extension in 'capabilities.extensions', where it is declared";
            return Err(wrong(&key, what));
        }
        for name in names {
            if ["complete", "input_required", task::RESULT_TYPE].contains(&name.as_str()) {
                return Err(wrong(&key, format!("'{name}' has a meaning of its own already")));
            }
            types.push(name);
        }
    }
    Ok(types)
}

#[cfg(test)]
mod tests {
    use crate::client::config::Config;
    use serde_json::{Value, json};
    use std::time::Duration;

    fn parse(more: &Value) -> Result<Config, String> {
        let mut config = json!({"command": "server"});
        for (key, value) in more.as_object().expect("an object") {
            config[key] = value.clone();
        }
        Config::parse(&config.to_string()).map_err(|error| error.message)
    }

    #[test]
    fn tasks_are_off_until_they_are_turned_on() {
        assert!(parse(&json!({})).expect("valid").settings.tasks.is_none());
        assert!(parse(&json!({"tasks": false})).expect("valid").settings.tasks.is_none());
        let config = parse(&json!({"tasks": true})).expect("valid");
        assert_eq!(config.settings.tasks.map(|tasks| tasks.limit), Some(256));
        let extension = &config.settings.capabilities["extensions"]["io.modelcontextprotocol/tasks"];
        assert_eq!(*extension, json!({}));
    }

    #[test]
    fn their_pace_and_number_are_bounded() {
        let config = parse(&json!({
            "tasks": {"poll_ms": 5, "poll_min_ms": 1, "poll_max_ms": 9, "ttl_ms": 60000, "life_ms": 7000},
            "limits": {"tasks": 3}
        }));
        let tasks = config.expect("valid").settings.tasks.expect("on");
        assert_eq!((tasks.poll, tasks.poll_max), (Duration::from_millis(5), Duration::from_millis(9)));
        assert_eq!((tasks.ttl, tasks.limit), (Some(Duration::from_secs(60)), 3));
        assert_eq!(tasks.life, Duration::from_secs(7));
        let wrong =
            parse(&json!({"tasks": {"poll_min_ms": 10, "poll_max_ms": 9}})).expect_err("contradictory");
        assert!(wrong.contains("tasks.poll_max_ms"), "{wrong}");
        let wrong = parse(&json!({"tasks": {"pol_ms": 10}})).expect_err("unknown");
        assert!(wrong.contains("tasks.poll_ms"), "{wrong}");
        assert!(parse(&json!({"tasks": 7})).is_err());
        assert!(parse(&json!({"limits": {"tasks": 0}})).is_err());
    }

    #[test]
    fn result_types_belong_to_extensions_that_are_declared() {
        let declared = json!({"extensions": {"com.example/x": {"level": 2}}});
        let config =
            parse(&json!({"capabilities": declared, "result_types": {"com.example/x": ["partial"]}}));
        assert_eq!(config.expect("valid").settings.result_types, ["partial"]);
        let wrong = parse(&json!({"result_types": {"com.example/x": ["partial"]}})).expect_err("undeclared");
        assert!(wrong.contains("capabilities.extensions"), "{wrong}");
        for name in ["complete", "input_required", "task"] {
            let types = json!({"com.example/x": [name]});
            assert!(parse(&json!({"capabilities": declared, "result_types": types})).is_err(), "{name}");
        }
    }
}
