# the RPM packages: the program, and a C program by the packages
rpm --install --nodeps /release/libmcp0-*.rpm /release/libmcp-devel-*.rpm /release/libmcp-tools-*.rpm
rpm --query --requires libmcp0 | grep 'libc.so.6'
rpm --query --provides libmcp0 | grep 'libmcp.so.0'
rpm --verify --nodeps libmcp0 libmcp-devel libmcp-tools
libmcp call echo text=Hello -- "$SERVER"
export PKG_CONFIG_PATH=/usr/lib64/pkgconfig
cc /usr/share/doc/libmcp-devel/examples/c/quickstart.c $(pkg-config --cflags --libs mcp) -Wl,-rpath,/usr/lib64 -o quickstart
./quickstart "$SERVER"
