# gdb shows values as JSON with the installed file
# needs: gdb cc g++ pkg-config
flags="-g -O0 $(pkg-config --cflags --libs mcp) -Wl,-rpath,$PREFIX/lib"
cc $STRICT_C "$TESTS/debugged.c" $flags -o in-c
g++ -std=c++17 $STRICT_CPP "$TESTS/debugged.cpp" $flags -o in-cpp
stop() { gdb -batch -nx -ex 'break look' -ex run -ex up "$@" 2>&1; }
file="source $(pkg-config --variable=pkgdatadir mcp)/mcp_gdb.py"
stop -ex "$file" -ex 'print values' -ex 'print absent' -ex continue -ex up -ex 'print values[1]' ./in-c | tee c
stop -ex "$file" -ex 'print tags' -ex 'print second' -ex 'print parsed' -ex 'print empty' \
    -ex 'generate-core-file core' ./in-cpp | tee cpp
gdb -batch -nx -ex "$file" -ex up -ex 'print second' ./in-cpp core | tee dead
grep -F '$2 = absent' c
grep -F '$4 = empty' cpp
grep -x '$1 = bytes [0-9]* to [0-9]* of handle 0x[0-9a-f]*' dead
# Before version 14, gdb cannot call functions where the processor has more registers than it knows.
if stop -ex 'print (int)mcp_abi_version()' ./in-c | grep '^$1 = [0-9]'; then
    grep -Fx '$1 = {"caf\u00e9", [1, 2.50, null]}' c
    grep -Fx '$3 = absent: its message or document was freed' c
    grep -Fx '$1 = [1, 2.50, null]' cpp
    grep -Fx '$2 = 2.50' cpp
    grep -Fx '$3 = {"tags": [1, 2.50, null]}' cpp
else
    grep '^$1 = {bytes 9 to 20 of handle .*, bytes 30 to 45 of handle ' c
    grep '^$1 = bytes 9 to 24 of handle ' cpp
    grep '^$3 = document with handle ' cpp
fi
