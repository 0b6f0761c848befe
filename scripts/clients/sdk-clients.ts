import { type Client, type Connection, type LoadPackage, PROVIDER_KEY } from './client.ts';

const MODEL = 'gpt-standin';
const messagesOf = (prompt: string) => [{ role: 'user' as const, content: prompt }];

/** The providers' own packages. */
export async function sdkClients(load: LoadPackage, { address, key }: Connection): Promise<Client[]> {
  const [{ default: OpenAI, AzureOpenAI }, { default: Anthropic }] = await Promise.all([
    load('openai'),
    load('@anthropic-ai/sdk'),
  ]);
  const defaultHeaders = { 'X-API-Key': key };
  const openai = new OpenAI({ baseURL: `${address}/api/v1`, apiKey: PROVIDER_KEY, defaultHeaders });
  const azure = new AzureOpenAI({
    ...{ endpoint: `${address}/api`, apiKey: PROVIDER_KEY, apiVersion: '2024-10-21', deployment: MODEL },
    ...{ baseURL: undefined, defaultHeaders },
  });
  const anthropic = new Anthropic({ baseURL: `${address}/api`, authToken: PROVIDER_KEY, defaultHeaders });
  const message = (content: string) => ({ model: MODEL, max_tokens: 100, messages: messagesOf(content) });
  return [
    chatClient('openai, chat completions', openai),
    chatClient('openai, AzureOpenAI', azure),
    {
      name: 'openai, responses',
      form: 'responses',
      ask: async (input, signal) =>
        (await openai.responses.create({ model: MODEL, input }, { signal })).output_text,
      stream: (input) =>
        joined(openai.responses.create({ model: MODEL, input, stream: true }), (event) =>
          event.type === 'response.output_text.delta' ? event.delta : '',
        ),
    },
    {
      name: '@anthropic-ai/sdk',
      form: 'messages',
      ask: async (prompt, signal) =>
        (await anthropic.messages.create(message(prompt), { signal })).content
          .map(({ text }: { text?: string }) => text ?? '')
          .join(''),
      stream: (prompt) =>
        joined(anthropic.messages.create({ ...message(prompt), stream: true }), (event) =>
          event.type === 'content_block_delta' ? (event.delta.text ?? '') : '',
        ),
    },
  ];
}

/** Google's package knows a key alone: the gateway's, with the credential that is stored on the project. */
export async function googleClients(load: LoadPackage, { address, key }: Connection): Promise<Client[]> {
  const { GoogleGenAI } = await load('@google/genai');
  const google = new GoogleGenAI({ apiKey: key, httpOptions: { baseUrl: `${address}/api` } });
  const input = (contents: string) => ({ model: 'gemini-standin', contents });
  return [
    {
      name: '@google/genai',
      form: 'gemini',
      ask: async (prompt, abortSignal) =>
        (await google.models.generateContent({ ...input(prompt), config: { abortSignal } })).text,
      stream: (prompt) =>
        joined(google.models.generateContentStream(input(prompt)), ({ text }) => text ?? ''),
    },
  ];
}

// biome-ignore lint/suspicious/noExplicitAny: see LoadPackage.
function chatClient(name: string, client: any): Client {
  const input = (prompt: string) => ({ model: MODEL, messages: messagesOf(prompt) });
  return {
    name,
    form: 'chat',
    ask: async (prompt, signal) =>
      (await client.chat.completions.create(input(prompt), { signal })).choices[0].message.content,
    stream: (prompt) =>
      joined(
        client.chat.completions.create({ ...input(prompt), stream: true }),
        (chunk) => chunk.choices[0]?.delta?.content ?? '',
      ),
  };
}

// biome-ignore lint/suspicious/noExplicitAny: see LoadPackage.
async function joined(stream: Promise<AsyncIterable<any>>, textOf: (event: any) => string): Promise<string> {
  let text = '';
  for await (const event of await stream) text += textOf(event);
  return text;
}
