// progress SERVER [ARGUMENT...]: follows a long call, which may take long as long as it gets on.
import { Client, textOf } from 'libmcp';

const [command, ...args] = process.argv.slice(2);
const client = new Client({ command, args });
try {
  const names = (await client.listTools()).map(({ name }) => name);
  const [tool, work] = names.includes('slow')
    ? ['slow', { ms: 300, steps: 3 }]
    : ['trigger-long-running-operation', { duration: 0.3, steps: 3 }];
  const result = await client.callTool(tool, work, {
    timeoutMs: 10_000,
    resetOnProgress: true,
    maxTotalMs: 60_000,
    onProgress: ({ progress, total }) => console.log(`${progress} of ${total}`),
  });
  console.log(textOf(result));
} finally {
  await client.close();
}
