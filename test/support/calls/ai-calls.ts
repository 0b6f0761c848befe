import {
  type AskForCalls,
  type CallServer,
  type HandedCall,
  load,
  SCHEMA,
  TASK,
  toolsAs,
  type Untyped,
} from './handed-call.ts';

type AskModel = (server: CallServer) => Promise<AskForCalls>;

const own = ({ key }: CallServer) => ({ headers: { 'x-api-key': key } });

export const askAiChat: AskModel = async (server) => {
  const { createOpenAI } = await load('@ai-sdk/openai');
  return askAi(createOpenAI({ apiKey: 'sk-own', baseURL: `${server.root}/v1`, ...own(server) }).chat('m'));
};

export const askAiResponses: AskModel = async (server) => {
  const { createOpenAI } = await load('@ai-sdk/openai');
  const openai = createOpenAI({ apiKey: 'sk-own', baseURL: `${server.root}/v1`, ...own(server) });
  return askAi(openai.responses('m'));
};

export const askAiMessages: AskModel = async (server) => {
  const { createAnthropic } = await load('@ai-sdk/anthropic');
  return askAi(createAnthropic({ authToken: 'sk-own', baseURL: `${server.root}/v1`, ...own(server) })('m'));
};

export const askAiGemini: AskModel = async ({ root, key: apiKey }) => {
  const { createGoogleGenerativeAI } = await load('@ai-sdk/google');
  return askAi(createGoogleGenerativeAI({ apiKey, baseURL: `${root}/v1beta` })('gemini-standin'));
};

/** The calls that `ai` gives to its program; it runs none whose tool or arguments are not valid. */
async function askAi(model: unknown): Promise<AskForCalls> {
  const ai = await load('ai');
  const tools = Object.fromEntries(
    toolsAs((name) => [name, ai.tool({ inputSchema: ai.jsonSchema(SCHEMA) })] as const),
  );
  const input = { model, prompt: TASK, tools, maxRetries: 0, maxOutputTokens: 100 };
  return async (isStream, hand) => {
    if (!isStream) return (await ai.generateText(input)).toolCalls.flatMap(valid);
    // It runs a tool as soon as its call is there.
    for await (const part of ai.streamText({ ...input, onError: () => undefined }).fullStream) {
      if (part.type === 'tool-call') valid(part).forEach(hand);
      if (part.type === 'error') throw part.error;
    }
    return [];
  };
}

const valid = ({ invalid, toolName, input }: Untyped): HandedCall[] =>
  invalid === true ? [] : [{ name: toolName, given: input }];
