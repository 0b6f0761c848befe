import { type Client, type ClientGroup, MODEL, PROVIDER_KEY, TOOL, type Untyped } from './client.ts';
import { TOOL_RESULT } from './replies.ts';
import { joined } from './sdk-clients.ts';

const dataUrl = (png: string) => `data:image/png;base64,${png}`;

export const langchainClients: ClientGroup = async (load, { v1, root, key }) => {
  const [{ ChatOpenAI }, { ChatAnthropic }, { ChatGoogleGenerativeAI }] = await Promise.all(
    ['openai', 'anthropic', 'google-genai'].map((name) => load(`@langchain/${name}`)),
  );
  const defaultHeaders = { 'X-API-Key': key };
  const openai = { apiKey: PROVIDER_KEY, model: MODEL, configuration: { baseURL: v1, defaultHeaders } };
  const anthropic = new ChatAnthropic({
    // Its key is sent as X-API-Key: the gateway's, which replaces it with the project's credential.
    ...{ apiKey: key, model: 'claude-standin', maxTokens: 100, anthropicApiUrl: root },
  });
  const google = new ChatGoogleGenerativeAI({
    ...{ apiKey: key, model: 'gemini-2.5-standin', baseUrl: root, maxRetries: 1 },
  });
  return [
    langchainClient('ChatOpenAI', new ChatOpenAI({ ...openai, useResponsesApi: false })),
    langchainClient('ChatOpenAI, responses', new ChatOpenAI({ ...openai, useResponsesApi: true })),
    langchainClient('ChatAnthropic', anthropic),
    langchainClient('ChatGoogleGenerativeAI', google),
  ];
};

function langchainClient(name: string, model: Untyped): Client {
  const { name: tool, description, parameters: schema } = TOOL;
  return {
    name: `LangChain.js, ${name}`,
    ask: async (prompt, signal) => (await model.invoke(prompt, { signal })).text,
    stream: (prompt) => joined(model.stream(prompt), ({ text }) => text ?? ''),
    async callTool(prompt) {
      const { tool_calls } = await model.bindTools([{ name: tool, description, schema }]).invoke(prompt);
      return JSON.stringify(tool_calls[0].args);
    },
    async showImage(text, png) {
      const image = { type: 'image_url', image_url: { url: dataUrl(png) } };
      return (await model.invoke([{ role: 'user', content: [{ type: 'text', text }, image] }])).text;
    },
  };
}

/** OpenAI's agent framework, without its traces, which it would send elsewhere. */
export const agentsClients: ClientGroup = async (load, { v1, key }) => {
  const [agents, { default: OpenAI }] = await Promise.all([load('@openai/agents'), load('openai')]);
  agents.setTracingDisabled(true);
  const client = new OpenAI({
    ...{ baseURL: v1, apiKey: PROVIDER_KEY, defaultHeaders: { 'X-API-Key': key } },
  });
  const modelProvider = new agents.OpenAIProvider({ openAIClient: client });
  const runner = new agents.Runner({ modelProvider, tracingDisabled: true });
  const agent = (tools: unknown[] = []) =>
    new agents.Agent({ name: 'Helper', instructions: 'Be brief.', model: MODEL, tools });
  return [
    {
      name: '@openai/agents',
      ask: async (prompt, signal) => (await runner.run(agent(), prompt, { signal })).finalOutput,
      stream: async (prompt) => {
        const result = await runner.run(agent(), prompt, { stream: true });
        const text = await joined(result.toTextStream(), (piece) => piece);
        await result.completed;
        return text;
      },
      async callTool(prompt) {
        let input = '';
        const { name, description, parameters } = TOOL;
        const execute = (found: unknown) => {
          input = JSON.stringify(found);
          return TOOL_RESULT;
        };
        await runner.run(
          agent([agents.tool({ name, description, parameters, strict: true, execute })]),
          prompt,
        );
        return input;
      },
      async showImage(text, png) {
        const content = [
          { type: 'input_text', text },
          { type: 'input_image', image: dataUrl(png) },
        ];
        return (await runner.run(agent(), [{ role: 'user', content }])).finalOutput;
      },
    },
  ];
};

export const llamaIndexClients: ClientGroup = async (load, { v1, root, key }) => {
  const [{ OpenAI }, { Anthropic }, { default: AnthropicSdk }] = await Promise.all(
    ['@llamaindex/openai', '@llamaindex/anthropic', '@anthropic-ai/sdk'].map(load),
  );
  const defaultHeaders = { 'X-API-Key': key };
  const sdk = new AnthropicSdk({ baseURL: root, authToken: PROVIDER_KEY, defaultHeaders });
  const openai = {
    apiKey: PROVIDER_KEY,
    model: MODEL,
    baseURL: v1,
    additionalSessionOptions: { defaultHeaders },
  };
  return [
    llamaIndexClient('OpenAI', new OpenAI(openai)),
    llamaIndexClient(
      'Anthropic',
      new Anthropic({ model: 'claude-3-5-sonnet', maxTokens: 100, session: { anthropic: sdk } }),
    ),
  ];
};

function llamaIndexClient(name: string, model: Untyped): Client {
  const chat = async (content: unknown, more = {}) =>
    await model.chat({ messages: [{ role: 'user', content }], ...more });
  return {
    name: `LlamaIndex.TS, ${name}`,
    ask: async (prompt) => textOf((await chat(prompt)).message.content),
    stream: (prompt) => joined(chat(prompt, { stream: true }), ({ delta }) => delta ?? ''),
    async callTool(prompt) {
      const { name, description, parameters } = TOOL;
      const tools = [{ metadata: { name, description, parameters }, call: () => TOOL_RESULT }];
      const { input } = (await chat(prompt, { tools })).message.options.toolCall[0];
      return typeof input === 'string' ? input : JSON.stringify(input);
    },
    async showImage(text, png) {
      const image = { type: 'image_url', image_url: { url: dataUrl(png) } };
      return textOf((await chat([{ type: 'text', text }, image])).message.content);
    },
  };
}

const textOf = (content: string | { text?: string }[]): string =>
  typeof content === 'string' ? content : content.map(({ text }) => text ?? '').join('');

export const mastraClients: ClientGroup = async (load, { v1, key }) => {
  const [{ Agent }, { createTool }, { noopLogger }, { createOpenAI }, { z }] = await Promise.all(
    ['@mastra/core/agent', '@mastra/core/tools', '@mastra/core/logger', '@ai-sdk/openai', 'zod'].map(load),
  );
  const openai = createOpenAI({ baseURL: v1, apiKey: PROVIDER_KEY, headers: { 'X-API-Key': key } });
  const agent = (tools = {}) => {
    const model = openai.chat(MODEL);
    const made = new Agent({ id: 'helper', name: 'Helper', instructions: 'Be brief.', model, tools });
    // Otherwise it writes every error to the console.
    made.__setLogger(noopLogger);
    return made;
  };
  return [
    {
      name: 'Mastra',
      async ask(prompt, abortSignal) {
        const { text } = await agent().generate(prompt, { abortSignal });
        // On an abort it returns the partial text.
        abortSignal?.throwIfAborted();
        return text;
      },
      async stream(prompt) {
        const result = await agent().stream(prompt);
        const text = await joined(result.textStream, (piece) => piece);
        // The error is stored, not thrown.
        if (result.error) throw result.error;
        return text;
      },
      async callTool(prompt) {
        let input = '';
        const { name: id, description } = TOOL;
        const tool = createTool({
          ...{ id, description, inputSchema: z.object({ city: z.string() }) },
          execute: (found: unknown) => {
            input = JSON.stringify(found);
            return Promise.resolve(TOOL_RESULT);
          },
        });
        await agent({ [id]: tool }).generate(prompt);
        return input;
      },
      async showImage(text, png) {
        const content = [
          { type: 'text', text },
          { type: 'image', image: dataUrl(png), mimeType: 'image/png' },
        ];
        return (await agent().generate([{ role: 'user', content }])).text;
      },
    },
  ];
};
