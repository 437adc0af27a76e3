// Code generated from include/mcp.h by `cargo xtask bindings`. DO NOT EDIT.

package mcp

// Status is how something ended: 0 is success, positive is "nothing went wrong, but", negative is an error.
type Status int32

// StatusOK: Success.
const StatusOK Status = 0

// StatusEmpty: Nothing there: no message within the time, no such value.
const StatusEmpty Status = 1

// StatusWoken: The wait ended because it was asked to.
const StatusWoken Status = 2

// StatusInvalidArgument: An argument is wrong; nothing was done.
const StatusInvalidArgument Status = -1

// StatusTimeout: No answer within the time allowed.
const StatusTimeout Status = -2

// StatusCancelled: Cancelled: a call by the application, a request by the server.
const StatusCancelled Status = -3

// StatusUnavailable: Not connected (waiting for the next attempt), and told not to wait. From mcp_config_load(): the server is disabled.
const StatusUnavailable Status = -4

// StatusTransport: The connection was lost under the call, or could not be made.
const StatusTransport Status = -5

// StatusProtocol: The server broke the rules of the protocol.
const StatusProtocol Status = -6

// StatusServer: The server answered with a JSON-RPC error: its code, message and data are in the error object.
const StatusServer Status = -7

// StatusUnsupported: The server or this build lacks a capability, revision or transport.
const StatusUnsupported Status = -8

// StatusBackpressure: Too much is under way already; try again later.
const StatusBackpressure Status = -9

// StatusTooLarge: Larger than a configured bound.
const StatusTooLarge Status = -10

// StatusAuth: Authorization is missing or was refused.
const StatusAuth Status = -11

// StatusClosed: The client is closed.
const StatusClosed Status = -12

// StatusForked: The process forked since the handle was made; only the parent may use it. The child may make handles of its own.
const StatusForked Status = -13

// StatusInternal: A fault of the library's own.
const StatusInternal Status = -14

// StatusNoMemory: The system gave no memory for what the server sent; it was thrown away, and the client goes on.
const StatusNoMemory Status = -15

// Kind is what a message is.
type Kind int32

// KindReply: The one outcome of a call.
const KindReply Kind = 1

// KindNotification: A notification of the server.
const KindNotification Kind = 2

// KindRequest: A request of the server, to be answered.
const KindRequest Kind = 3

// KindProgress: Progress of a call made with the option "progress".
const KindProgress Kind = 4

// KindState: The connection's state changed.
const KindState Kind = 5

// KindAuth: Authorization wants something of the application: a person, a credential, a place to keep logins, a signature. "kind" in its JSON says what (docs/authorization.md).
const KindAuth Kind = 6

// KindLog: A line of the server's standard error (config "stderr":"message").
const KindLog Kind = 7

// KindLost: Messages were lost because the queue was full; the JSON says how many.
const KindLost Kind = 8

// State is the state of a connection.
type State int32

// StateIdle: Made, nothing started yet.
const StateIdle State = 0

// StateStarting: The server is being started.
const StateStarting State = 1

// StateInitializing: The handshake is under way.
const StateInitializing State = 2

// StateReady: Calls go straight to the server.
const StateReady State = 3

// StateBackoff: The connection was lost; the next attempt has its time.
const StateBackoff State = 4

// StateClosing: Being closed.
const StateClosing State = 5

// StateClosed: Closed for good.
const StateClosed State = 6

// Topic is what a notification or a request is about.
type Topic int32

// TopicNone: No message of the server's.
const TopicNone Topic = 0

// TopicUnknown: A method that this library does not know.
const TopicUnknown Topic = 1

// TopicToolsChanged: The list of tools changed.
const TopicToolsChanged Topic = 2

// TopicResourcesChanged: The list of resources or of resource templates changed.
const TopicResourcesChanged Topic = 3

// TopicPromptsChanged: The list of prompts changed.
const TopicPromptsChanged Topic = 4

// TopicResourceUpdated: A resource that was subscribed to changed.
const TopicResourceUpdated Topic = 5

// TopicLog: A log message of the server.
const TopicLog Topic = 6

// TopicProgress: Progress of a call.
const TopicProgress Topic = 7

// TopicCancelled: The server withdrew a request of its own.
const TopicCancelled Topic = 8

// TopicTask: A task's state.
const TopicTask Topic = 9

// TopicElicitationComplete: The person is done with an elicitation by URL (2025-11-25).
const TopicElicitationComplete Topic = 10

// TopicSubscribed: The server took up a subscription.
const TopicSubscribed Topic = 11

// TopicSampling: A request for a model's answer (sampling/createMessage).
const TopicSampling Topic = 20

// TopicElicitation: A request to ask the person (elicitation/create).
const TopicElicitation Topic = 21

// TopicRoots: A request for the roots (roots/list).
const TopicRoots Topic = 22
