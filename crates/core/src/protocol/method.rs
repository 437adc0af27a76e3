//! The method table: one row for each method that the library knows, with its topic. Every other module reads the properties of a
//! method here.
//!
//! The library passes on a method without a row unchanged.

use super::capability::AskedAnyway;
use super::revision::{Era, Revision};
use std::borrow::Cow;

/// A capability of a server: a JSON pointer into its capabilities, and what it is called in an error.
pub type Capability = (&'static str, &'static str);

/// What a server must have declared for a method to be of use.
#[derive(Clone, Copy, Debug)]
pub enum RequiredCapability {
    /// Nothing.
    Nothing,
    /// This capability.
    Capability(Capability),
    /// This one, which servers have and do not say so.
    AskedAnyway(AskedAnyway),
    /// This capability, at revisions after the first: the first had the method and no capability for it.
    AfterTheFirst(Capability),
    /// This capability in the legacy era; in the modern era the extension that took its place.
    OfTasks(Capability),
}

/// The list that a result holds.
#[derive(Clone, Copy, Debug)]
pub struct ListResult {
    /// The member of the result that is the list.
    pub member: &'static str,
    /// The string by which each entry is used.
    pub named_by: Option<&'static str>,
    /// Whether it comes in pages.
    pub in_pages: bool,
}

const fn pages(member: &'static str, named_by: &'static str) -> ListResult {
    ListResult { member, named_by: Some(named_by), in_pages: true }
}

const fn whole(member: &'static str) -> ListResult {
    ListResult { member, named_by: None, in_pages: false }
}

/// What the parameters of a method name: whose scopes a request needs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NamedEntry {
    /// Nothing that has scopes of its own.
    Nothing,
    /// A tool.
    Tool,
    /// A prompt.
    Prompt,
    /// A resource.
    Resource,
    /// A prompt or a template, one of whose arguments is completed.
    Completion,
    /// A skill.
    Skill,
    /// A directory of skills.
    Directory,
}

/// One method.
#[derive(Clone, Copy, Debug)]
pub struct Method {
    /// The name on the wire.
    pub name: &'static str,
    /// What a server must have declared.
    pub needs: RequiredCapability,
    /// The client capability that lets a server send it.
    pub client_capability: Option<&'static str>,
    /// Whether sending it twice does no more than sending it once: reads and lists, never a tool call.
    pub is_safe: bool,
    /// The list that its result holds.
    pub list: Option<ListResult>,
    /// The member of the parameters that the HTTP header `Mcp-Name` repeats (2026-07-28 "Standard Request Headers"; tasks
    /// extension, "Streamable HTTP").
    pub header_member: Option<&'static str>,
    /// Whether a server may answer it with a request for input (2026-07-28, "Multi Round-Trip Requests").
    pub may_ask: bool,
    /// Whether its results may be kept (2026-07-28 `server/utilities/caching`), and what says that they have changed.
    pub kept_until: Option<Topic>,
    /// Whether its success is state that the server keeps for the connection, to be said again on the next one.
    pub is_restored: bool,
    /// What its parameters name.
    pub names: NamedEntry,
    /// Whether a request waits for a handler or for a task, and takes a place among those in progress: the engine answers the others itself.
    pub takes_place: bool,
    /// What a message of it is about.
    pub topic: Topic,
    /// Why an application may not send it itself, if it may not.
    pub reserved: Option<&'static str>,
}

impl Method {
    /// Whether it is a feature of servers, which the library makes mean the same on every revision.
    pub fn is_feature(&self) -> bool {
        self.name == PING || !matches!(self.needs, RequiredCapability::Nothing)
    }

    /// What it is about, if servers have that and do not say so.
    pub fn asked_anyway(&self) -> Option<AskedAnyway> {
        match self.needs {
            RequiredCapability::AskedAnyway(feature) => Some(feature),
            _ => None,
        }
    }
}

const ROW: Method = Method {
    name: "",
    needs: RequiredCapability::Nothing,
    client_capability: None,
    is_safe: false,
    list: None,
    header_member: None,
    may_ask: false,
    kept_until: None,
    is_restored: false,
    names: NamedEntry::Nothing,
    takes_place: false,
    topic: Topic::Unknown,
    reserved: None,
};

/// Makes a constant for each name, the table, and the look-up. A look-up by `match` costs less than a search.
macro_rules! methods {
    ($($(#[$doc:meta])* $id:ident = $name:literal { $($field:ident: $value:expr),* $(,)? })*) => {
        $(
            $(#[$doc])*
            #[allow(dead_code, reason = "what is in the table alone needs no code of its own")]
            pub const $id: &str = $name;
        )*

        #[expect(non_camel_case_types, clippy::upper_case_acronyms, reason = "the names of the constants")]
        enum Row { $($id),* }

        /// Every method that the library knows.
        pub static METHODS: &[Method] = &[$(Method { name: $name, $($field: $value,)* ..ROW }),*];

        /// The row of a method.
        pub fn find(name: &str) -> Option<&'static Method> {
            let row = match name {
                $($name => Row::$id,)*
                _ => return None,
            };
            METHODS.get(row as usize)
        }
    };
}

const TOOLS: RequiredCapability = RequiredCapability::AskedAnyway(AskedAnyway::Tools);
const RESOURCES: RequiredCapability = RequiredCapability::AskedAnyway(AskedAnyway::Resources);
const SUBSCRIPTIONS: RequiredCapability =
    RequiredCapability::Capability(("/resources/subscribe", "subscriptions to resources"));
const PROMPTS: RequiredCapability = RequiredCapability::AskedAnyway(AskedAnyway::Prompts);
/// The extension that took the place of the core form of tasks.
pub const TASKS_EXTENSION: Capability = ("/extensions/io.modelcontextprotocol~1tasks", "tasks");
const SKILLS: RequiredCapability =
    RequiredCapability::Capability(("/extensions/io.modelcontextprotocol~1skills", "skills"));

const DIRECTORIES: RequiredCapability = RequiredCapability::Capability((
    "/extensions/io.modelcontextprotocol~1skills/directoryRead",
    "reading of directories (directoryRead of the skills)",
));

methods! {
    /// The list of tools.
    TOOLS_LIST = "tools/list" { needs: TOOLS, is_safe: true, list: Some(pages("tools", "name")), kept_until: Some(Topic::ToolsChanged) }
    /// The call of a tool.
    TOOLS_CALL = "tools/call" {
        needs: TOOLS, header_member: Some("name"), may_ask: true, names: NamedEntry::Tool, takes_place: true,
    }
    /// The list of resources.
    RESOURCES_LIST = "resources/list" {
        needs: RESOURCES, is_safe: true, list: Some(pages("resources", "uri")), kept_until: Some(Topic::ResourcesChanged),
    }
    /// The list of resource templates.
    TEMPLATES_LIST = "resources/templates/list" {
        needs: RESOURCES, is_safe: true, list: Some(pages("resourceTemplates", "uriTemplate")), kept_until: Some(Topic::ResourcesChanged),
    }
    /// The contents of a resource.
    RESOURCES_READ = "resources/read" {
        needs: RESOURCES, is_safe: true, header_member: Some("uri"), may_ask: true,
        list: Some(whole("contents")), kept_until: Some(Topic::ResourceUpdated),
        names: NamedEntry::Resource, takes_place: true,
    }
    /// Legacy on the wire; in the modern era a part of `subscriptions/listen`.
    SUBSCRIBE = "resources/subscribe" { needs: SUBSCRIPTIONS, is_safe: true, is_restored: true, names: NamedEntry::Resource }
    /// Its end.
    UNSUBSCRIBE = "resources/unsubscribe" { needs: SUBSCRIPTIONS, is_safe: true, is_restored: true }
    /// The list of prompts.
    PROMPTS_LIST = "prompts/list" {
        needs: PROMPTS, is_safe: true, list: Some(pages("prompts", "name")), kept_until: Some(Topic::PromptsChanged),
    }
    /// One prompt, filled in.
    PROMPTS_GET = "prompts/get" {
        needs: PROMPTS, is_safe: true, list: Some(whole("messages")), header_member: Some("name"), may_ask: true,
        names: NamedEntry::Prompt, takes_place: true,
    }
    /// Completion of an argument.
    COMPLETE = "completion/complete" {
        needs: RequiredCapability::AfterTheFirst(("/completions", "completion")), is_safe: true,
        names: NamedEntry::Completion, takes_place: true,
    }
    /// Legacy on the wire; in the modern era a member of each request's `_meta`.
    SET_LEVEL = "logging/setLevel" {
        needs: RequiredCapability::Capability(("/logging", "log messages")), is_safe: true, is_restored: true,
    }
    /// The list of skills (extension `io.modelcontextprotocol/skills`).
    SKILLS_LIST = "skills/list" { needs: SKILLS, list: Some(pages("skills", "uri")) }
    /// The entry of one skill.
    SKILLS_GET = "skills/get" { needs: SKILLS, names: NamedEntry::Skill }
    /// The direct children of a directory resource (extension `io.modelcontextprotocol/skills`).
    DIRECTORY_READ = "resources/directory/read" {
        needs: DIRECTORIES, list: Some(pages("resources", "uri")), names: NamedEntry::Directory,
    }
    /// A task's state.
    TASKS_GET = "tasks/get" {
        needs: RequiredCapability::OfTasks(("/tasks", "tasks")), is_safe: true, header_member: Some("taskId"),
    }
    /// Core form of tasks: a task's result, awaited.
    TASKS_RESULT = "tasks/result" { needs: RequiredCapability::OfTasks(("/tasks", "tasks")), takes_place: true }
    /// Core form of tasks: the tasks there are. Only servers of that form have it, and say so.
    TASKS_LIST = "tasks/list" {
        needs: RequiredCapability::Capability(("/tasks/list", "list of tasks")), is_safe: true, list: Some(pages("tasks", "taskId")),
    }
    /// A task is no longer wanted.
    TASKS_CANCEL = "tasks/cancel" {
        needs: RequiredCapability::OfTasks(("/tasks/cancel", "cancelling of tasks")), header_member: Some("taskId"),
    }
    /// Tasks extension: what the task's server asked for.
    TASKS_UPDATE = "tasks/update" { header_member: Some("taskId") }

    /// Legacy handshake.
    INITIALIZE = "initialize" {
        reserved: Some("the library performs the handshake itself when the client connects"),
    }
    /// Legacy handshake, second half.
    INITIALIZED = "notifications/initialized" {
        reserved: Some("it is a part of the handshake, which the library performs itself"),
    }
    /// Modern discovery, and the probe that tells the era.
    DISCOVER = "server/discover" { is_safe: true }
    /// Legacy liveness request, either way.
    PING = "ping" { is_safe: true }
    /// Either side: the named request's result is no longer wanted.
    CANCELLED = "notifications/cancelled" {
        topic: Topic::Cancelled,
        reserved: Some("it names a request by the id on the wire, which only the library knows; cancel the call"),
    }
    /// Modern: a stream of notices. The client opens one for what the application subscribed to.
    LISTEN = "subscriptions/listen" {}
    /// The server reports progress of a request.
    PROGRESS = "notifications/progress" { topic: Topic::Progress }
    /// A log message of the server.
    LOG = "notifications/message" { topic: Topic::Log }

    /// The server asks for a model's answer.
    SAMPLING = "sampling/createMessage" { client_capability: Some("sampling"), topic: Topic::Sampling }
    /// The server asks the person.
    ELICITATION = "elicitation/create" { client_capability: Some("elicitation"), topic: Topic::Elicitation }
    /// The server asks for the roots.
    ROOTS = "roots/list" { client_capability: Some("roots"), topic: Topic::Roots }
    /// Legacy: our roots changed.
    ROOTS_CHANGED = "notifications/roots/list_changed" {}

    /// The list of tools changed.
    TOOLS_CHANGED = "notifications/tools/list_changed" { topic: Topic::ToolsChanged }
    /// The list of resources (or of resource templates) changed.
    RESOURCES_CHANGED = "notifications/resources/list_changed" { topic: Topic::ResourcesChanged }
    /// The list of prompts changed.
    PROMPTS_CHANGED = "notifications/prompts/list_changed" { topic: Topic::PromptsChanged }
    /// A resource changed.
    RESOURCE_UPDATED = "notifications/resources/updated" { topic: Topic::ResourceUpdated }
    /// 2025-11-25: a page that the server wanted visited is done with.
    ELICITATION_COMPLETE = "notifications/elicitation/complete" { topic: Topic::ElicitationComplete }
    /// Core form of tasks: a task's state.
    TASK_STATUS = "notifications/tasks/status" { topic: Topic::Task }
    /// Tasks extension: a task's state.
    TASK_STATUS_OF_EXTENSION = "notifications/tasks" { topic: Topic::Task }
    /// Modern: the server took up a subscription.
    ACKNOWLEDGED = "notifications/subscriptions/acknowledged" { topic: Topic::Subscribed }
}

/// The client capability that lets a server send `name` to us; `None` when no such request exists.
pub fn needed_client_capability(name: &str) -> Option<&'static str> {
    find(name)?.client_capability
}

/// The capability that a server must have declared for `name` to be of use; `None` when there is no such capability at this
/// revision.
pub fn needed_server_capability(name: &str, revision: Revision) -> Option<Capability> {
    match find(name)?.needs {
        RequiredCapability::Nothing => None,
        RequiredCapability::AskedAnyway(feature) => Some((feature.pointer(), feature.name())),
        RequiredCapability::Capability(capability) => Some(capability),
        RequiredCapability::AfterTheFirst(capability) => {
            (revision > Revision::V2024_11_05).then_some(capability)
        }
        RequiredCapability::OfTasks(_) if revision.era() == Era::Modern => Some(TASKS_EXTENSION),
        RequiredCapability::OfTasks(capability) => Some(capability),
    }
}

/// Whether sending `name` twice does no more than sending it once.
pub fn is_safe(name: &str) -> bool {
    find(name).is_some_and(|method| method.is_safe)
}

/// The member of the result that holds what is listed; `None` for a method whose result does not come in pages.
pub fn listed(name: &str) -> Option<&'static str> {
    find(name)?.list.filter(|list| list.in_pages).map(|list| list.member)
}

/// What a message of the server with the method `name` is about.
pub fn topic(name: &str) -> Topic {
    find(name).map_or(Topic::Unknown, |method| method.topic)
}

/// Why an application may not send `name` itself, if it may not: the handshake and cancelling belong to the library.
pub fn reserved(name: &str) -> Option<&'static str> {
    find(name)?.reserved
}

/// What a method is called on the wire.
pub fn on_the_wire(name: Cow<'static, str>, era: Option<Era>) -> Cow<'static, str> {
    match (&*name, era) {
        // The modern era has no ping; this is the request that every server answers and that changes nothing.
        (PING, Some(Era::Modern)) => Cow::Borrowed(DISCOVER),
        _ => name,
    }
}

named_numbers! {
    /// The topic of a message. The numbers are the ABI's and never change.
    pub enum Topic {
        /// A message without a method of the server's: an outcome, a state, a log line.
        None = 0 "none",
        /// A method that this library does not know.
        Unknown = 1 "unknown",
        /// The list of tools changed.
        ToolsChanged = 2 "tools_changed",
        /// The list of resources (or of resource templates) changed.
        ResourcesChanged = 3 "resources_changed",
        /// The list of prompts changed.
        PromptsChanged = 4 "prompts_changed",
        /// A resource that was subscribed to changed.
        ResourceUpdated = 5 "resource_updated",
        /// A log message of the server.
        Log = 6 "log",
        /// Progress of a call.
        Progress = 7 "progress",
        /// The server withdrew a request of its own.
        Cancelled = 8 "cancelled",
        /// A task's state.
        Task = 9 "task",
        /// The person is done with an elicitation by URL.
        ElicitationComplete = 10 "elicitation_complete",
        /// A server took up a subscription.
        Subscribed = 11 "subscribed",
        /// A request for a model's answer.
        Sampling = 20 "sampling",
        /// A request to ask the person.
        Elicitation = 21 "elicitation",
        /// A request for the roots.
        Roots = 22 "roots",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_is_found_by_its_name_and_no_name_stands_twice() {
        for method in METHODS {
            assert!(std::ptr::eq(find(method.name).expect("a row"), method), "{}", method.name);
        }
        assert!(find("tools/Call").is_none() && find("").is_none());
    }

    #[test]
    fn tool_calls_are_never_safe_to_repeat() {
        assert!(!is_safe(TOOLS_CALL) && !is_safe("x/unknown"));
        assert!(is_safe(TOOLS_LIST));
    }

    #[test]
    fn each_server_request_names_the_capability_it_needs() {
        assert_eq!(needed_client_capability(SAMPLING), Some("sampling"));
        assert_eq!(needed_client_capability(TOOLS_LIST), None);
    }

    #[test]
    fn what_is_kept_is_safe_to_ask_for_again_and_never_a_request_of_the_server() {
        for method in METHODS.iter().filter(|method| method.kept_until.is_some()) {
            assert!(method.is_safe && method.client_capability.is_none(), "{}", method.name);
        }
    }

    #[test]
    fn a_method_that_is_in_no_row_has_an_unknown_topic() {
        for (name, expected) in [
            ("notifications/tools/list_changed", Topic::ToolsChanged),
            ("notifications/resources/list_changed", Topic::ResourcesChanged),
            ("notifications/prompts/list_changed", Topic::PromptsChanged),
            ("notifications/resources/updated", Topic::ResourceUpdated),
            ("notifications/message", Topic::Log),
            ("notifications/progress", Topic::Progress),
            ("elicitation/create", Topic::Elicitation),
        ] {
            assert_eq!(topic(name), expected);
        }
        assert_eq!(topic("notifications/tools/List_changed"), Topic::Unknown);
        assert_eq!(topic(""), Topic::Unknown);
    }

    #[test]
    fn the_first_revision_completes_without_a_capability() {
        assert_eq!(needed_server_capability(COMPLETE, Revision::V2024_11_05), None);
        assert!(needed_server_capability(COMPLETE, Revision::V2025_03_26).is_some());
    }

    #[test]
    fn tasks_of_the_modern_era_are_an_extension() {
        for name in [TASKS_GET, TASKS_RESULT, TASKS_CANCEL] {
            let pointer = |revision| needed_server_capability(name, revision).expect("a capability").0;
            assert_eq!(pointer(Revision::V2026_07_28), TASKS_EXTENSION.0);
            assert!(pointer(Revision::V2025_11_25).starts_with("/tasks"));
        }
    }

    #[test]
    fn a_ping_of_the_modern_era_is_a_discovery() {
        assert_eq!(on_the_wire(PING.into(), Some(Era::Modern)), DISCOVER);
        assert_eq!(on_the_wire(PING.into(), Some(Era::Legacy)), PING);
        assert_eq!(on_the_wire(TOOLS_LIST.into(), Some(Era::Modern)), TOOLS_LIST);
    }

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
