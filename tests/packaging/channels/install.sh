# install.sh by a user who is not root: the program, a C program by pkg-config, and the end of both
useradd --create-home ada
cat >/home/ada/try <<'END'
set -eu
export LIBMCP_FROM=/release PATH="$HOME/.local/bin:$PATH"
sh /release/install.sh
mcp call echo text=Hello -- /made/server
export PKG_CONFIG_PATH=$HOME/.local/lib/pkgconfig LD_LIBRARY_PATH=$HOME/.local/lib
cc ~/.local/share/doc/libmcp/examples/c/quickstart.c $(pkg-config --cflags --libs mcp) -o quickstart
./quickstart /made/server
sh /release/install.sh --uninstall
test -z "$(ls -A ~/.local)"
END
su ada -c 'cd && sh ~/try'
