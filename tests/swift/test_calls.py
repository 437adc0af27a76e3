"""The functions of the library that the Swift package calls: each is exported, and each that is exported is called, or there is a reason why
not. No Swift is needed for it."""

import re

import pytest
import support

PACKAGE = support.ROOT / "bindings/swift"
# Why the package does not call some functions. `mcp_x_*` names all that begin so.
REASONS = {
    "JSON is written by WireEncoder": "mcp_builder_*",
    "JSON is read by WireDecoder": "mcp_value_* mcp_document_* mcp_message_value",
    "JSON is read by WireDecoder and written by WireEncoder": "mcp_json_*",
    "CallToolResult.text has it": "mcp_message_text",
    "CallToolResult.isError has it": "mcp_message_is_tool_error",
    "MCPError is read from the JSON of the message": "mcp_message_error",
    "each client has a queue of its own": "mcp_message_client",
    "each server is polled by itself": "mcp_message_server mcp_server_queue",
    "kinds do not leave the package": "mcp_kind_name",
    "topics do not leave the package": "mcp_topic_name",
    "a function whose feature is not in the build throws .unsupported": "mcp_features",
    "Client(file:server:) loads one by its name": "mcp_config_servers",
    "Client(file:server:) loads one by its name, and has a queue for it": "mcp_config_open",
    "no task waits in a C function: mcp_call_start": "mcp_call",
    "no task waits in a C function: the reply comes with its tag": "mcp_call_wait",
    "it is a call of its method: mcp_call_start":
        "mcp_client_list_tools mcp_client_complete mcp_client_subscribe_resource mcp_client_unsubscribe_resource "
        "mcp_client_set_server_log_level mcp_client_get_task mcp_client_get_task_result mcp_client_cancel_task",
    "clients have queues: mcp_queue_poll": "mcp_client_poll mcp_poll_notification",
    "the thread waits on the queue: mcp_queue_wake": "mcp_client_interrupt mcp_client_wake",
    "closing the server ends the wait of its thread": "mcp_server_wake",
    "a thread waits, no loop of the program": "mcp_client_fd mcp_queue_fd mcp_queue_on_ready mcp_server_fd",
    "each client is made with a queue of its own": "mcp_client_queue",
    "MCPError is read from the JSON of the error": "mcp_error_text",
    "a thread takes the messages, too: mcp_server_poll": "mcp_server_run",
    "mcp_client_connect has its own thread, which ends with it": "mcp_client_connect_start",
    "the owner of the handle knows its client": "mcp_client_user mcp_client_set_user",
    "Telemetry is for bindings that have an OpenTelemetry API to bridge to": "mcp_telemetry_*",
    "transports of the program are not offered in Swift": "mcp_client_new_with_transport mcp_server_attach mcp_transport_*",
    "stores of the program are not offered in Swift; those of libraries are registered by them": "mcp_server_set_store mcp_store_*",
}


def functions(source):
    """The functions of the library that a source calls, also in strings, since Swift has code in them."""
    code = re.sub(r"(?m)^[ \t]*//.*$|//[^\"\n]*$", "", source)
    return set(re.findall(r"\b(mcp_\w+)\s*\(", code))


def called(folder):
    return set().union(*(functions(path.read_text()) for path in folder.rglob("*.swift")))


def exports():
    return (support.ROOT / "include/mcp.exports").read_text().split()


def is_named(name, pattern):
    return name.startswith(pattern[:-1]) if pattern.endswith("*") else name == pattern


def faults(exported, calls, reasons):
    """What is exported and neither called nor has a reason, and reasons that no longer hold."""
    patterns = {pattern: why for why, patterns in reasons.items() for pattern in patterns.split()}
    # A function `_start` is the same one, in which no task waits.
    missing = [name for name in exported if not {name, f"{name}_start"} & calls and not any(is_named(name, it) for it in patterns)]
    found = [f"{name} is not called, and there is no reason why not" for name in missing]
    for pattern, why in patterns.items():
        named = [name for name in exported if is_named(name, pattern)]
        found += [] if named else [f"nothing that is exported is {pattern} ({why})"]
        found += [f"{name} is called, in spite of the reason: {why}" for name in named if name in calls]
    return found


def test_every_function_that_it_calls_is_exported():
    calls = called(PACKAGE)
    assert len(calls) >= 10, f"only {len(calls)} functions were found, which cannot be: {calls}"
    assert not calls - set(exports()), "include/mcp.exports lacks these"


def test_every_function_that_is_exported_is_called_or_has_a_reason():
    assert not faults(exports(), called(PACKAGE / "Sources"), REASONS)


def test_calls_are_found_and_names_alone_are_not():
    source = 'let a = "\\(mcp_version())"\n_ = try? x { mcp_call_cancel(client, 1, nil) } // mcp_client_poll\nmcp_t\n  // mcp_x()'
    assert functions(source) == {"mcp_call_cancel", "mcp_version"}


@pytest.mark.parametrize(
    ("exported", "calls", "reasons", "told"),
    [
        ("mcp_version mcp_server_http mcp_json_get mcp_jsonish", "mcp_version", {"Codable": "mcp_json_*"},
         ["mcp_server_http is not called", "mcp_jsonish is not called"]),
        ("mcp_version mcp_fd", "mcp_version mcp_fd", {"Codable": "mcp_json_*", "a thread": "mcp_fd"},
         ["nothing that is exported is mcp_json_*", "mcp_fd is called, in spite"]),
        ("mcp_call", "mcp_call_start", {}, []),
    ],
)
def test_what_is_not_called_and_reasons_that_no_longer_hold_are_found(exported, calls, reasons, told):
    found = faults(exported.split(), set(calls.split()), reasons)
    assert len(found) == len(told) and all(one.startswith(start) for one, start in zip(found, told, strict=True)), found
