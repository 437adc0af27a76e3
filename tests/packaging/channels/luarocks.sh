# the rock, with the library of the tarball
luarocks --lua-version 5.1 install --tree rocks /release/libmcp-*.src.rock
mkdir prefix && tar -xzf /release/libmcp-*-x86_64-unknown-linux-gnu.tar.gz --strip-components=1 -C prefix
cat >hello.lua <<'END'
local mcp = require("mcp")
local client = mcp.connect({ command = arg[1] })
print(client:call("echo", { text = "Hello from Lua" }).content[1].text)
client:close()
END
LD_LIBRARY_PATH=prefix/lib LUA_PATH='rocks/share/lua/5.1/?.lua;;' luajit hello.lua "$SERVER"
