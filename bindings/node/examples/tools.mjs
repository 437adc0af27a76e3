// tools SERVER [ARGUMENT...]: shows each tool with its arguments, and the three ways in which a call can go wrong.
import { Client, McpError, textOf } from 'libmcp';

const [command, ...args] = process.argv.slice(2);
const client = new Client({ command, args });
try {
  const tools = await client.listTools();
  for (const { name, description, inputSchema } of tools) {
    const names = Object.keys(inputSchema.properties ?? {});
    console.log(`${name}(${names.join(', ')}): ${description}`);
  }

  // The server knows no such tool: either answer is right, an error of the call or a result that says so.
  try {
    const result = await client.callTool('no-such-tool');
    console.log(`no-such-tool failed: ${textOf(result)}`);
  } catch (error) {
    if (!(error instanceof McpError) || error.status !== 'server') throw error;
    console.log(`no-such-tool was refused: ${error.message} (code ${error.code})`);
  }

  // A tool that fails is not a call that fails: the result says so, for the model to read.
  const sum = tools.find(({ name }) => name === 'add' || name === 'get-sum');
  if (sum !== undefined) {
    const wrong = await client.callTool(sum.name, { a: 'two', b: 3 }).catch((error) => ({ isError: true, content: [], error }));
    console.log(`${sum.name}("two", 3) ${wrong.isError ? 'failed' : 'worked'}`);
    console.log(`${sum.name}(2, 3) says ${textOf(await client.callTool(sum.name, { a: 2, b: 3 }))}`);
  }

  // A program gives a call up with a signal, and the library tells the server.
  const slow = tools.find(({ name }) => name === 'slow' || name === 'trigger-long-running-operation');
  if (slow !== undefined) {
    try {
      await client.callTool(slow.name, { ms: 60_000, duration: 60 }, { signal: AbortSignal.timeout(100) });
    } catch (error) {
      console.log(`${slow.name} was given up: ${error.name}`);
    }
  }
} finally {
  await client.close();
}
