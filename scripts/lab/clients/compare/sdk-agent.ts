/**
 * A coding agent of a provider's own package: asks, runs the tools that the model calls, and answers, each second request
 * streamed. Arguments: the interface, the prompt, `image` if it is shown one, `again` if it continues.
 */
import { execSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Untyped } from '../client.ts';

// Its packages come in two versions, and have no types here.
const { PACKAGES = '', BASE_URL, SERVICE_KEY, HOME = '' } = process.env;
const [name = '', prompt = '', ...modes] = process.argv.slice(2);
const load = (one: string): Promise<Untyped> =>
  import(pathToFileURL(createRequire(`${PACKAGES}/x.js`).resolve(one)).href);

const RULES = readFileSync('AGENTS.md', 'utf8');
const PNG = modes.includes('image') ? readFileSync('pixel.png').toString('base64') : null;
const TOOLS = Object.entries({
  bash: { description: 'Runs a command.', names: ['command'] },
  read: { description: 'Reads a file.', names: ['path'] },
  edit: { description: 'Replaces a text in a file.', names: ['path', 'old_text', 'new_text'] },
}).map(([tool, { description, names }]) => ({
  ...{ name: tool, description },
  parameters: {
    type: 'object',
    properties: Object.fromEntries(names.map((one) => [one, { type: 'string' }])),
    required: names,
  },
}));

function runTool(tool: string, args: Untyped): string {
  try {
    if (tool === 'bash')
      return execSync(args.command, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
    const text = readFileSync(args.path, args.path.endsWith('.png') ? 'base64' : 'utf8');
    if (tool === 'read') return text;
    writeFileSync(args.path, text.replace(args.old_text, args.new_text));
    return 'Done.';
  } catch (thrown) {
    const error = thrown as Untyped;
    return String(error.stdout ?? error.message);
  }
}

/** What an interface needs: its first message, and a turn, which returns the text and the calls of the model. */
const INTERFACES: Readonly<Record<string, () => Promise<Untyped>>> = {
  async chat() {
    const { default: OpenAI } = await load('openai');
    const client = new OpenAI({ baseURL: `${BASE_URL}/v1`, apiKey: SERVICE_KEY });
    const tools = TOOLS.map((tool) => ({ type: 'function', function: tool }));
    return {
      first: { role: 'system', content: RULES },
      user: (text: string) => ({
        role: 'user',
        content: PNG
          ? [
              { type: 'text', text },
              { type: 'image_url', image_url: { url: `data:image/png;base64,${PNG}` } },
            ]
          : text,
      }),
      async turn(messages: Untyped[], isStream: boolean) {
        const body = { model: 'gpt-standin', messages, tools };
        const { choices } = isStream
          ? await client.chat.completions.stream(body).finalChatCompletion()
          : await client.chat.completions.create(body);
        const { role, content, tool_calls } = choices[0].message;
        const calls = (tool_calls ?? []).map(
          ({ id, type, function: { name: tool, arguments: args } }: Untyped) => ({
            ...{ id, type, function: { name: tool, arguments: args } },
          }),
        );
        messages.push({ role, content, ...(calls.length > 0 && { tool_calls: calls }) });
        for (const { id, function: called } of calls) {
          const output = runTool(called.name, JSON.parse(called.arguments));
          messages.push({ role: 'tool', tool_call_id: id, content: output });
        }
        return { text: content, isDone: calls.length === 0 };
      },
    };
  },
  async responses() {
    const { default: OpenAI } = await load('openai');
    const client = new OpenAI({ baseURL: `${BASE_URL}/v1`, apiKey: SERVICE_KEY });
    const tools = TOOLS.map((tool) => ({ type: 'function', strict: false, ...tool }));
    return {
      first: { role: 'developer', content: RULES },
      user: (text: string) => ({
        role: 'user',
        content: [
          { type: 'input_text', text },
          ...(PNG
            ? [{ type: 'input_image', detail: 'auto', image_url: `data:image/png;base64,${PNG}` }]
            : []),
        ],
      }),
      async turn(input: Untyped[], isStream: boolean) {
        const body = { model: 'gpt-standin', input, tools, store: false };
        const { output, output_text } = isStream
          ? await client.responses.stream(body).finalResponse()
          : await client.responses.create(body);
        input.push(...output.map(({ parsed_arguments, ...item }: Untyped) => item));
        const calls = output.filter(({ type }: Untyped) => type === 'function_call');
        for (const call of calls) {
          const result = runTool(call.name, JSON.parse(call.arguments));
          input.push({ type: 'function_call_output', call_id: call.call_id, output: result });
        }
        return { text: output_text, isDone: calls.length === 0 };
      },
    };
  },
  async messages() {
    const { default: Anthropic } = await load('@anthropic-ai/sdk');
    const client = new Anthropic({ baseURL: BASE_URL, authToken: SERVICE_KEY, apiKey: null });
    const tools = TOOLS.map(({ parameters, ...tool }) => ({ ...tool, input_schema: parameters }));
    return {
      user: (text: string) => ({
        role: 'user',
        content: [
          ...(PNG ? [{ type: 'image', source: { type: 'base64', media_type: 'image/png', data: PNG } }] : []),
          { type: 'text', text },
        ],
      }),
      async turn(messages: Untyped[], isStream: boolean) {
        const body = { model: 'claude-standin', max_tokens: 999, system: RULES, messages, tools };
        const { content } = isStream
          ? await client.messages.stream(body).finalMessage()
          : await client.messages.create(body);
        messages.push({ role: 'assistant', content });
        const calls = content.filter(({ type }: Untyped) => type === 'tool_use');
        const results = calls.map(({ id, name: tool, input }: Untyped) => ({
          ...{ type: 'tool_result', tool_use_id: id, content: runTool(tool, input) },
        }));
        if (results.length > 0) messages.push({ role: 'user', content: results });
        return { text: content.map(({ text }: Untyped) => text ?? '').join(''), isDone: calls.length === 0 };
      },
    };
  },
  async gemini() {
    const { GoogleGenAI } = await load('@google/genai');
    const { models } = new GoogleGenAI({ apiKey: SERVICE_KEY, httpOptions: { baseUrl: BASE_URL } });
    const functionDeclarations = TOOLS.map(({ parameters, ...tool }) => ({
      ...tool,
      parametersJsonSchema: parameters,
    }));
    return {
      user: (text: string) => ({
        role: 'user',
        parts: [{ text }, ...(PNG ? [{ inlineData: { mimeType: 'image/png', data: PNG } }] : [])],
      }),
      async turn(contents: Untyped[], isStream: boolean) {
        const config = { systemInstruction: RULES, tools: [{ functionDeclarations }] };
        const body = { model: 'gemini-2.5-pro', contents, config };
        const parts: Untyped[] = [];
        if (isStream)
          for await (const { candidates } of await models.generateContentStream(body))
            parts.push(...(candidates?.[0]?.content?.parts ?? []));
        else parts.push(...(await models.generateContent(body)).candidates[0].content.parts);
        contents.push({ role: 'model', parts });
        const calls = parts.flatMap(({ functionCall }) => functionCall ?? []);
        const results = calls.map(({ id, name: tool, args }) => ({
          functionResponse: { id, name: tool, response: { output: runTool(tool, args) } },
        }));
        if (results.length > 0) contents.push({ role: 'user', parts: results });
        return { text: parts.map(({ text }) => text ?? '').join(''), isDone: calls.length === 0 };
      },
    };
  },
};

const { first, user, turn } = await INTERFACES[name]!();
const file = path.join(HOME, 'history.json');
const isContinued = modes.includes('again') && existsSync(file);
const history = isContinued ? JSON.parse(readFileSync(file, 'utf8')) : first === undefined ? [] : [first];
history.push(user(prompt));
try {
  for (let count = history.length; ; count++) {
    const { text, isDone } = await turn(history, count % 2 === 0);
    if (text) console.log(text);
    if (isDone) break;
  }
} catch (thrown) {
  const error = thrown as Untyped;
  // Google's and Anthropic's packages put the whole body into the message.
  const [, json] = /(\{.*\})/s.exec(error.message ?? '') ?? [];
  const said = json === undefined ? error.message : JSON.parse(json).error.message;
  console.log(error.constructor.name, error.status, said);
}
writeFileSync(file, JSON.stringify(history));
