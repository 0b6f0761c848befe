import { type Client, type ClientGroup, MODEL, PROVIDER_KEY, TOOL, type Untyped } from './client.ts';

const dataUrl = (png: string) => `data:image/png;base64,${png}`;

/** The packages of OpenAI and Anthropic. */
export const sdkClients: ClientGroup = async (load, { v1, root, key }) => {
  const [{ default: OpenAI, AzureOpenAI }, { default: Anthropic }] = await Promise.all([
    load('openai'),
    load('@anthropic-ai/sdk'),
  ]);
  const defaultHeaders = { 'X-API-Key': key };
  const openai = new OpenAI({ baseURL: v1, apiKey: PROVIDER_KEY, defaultHeaders });
  const azure = new AzureOpenAI({
    ...{ endpoint: root, apiKey: PROVIDER_KEY, apiVersion: '2024-10-21', deployment: MODEL },
    ...{ baseURL: undefined, defaultHeaders },
  });
  const anthropic = new Anthropic({ baseURL: root, authToken: PROVIDER_KEY, defaultHeaders });
  return [
    chatClient('openai, chat completions', openai),
    chatClient('openai, AzureOpenAI', azure),
    responsesClient('openai, responses', openai),
    messagesClient('@anthropic-ai/sdk', anthropic),
  ];
};

function chatClient(name: string, { chat: { completions } }: Untyped): Client {
  const input = (content: unknown) => ({ model: MODEL, messages: [{ role: 'user', content }] });
  const message = async (body: object, signal?: AbortSignal): Promise<Untyped> =>
    (await completions.create(body, { signal })).choices[0].message;
  return {
    name,
    ask: async (prompt, signal) => (await message(input(prompt), signal)).content,
    stream: (prompt) =>
      joined(
        completions.create({ ...input(prompt), stream: true }),
        (chunk) => chunk.choices[0]?.delta?.content ?? '',
      ),
    async callTool(prompt) {
      const tools = [{ type: 'function', function: TOOL }];
      return (await message({ ...input(prompt), tools })).tool_calls[0].function.arguments;
    },
    showImage: async (text, png) => {
      const image = { type: 'image_url', image_url: { url: dataUrl(png) } };
      return (await message(input([{ type: 'text', text }, image]))).content;
    },
  };
}

function responsesClient(name: string, { responses }: Untyped): Client {
  const input = (content: unknown) => ({ model: MODEL, input: [{ role: 'user', content }] });
  return {
    name,
    ask: async (prompt, signal) => (await responses.create(input(prompt), { signal })).output_text,
    stream: (prompt) =>
      joined(responses.create({ ...input(prompt), stream: true }), (event) =>
        event.type === 'response.output_text.delta' ? event.delta : '',
      ),
    async callTool(prompt) {
      const tools = [{ type: 'function', ...TOOL, strict: true }];
      const { output } = await responses.create({ ...input(prompt), tools });
      return output.find(({ type }: { type: string }) => type === 'function_call').arguments;
    },
    showImage: async (text, png) => {
      const content = [
        { type: 'input_text', text },
        { type: 'input_image', image_url: dataUrl(png), detail: 'auto' },
      ];
      return (await responses.create(input(content))).output_text;
    },
  };
}

function messagesClient(name: string, { messages }: Untyped): Client {
  const input = (content: unknown) => ({
    ...{ model: 'claude-standin', max_tokens: 100 },
    messages: [{ role: 'user', content }],
  });
  const textOf = ({ content }: { content: { text?: string }[] }) =>
    content.map(({ text }) => text ?? '').join('');
  return {
    name,
    ask: async (prompt, signal) => textOf(await messages.create(input(prompt), { signal })),
    stream: (prompt) =>
      joined(messages.create({ ...input(prompt), stream: true }), (event) =>
        event.type === 'content_block_delta' ? (event.delta.text ?? '') : '',
      ),
    async callTool(prompt) {
      const { name, description, parameters } = TOOL;
      const tools = [{ name, description, input_schema: parameters }];
      const { content } = await messages.create({ ...input(prompt), tools });
      return JSON.stringify(content.find(({ type }: { type: string }) => type === 'tool_use').input);
    },
    showImage: async (text, png) => {
      const source = { type: 'base64', media_type: 'image/png', data: png };
      const content = [
        { type: 'image', source },
        { type: 'text', text },
      ];
      return textOf(await messages.create(input(content)));
    },
  };
}

export async function joined(
  stream: Promise<AsyncIterable<Untyped>> | AsyncIterable<Untyped>,
  textOf: (event: Untyped) => string,
): Promise<string> {
  let text = '';
  for await (const event of await stream) text += textOf(event);
  return text;
}
