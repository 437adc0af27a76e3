// Code generated from include/mcp.h by `cargo xtask bindings`. DO NOT EDIT.

package mcp

// Status is how something ended: 0 is success, positive is "nothing went wrong, but", negative is an error.
type Status int32

// StatusOK: Success.
const StatusOK Status = 0

// StatusEmpty: There is nothing to return: no message arrived in time, or the value does not exist.
const StatusEmpty Status = 1

// StatusWoken: mcp_queue_wake(), mcp_client_wake() or mcp_server_wake() ended the wait.
const StatusWoken Status = 2

// StatusConflict: From a store: what is there is not what was expected. Nothing was written.
const StatusConflict Status = 3

// StatusInvalidArgument: An argument is invalid. Nothing was done.
const StatusInvalidArgument Status = -1

// StatusTimeout: No answer arrived within the time limit.
const StatusTimeout Status = -2

// StatusCancelled: The application cancelled the call, or the server cancelled its request.
const StatusCancelled Status = -3

// StatusUnavailable: The client is not connected (it waits for the next attempt), and the call was told not to wait. From mcp_config_load(): the server is disabled.
const StatusUnavailable Status = -4

// StatusTransport: The connection was lost during the call or could not be opened.
const StatusTransport Status = -5

// StatusProtocol: The server violated the protocol.
const StatusProtocol Status = -6

// StatusServer: The server answered with a JSON-RPC error. The error object has its "code", "message" and "data".
const StatusServer Status = -7

// StatusUnsupported: The server or this build of the library lacks a capability, a revision or a transport.
const StatusUnsupported Status = -8

// StatusBackpressure: Too many operations are pending. Try again later.
const StatusBackpressure Status = -9

// StatusTooLarge: A size exceeds a configured limit.
const StatusTooLarge Status = -10

// StatusAuth: Authorization is missing or was refused.
const StatusAuth Status = -11

// StatusClosed: The client is closed.
const StatusClosed Status = -12

// StatusForked: The handle was created before fork(). Only the parent may use it; the child may create its own handles.
const StatusForked Status = -13

// StatusInternal: The library has a fault.
const StatusInternal Status = -14

// StatusNoMemory: The system refused the memory that a message of the server needed: the library discarded the message, and the client continues. From a document or a builder: it refused the memory for the text.
const StatusNoMemory Status = -15

// Kind is what a message is.
type Kind int32

// KindReply: The outcome of a call.
const KindReply Kind = 1

// KindNotification: A notification of the server.
const KindNotification Kind = 2

// KindRequest: A request of the server. Answer it with mcp_request_respond() or mcp_request_respond_error().
const KindRequest Kind = 3

// KindProgress: Progress of a call that was made with the option "progress".
const KindProgress Kind = 4

// KindState: The state of the connection changed; of a server on a shared queue: all that it served has ended.
const KindState Kind = 5

// KindAuth: A login needs something from the application: a person, a credential, stored logins or a signature. "kind" in the JSON says which (docs/guide/authorization.md).
const KindAuth Kind = 6

// KindStderr: A line of the server's standard error (config "stderr":"message").
const KindStderr Kind = 7

// KindLost: Messages were dropped because the queue was full. The JSON has their number.
const KindLost Kind = 8

// State is the state of a connection.
type State int32

// StateIdle: The client is created; nothing has been started.
const StateIdle State = 0

// StateStarting: The library starts the server.
const StateStarting State = 1

// StateInitializing: The handshake is in progress.
const StateInitializing State = 2

// StateReady: The connection is ready: calls go directly to the server.
const StateReady State = 3

// StateBackoff: The connection was lost, and the client waits before the next attempt.
const StateBackoff State = 4

// StateClosing: The connection is being closed.
const StateClosing State = 5

// StateClosed: The connection is closed and is not opened again.
const StateClosed State = 6

// Topic is what a notification or a request is about.
type Topic int32

// TopicNone: The message is not from the server.
const TopicNone Topic = 0

// TopicUnknown: A method that this library does not know.
const TopicUnknown Topic = 1

// TopicToolsChanged: The list of tools changed.
const TopicToolsChanged Topic = 2

// TopicResourcesChanged: The list of resources or of resource templates changed.
const TopicResourcesChanged Topic = 3

// TopicPromptsChanged: The list of prompts changed.
const TopicPromptsChanged Topic = 4

// TopicResourceUpdated: A subscribed resource changed.
const TopicResourceUpdated Topic = 5

// TopicLog: A log message of the server.
const TopicLog Topic = 6

// TopicProgress: Progress of a call.
const TopicProgress Topic = 7

// TopicCancelled: The server cancelled one of its own requests.
const TopicCancelled Topic = 8

// TopicTask: The state of a task.
const TopicTask Topic = 9

// TopicElicitationComplete: The person has completed an elicitation by URL (2025-11-25).
const TopicElicitationComplete Topic = 10

// TopicSubscribed: The server accepted a subscription.
const TopicSubscribed Topic = 11

// TopicSampling: A request for the answer of a model (sampling/createMessage).
const TopicSampling Topic = 20

// TopicElicitation: A request for input of the person (elicitation/create).
const TopicElicitation Topic = 21

// TopicRoots: A request for the roots (roots/list).
const TopicRoots Topic = 22
