#!/bin/sh
# run.sh NAME PROGRAM EXAMPLE_SERVER SCRIPTED_SERVER SCRIPTED_HTTP CLIENTS: runs an example in C or C++ as its page says, and looks at what it
# prints. CLIENTS is the beginning of the paths of the examples in C, which are the clients of those that are servers.
set -u
name=$1 program=$2 example=$3 scripted=$4 http=$5 clients=$6
pages=$(cd "$(dirname "$0")/../page" && pwd)
work=$(mktemp -d) && trap 'exec 3<&- 4>&-; rm -rf "$work"' EXIT && cd "$work" || exit 1
input=
nl='
'

fail() {
    echo "$name: $1"
    for file in out err; do [ ! -e $file ] || { echo "== $file:" && cat $file; }; done
    exit 1
}

# run WORD...: it ends well, and prints something.
run() {
    printf %s "$input" | "$@" >out 2>err || fail "'$*' ended with $?"
    [ -s out ] || fail "'$*' printed nothing"
}

# says TEXT...: each is a part of what it printed.
says() {
    said=$(cat out; echo .)
    for text; do case $said in *"$text"*) ;; *) fail "it does not say '$text'" ;; esac; done
}

# A file of the well-known format with two servers, and one that cannot be started.
servers() {
    printf '{"mcpServers": {"first": {"command": "%s"}, "second": {"command": "%s"}, "missing": {"command": "/nowhere/at/all"}}}\n' \
        "$example" "$scripted" >servers.json
    echo servers.json
}

# A server over the standard streams, by the client: it ends well on a signal, while its client is there. The answer says that it runs.
server() {
    run "$@"
    # A shell has what it starts in the background ignore SIGINT; where `env` cannot undo that, SIGTERM has to do.
    as_started="env --default-signal=INT" signals="TERM INT"
    $as_started true 2>err || as_started='' signals=TERM
    for signal in $signals; do
        rm -f to from && mkfifo to from
        $as_started "$program" $arguments <to >from 2>err &
        server=$!
        exec 4>to 3<from
        echo '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"test","version":"1"}}}' >&4
        read -r _answer <&3 || fail "no answer"
        kill -s $signal $server
        wait $server || fail "it ended with $? on SIG$signal"
        exec 3<&- 4>&-
    done
}
server_of() { server "${clients}$1" "$program"; }
inspected() { server "${clients}inspect" "$@" -- "$program" $arguments; }

arguments=
case $name in
agent)
    input="first slow {\"ms\": 300}${nl}first echo {\"text\": \"Hello\"}${nl}second ask_forever {\"method\": \"sampling/createMessage\"}$nl"
    run "$program" "$(servers)"
    says "missing, state: " "first: Hello" "first, progress: " "waited 300 ms" "No model is here."
    ;;
all_tools) run "$program" "$(servers)"; says "first has 10 tools" "  notify" "second has " "2 of 3 servers answered" ;;
app_window | app_window_qt)
    # Chromium's own sandbox is not for root, who runs this in containers.
    [ "$(id -u)" != 0 ] || export QTWEBENGINE_DISABLE_SANDBOX=1
    # The page draws, asks for a tool that is for pages alone, and is asked before it is removed.
    mkfifo said
    # The end of `timeout` is that of its group: of the display, too. The program is ended by its number.
    timeout -k 5 50 xvfb-run -a sh -c 'echo $$ >pid && exec "$@"' sh \
        "$program" chart '{"city": "Paris"}' "${clients}chart_server" >said 2>err &
    shown=$!
    trap 'kill $shown 2>/dev/null; rm -rf "$work"' EXIT
    exec 3<said
    while read -r line <&3; do
        echo "$line" >>out
        [ "$line" != "the page asks for tools/call" ] || break
    done
    says '{"type":"ready"}' "the page has 300 x " "the page asks for tools/call"
    kill "$(cat pid)"
    wait $shown || fail "it ended with $?"
    trap 'rm -rf "$work"' EXIT
    # A page that tries to get out of its frame reaches nothing, and is removed although it does not answer.
    : >calls
    run timeout -k 5 50 xvfb-run -a "$program" show '{}' node "$pages/hostile.mjs" "$work/calls"
    says "the page has 100000 x 100000 pixels" "5242951 bytes in one message, of 4194304 at most: dropped" "the page asks for tools/call"
    mv calls out
    said=$(cat out)
    case $said in *canary* | *'"secret"'* | *'"nested":true'* | *'"late":true'*) fail "the page got out" ;; esac
    says '"parent document":"refused"' '"bridge":"undefinedundefinedundefined"' '"window":"none"' '"top":"refused"' '"fetch":"refused"' \
        '"socket":"refused"' '"peer":"refused"' '"eval":"refused"' '"storage":"refused"' '"model tool":"error"' '"model tool twice":"error"' \
        '"unknown tool":"error"' '"other method":"error"' '"script link":"denied"' '"message":"denied"' '"still served":"yes"'
    ;;
ask_user) run "$program"; says "the server asks: " "Which size?" "ordered: a large tea for 2.50${nl}the server asks: " ;;
call_with_timeout) run "$program" "$example"; says "100 %" "waited 400 ms" ;;
cancelled_call) run "$program"; says "the answer is not wanted any more" ;;
chart_server) inspected --call chart '{"city": "Paris"}'; says "7, 9, 12, 11, 8, 6 and 10 degrees" ;;
client_calls) run "$program" "$example"; says "from the queue: " "resource: Hello" "prompt: " "subscribed: {" "woken: 1" ;;
config_files) run "$program" "$(servers)"; says "first: 0" "second: 0" ;;
# The daemon ends a second later.
daemon) run "$program" "$example" daemon.log 1; says "daemon " ": the server answers" ;;
events)
    run "$program"
    says '"name":"line.written"' '"events":[],"cursor":"0"' '"cursor":"2","truncated":false,"hasMore":false' \
        '"eventId":"10"' '"cursor":"10","truncated":true,"hasMore":true'
    ;;
elicitation) run "$program" "$example"; says "The server asks: Which colour?" "The tool says: No answer: cancel" ;;
epoll_three_servers)
    run "$program" "$example" ask '{"question": "Which colour?"}' "$scripted" ask_forever '{"method": "sampling/createMessage"}' \
        "$example" echo '{"text": "Hello"}'
    says "blue$nl" '"model":"fixed"' "Hello$nl"
    ;;
folder_server) arguments=.; inspected; says "notes:///{+path}" ;;
futures) run "$program" "$example"; says "2${nl}6${nl}12${nl}20${nl}30$nl" "waited 100 ms" "within 50 ms" ;;
game_tick) inspected --call spawn '{"monsters": 3}'; says "There are 3 monsters" ;;
glib_loop | qt_loop) run "$program" "$example"; says "tick$nl" "step 4$nl" "waited 100 ms" ;;
glib_server | qt_server) inspected --call later '{"ms": 50}'; says "done" ;;
handles) run "$program"; says "1 things; There is no such cart, or it is over." ;;
http_token)
    # It takes no client without the token, says its port, and ends after a minute.
    mkfifo port
    "$http" --life 60 token=the-token-of-the-test </dev/null >port &
    server=$!
    exec 3<port
    read -r port <&3
    MCP_TOKEN=the-token-of-the-test run "$program" "http://127.0.0.1:$port/mcp" echo '{"text": "Hello"}'
    kill $server
    says "progress$nl" "echo says: Hello"
    ;;
inspect) run "$program" --call add '{"a": 2, "b": 3}' -- "$example" ;;
interceptors)
    input="{\"id\": 1, \"from\": \"client\", \"method\": \"tools/call\", \"params\": {\"name\": \"read\"}}
{\"id\": 2, \"from\": \"client\", \"method\": \"tools/call\", \"params\": {\"name\": \"rm_all\"}}
{\"id\": 3, \"from\": \"server\", \"method\": \"tools/call\", \"result\": {\"content\": [{\"type\": \"text\", \"text\": \"sk-1\"}]}, \"request\": 1}
{\"id\": 4, \"from\": \"server\", \"method\": \"tools/call\", \"error\": {\"code\": 1, \"message\": \"x\"}, \"request\": 1}$nl"
    run "$program" "$program" --server
    says '{"id": 1, "action": "pass"}' '{"id": 2, "action": "refuse", "reason": "no-removal: nothing is removed here"}' \
        '{"id": 3, "action": "change", "result": {"content"' 'a key was here' '{"id": 4, "action": "pass"}'
    ;;
json_texts)
    run "$program"
    says "topic tools_changed" 'limit 20, tags ["a", "b"]' '{"path":"notes' "uri file:///a%20b?page=2"
    ;;
libuv_loop) run "$program"; says "call 2: done" "call 1: done" "call 0: done" ;;
long_call) server_of call_with_timeout; says "100 %" "waited 400 ms" ;;
long_task_server) server_of tasks; says ": working" "the server asks: Which colour?" "the outcome: researched amber" ;;
many_tools) run "$program" "$scripted" many-tools=20000; says "echo$nl" "tool-0$nl" "tool-19999$nl" ;;
progress) run "$program" "$example"; says "] 100 %" "waited 400 ms" ;;
prompts) run "$program" "$example"; says "prompt greet with name" '"values":["Ada"' "greeting for Ada" ;;
quickstart) run "$program" "$example"; says "tool: echo${nl}tool: " "Hello from C" ;;
resources_watch) run "$program" "$example" demo://greeting 1; says "demo://greeting: Hello, world!" "changed: {" ;;
sampling)
    run "$program" "$scripted" ask_forever '{"method": "sampling/createMessage"}'
    says "The server asks the model: Say something (at most 10" '"text":"I was told: Say something"'
    ;;
sdl_events) run "$program" "$example"; says "step 4$nl" "waited 100 ms" ;;
sdl_server) inspected --call move '{"x": 3, "y": 4}'; says "The player is at 3, 4" ;;
server_calls) run "$program"; says 'reply: {"a":1,' "server: {" ;;
server_in_loop) run "$program"; says "HTTP/1.1 200" "hello" ;;
server_in_microhttpd) run "$program" --try; says "serving at http://127.0.0.1:" "the tool says: Hello, Ada!" "A page of the program." ;;
tasks)
    run "$program" "$scripted"
    says "task research-000001: working" "task research-000001: input_required" "the server asks: Which colour?" \
        "the outcome: researched honey: amber"
    ;;
terminal_ui) inspected --call set_volume '{"percent": 70}'; says "The volume is 70 %" ;;
tool_server) server_of quickstart; says "tool: echo${nl}Hello from C" ;;
tools) run "$program" "$example"; says "10 tools: {" "Adds two numbers" "add: 5" "fail: the tool failed" ;;
weather_server) run "$program"; says "9 degrees" ;;
*) run "$program" "$example" ;;
esac
