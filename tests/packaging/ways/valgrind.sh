# Valgrind finds no lost memory, and none at all with the installed file, unless the program forgets some
# needs: valgrind cc pkg-config
look() { valgrind --leak-check=full --error-exitcode=99 --child-silent-after-fork=yes "$@"; }
all="--show-leak-kinds=all --errors-for-leak-kinds=all"
file="--suppressions=$(pkg-config --variable=pkgdatadir mcp)/mcp.supp"
sed 's/mcp_client_free(client) == MCP_OK ? failed : 1/failed/' "$TESTS/consumer.c" >forgets.c
refuse cmp "$TESTS/consumer.c" forgets.c
printf '%s\n' '#include <mcp.h>' 'int main(void) {' '    mcp_client_t *client;' \
    '    const char *config = "{\"url\": \"http://127.0.0.1:1/\"}";' \
    '    return mcp_client_new(config, NULL, &client, NULL) || mcp_client_free(client);' '}' >http.c
for library in mcp mcp-static; do
    flags="-g $(pkg-config --cflags --libs $library) -Wl,-rpath,$PREFIX/lib"
    cc $STRICT_C "$TESTS/consumer.c" $flags -o consumer
    look --errors-for-leak-kinds=definite,possible ./consumer "$SERVER"
    look $all $file ./consumer "$SERVER"
    refuse look $all ./consumer "$SERVER"
    cc $STRICT_C http.c $flags -o http
    look $all $file ./http
    cc $STRICT_C forgets.c $flags -o forgets
    refuse look $all $file ./forgets "$SERVER"
done
