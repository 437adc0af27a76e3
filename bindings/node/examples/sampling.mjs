// sampling SERVER [ARGUMENT...]: lets the server use a language model, here one that counts words.
import { Client, textOf } from 'libmcp';

const [command, ...args] = process.argv.slice(2);
const client = new Client({ command, args }, {
  async sampling({ messages, maxTokens }) {
    const prompt = messages.map(({ content }) => textOf({ content: [content].flat() })).join('\n');
    console.log(`the server asks the model, for at most ${maxTokens} tokens: ${prompt}`);
    const text = `I read ${prompt.split(/\s+/).length} words.`;
    return { role: 'assistant', model: 'word-counter', stopReason: 'endTurn', content: { type: 'text', text } };
  },
});

try {
  const result = await client.callTool('trigger-sampling-request', { prompt: 'How are you?', maxTokens: 100 });
  console.log(`the tool says: ${textOf(result)}`);
} finally {
  await client.close();
}
