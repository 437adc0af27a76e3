//! The subject of a notification or request of the server, as a number for a switch statement.

/// The topic of a message. The numbers are the ABI's and never change.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
#[repr(i32)]
pub enum Topic {
    /// A message without a method of the server's: an outcome, a state, a log line.
    None = 0,
    /// A method that this library does not know.
    Unknown = 1,
    /// The list of tools changed.
    ToolsChanged = 2,
    /// The list of resources (or of resource templates) changed.
    ResourcesChanged = 3,
    /// The list of prompts changed.
    PromptsChanged = 4,
    /// A resource that was subscribed to changed.
    ResourceUpdated = 5,
    /// A log message of the server.
    Log = 6,
    /// Progress of a call.
    Progress = 7,
    /// The server withdrew a request of its own.
    Cancelled = 8,
    /// A task's state.
    Task = 9,
    /// The person is done with an elicitation by URL.
    ElicitationComplete = 10,
    /// A server took up a subscription.
    Subscribed = 11,
    /// A request for a model's answer.
    Sampling = 20,
    /// A request to ask the person.
    Elicitation = 21,
    /// A request for the roots.
    Roots = 22,
}

impl Topic {
    /// Every topic.
    pub const ALL: [Topic; 15] = [
        Topic::None,
        Topic::Unknown,
        Topic::ToolsChanged,
        Topic::ResourcesChanged,
        Topic::PromptsChanged,
        Topic::ResourceUpdated,
        Topic::Log,
        Topic::Progress,
        Topic::Cancelled,
        Topic::Task,
        Topic::ElicitationComplete,
        Topic::Subscribed,
        Topic::Sampling,
        Topic::Elicitation,
        Topic::Roots,
    ];

    /// The topic's name.
    pub fn as_str(self) -> &'static str {
        match self {
            Topic::None => "none",
            Topic::Unknown => "unknown",
            Topic::ToolsChanged => "tools_changed",
            Topic::ResourcesChanged => "resources_changed",
            Topic::PromptsChanged => "prompts_changed",
            Topic::ResourceUpdated => "resource_updated",
            Topic::Log => "log",
            Topic::Progress => "progress",
            Topic::Cancelled => "cancelled",
            Topic::Task => "task",
            Topic::ElicitationComplete => "elicitation_complete",
            Topic::Subscribed => "subscribed",
            Topic::Sampling => "sampling",
            Topic::Elicitation => "elicitation",
            Topic::Roots => "roots",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_topic_has_a_number_and_a_name_of_its_own() {
        let mut numbers: Vec<i32> = Topic::ALL.iter().map(|topic| *topic as i32).collect();
        assert_eq!(numbers, [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 20, 21, 22]);
        numbers.dedup();
        let mut names: Vec<&str> = Topic::ALL.iter().map(|topic| topic.as_str()).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!((names.len(), numbers.len()), (Topic::ALL.len(), Topic::ALL.len()));
    }
}
