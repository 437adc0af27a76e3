# Meson through pkg-config: shared, static, C++
# needs: ninja pkg-config cc g++
# uses tools of Python
cp "$TESTS"/meson/* "$TESTS"/consumer.c "$TESTS"/consumer.cpp .
"$TOOLS/bin/meson" setup build -Dserver="$SERVER"
"$TOOLS/bin/meson" test -C build --print-errorlogs
