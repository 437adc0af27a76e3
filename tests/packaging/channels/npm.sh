# the npm packages: the binding's first example, and the program
mkdir program && cd program
echo '{"name": "program", "version": "1.0.0"}' >package.json
npm install --no-audit --no-fund /release/libmcp-linux-x64-gnu-*.tgz /release/libmcp-[0-9]*.tgz
cat >hello.mjs <<'END'
import { Client, textOf } from 'libmcp';
const client = new Client({ command: process.argv[2] });
console.log(textOf(await client.callTool('echo', { text: 'Hello from Node.js' })));
await client.close();
END
node hello.mjs "$SERVER"
npx libmcp call echo text=Hello -- "$SERVER"
