# the Debian repository, signed: the program, and a C program by the packages
echo "deb [signed-by=/channels/apt/libmcp.asc] file:/channels/apt stable main" >/etc/apt/sources.list
apt-get update
apt-get install --yes libmcp-bin libmcp-dev
mcp call echo text=Hello -- "$SERVER"
cc /usr/share/doc/libmcp-dev/examples/c/quickstart.c $(pkg-config --cflags --libs mcp) -o quickstart
./quickstart "$SERVER"
# without the repository, as README has it
apt-get remove --yes libmcp-bin libmcp-dev libmcp0
! command -v mcp
apt-get install --yes /release/libmcp*.deb
libmcp --version
