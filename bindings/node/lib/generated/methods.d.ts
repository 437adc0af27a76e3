// Written from crates/core/src/protocol/method.rs and the official schemas by `cargo xtask bindings`; do not edit.

/** Every method that the library knows. */
export const METHODS: {
  /** The list of tools. */
  readonly TOOLS_LIST: 'tools/list';
  /** The call of a tool. */
  readonly TOOLS_CALL: 'tools/call';
  /** The list of resources. */
  readonly RESOURCES_LIST: 'resources/list';
  /** The list of resource templates. */
  readonly TEMPLATES_LIST: 'resources/templates/list';
  /** The contents of a resource. */
  readonly RESOURCES_READ: 'resources/read';
  /** Legacy on the wire; in the modern era a part of `subscriptions/listen`. */
  readonly SUBSCRIBE: 'resources/subscribe';
  /** Its end. */
  readonly UNSUBSCRIBE: 'resources/unsubscribe';
  /** The list of prompts. */
  readonly PROMPTS_LIST: 'prompts/list';
  /** One prompt, filled in. */
  readonly PROMPTS_GET: 'prompts/get';
  /** Completion of an argument. */
  readonly COMPLETE: 'completion/complete';
  /** Legacy on the wire; in the modern era a member of each request's `_meta`. */
  readonly SET_LEVEL: 'logging/setLevel';
  /** The list of skills (extension `io.modelcontextprotocol/skills`). */
  readonly SKILLS_LIST: 'skills/list';
  /** The entry of one skill. */
  readonly SKILLS_GET: 'skills/get';
  /** The direct children of a directory resource (extension `io.modelcontextprotocol/skills`). */
  readonly DIRECTORY_READ: 'resources/directory/read';
  /** A task's state. */
  readonly TASKS_GET: 'tasks/get';
  /** Core form of tasks: a task's result, awaited. */
  readonly TASKS_RESULT: 'tasks/result';
  /** Core form of tasks: the tasks there are. Only servers of that form have it, and say so. */
  readonly TASKS_LIST: 'tasks/list';
  /** A task is no longer wanted. */
  readonly TASKS_CANCEL: 'tasks/cancel';
  /** Tasks extension: what the task's server asked for. */
  readonly TASKS_UPDATE: 'tasks/update';
  /** Legacy handshake. */
  readonly INITIALIZE: 'initialize';
  /** Legacy handshake, second half. */
  readonly INITIALIZED: 'notifications/initialized';
  /** Modern discovery, and the probe that tells the era. */
  readonly DISCOVER: 'server/discover';
  /** Legacy liveness request, either way. */
  readonly PING: 'ping';
  /** Either side: the named request's result is no longer wanted. */
  readonly CANCELLED: 'notifications/cancelled';
  /** Modern: a stream of notices. The client opens one for what the application subscribed to. */
  readonly LISTEN: 'subscriptions/listen';
  /** The server reports progress of a request. */
  readonly PROGRESS: 'notifications/progress';
  /** A log message of the server. */
  readonly LOG: 'notifications/message';
  /** The server asks for a model's answer. */
  readonly SAMPLING: 'sampling/createMessage';
  /** The server asks the person. */
  readonly ELICITATION: 'elicitation/create';
  /** The server asks for the roots. */
  readonly ROOTS: 'roots/list';
  /** Legacy: our roots changed. */
  readonly ROOTS_CHANGED: 'notifications/roots/list_changed';
  /** The list of tools changed. */
  readonly TOOLS_CHANGED: 'notifications/tools/list_changed';
  /** The list of resources (or of resource templates) changed. */
  readonly RESOURCES_CHANGED: 'notifications/resources/list_changed';
  /** The list of prompts changed. */
  readonly PROMPTS_CHANGED: 'notifications/prompts/list_changed';
  /** A resource changed. */
  readonly RESOURCE_UPDATED: 'notifications/resources/updated';
  /** 2025-11-25: a page that the server wanted visited is done with. */
  readonly ELICITATION_COMPLETE: 'notifications/elicitation/complete';
  /** Core form of tasks: a task's state. */
  readonly TASK_STATUS: 'notifications/tasks/status';
  /** Tasks extension: a task's state. */
  readonly TASK_STATUS_OF_EXTENSION: 'notifications/tasks';
  /** Modern: the server took up a subscription. */
  readonly ACKNOWLEDGED: 'notifications/subscriptions/acknowledged';
};

/** The codes of errors that the protocol names. */
export const ERROR_CODES: {
  readonly HeaderMismatch: -32020;
  readonly Internal: -32603;
  readonly InvalidParams: -32602;
  readonly InvalidRequest: -32600;
  readonly MethodNotFound: -32601;
  readonly MissingRequiredClientCapability: -32021;
  readonly Parse: -32700;
  readonly URLElicitationRequired: -32042;
  readonly UnsupportedProtocolVersion: -32022;
};
