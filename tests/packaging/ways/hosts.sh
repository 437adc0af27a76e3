# programs that never call, that exit without closing, that load and unload, that fork
# needs: cc pkg-config
for name in a_program_that_links_and_never_calls_pays_nothing hosts_that_exit_or_are_traced_leave_no_child \
    loading_and_unloading_fifty_times_leaks_nothing use_after_fork_is_refused; do
    cc $STRICT_C "$ROOT/tests/c/$name.c" $(pkg-config --cflags --libs mcp) -Wl,-rpath,"$PREFIX/lib" -pthread \
        -ldl -o $name
    MCP_SHARED_LIBRARY="$PREFIX/lib/libmcp.so.0" ./$name "$SERVER" "$SCRIPTED"
done
