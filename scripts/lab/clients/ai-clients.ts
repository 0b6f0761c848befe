import { type Client, type ClientGroup, MODEL, PROVIDER_KEY, TOOL, type Untyped } from './client.ts';
import { TOOL_RESULT } from './replies.ts';

/** The `ai` package with each of its provider packages. */
export const aiClients: ClientGroup = async (load, { v1, root, bedrock, key }) => {
  const ai = await load('ai');
  const [{ createOpenAI }, { createAnthropic }, { createGoogleGenerativeAI }, { createAzure }, amazon] =
    await Promise.all(
      ['openai', 'anthropic', 'google', 'azure', 'amazon-bedrock'].map((name) => load(`@ai-sdk/${name}`)),
    );
  const headers = { 'X-API-Key': key };
  const openai = createOpenAI({ baseURL: v1, apiKey: PROVIDER_KEY, headers });
  const anthropic = createAnthropic({ baseURL: v1, authToken: PROVIDER_KEY, headers });
  const google = createGoogleGenerativeAI({ apiKey: key, baseURL: `${root}/v1beta` });
  const azure = createAzure({ baseURL: `${root}/openai`, apiKey: PROVIDER_KEY, headers });
  const onBedrock = amazon.createAmazonBedrock({ baseURL: bedrock, apiKey: key, region: 'us-east-1' });
  return [
    aiClient(ai, '@ai-sdk/openai', openai(MODEL)),
    aiClient(ai, '@ai-sdk/openai, chat', openai.chat(MODEL)),
    aiClient(ai, '@ai-sdk/anthropic', anthropic('claude-standin')),
    aiClient(ai, '@ai-sdk/google', google('gemini-standin')),
    aiClient(ai, '@ai-sdk/azure', azure(MODEL)),
    aiClient(ai, '@ai-sdk/amazon-bedrock', onBedrock('anthropic.claude-standin-v1:0')),
  ];
};

function aiClient(ai: Untyped, name: string, model: unknown): Client {
  const generate = async (input: object): Promise<string> =>
    (await ai.generateText({ model, ...input })).text;
  return {
    name: `ai with ${name}`,
    ask: (prompt, abortSignal) => generate({ prompt, abortSignal }),
    async stream(prompt) {
      let failure: unknown;
      const onError = ({ error }: { error: unknown }) => {
        failure = error;
      };
      const { textStream } = ai.streamText({ model, prompt, onError });
      let text = '';
      for await (const piece of textStream) text += piece;
      if (failure !== undefined) throw failure;
      return text;
    },
    async callTool(prompt) {
      let input = '';
      const { name, description, parameters } = TOOL;
      const execute = (found: unknown) => {
        input = JSON.stringify(found);
        return TOOL_RESULT;
      };
      const tools = { [name]: ai.tool({ description, inputSchema: ai.jsonSchema(parameters), execute }) };
      await generate({ prompt, tools, stopWhen: ai.stepCountIs(2) });
      return input;
    },
    showImage: (text, png) =>
      generate({
        messages: [
          {
            role: 'user',
            content: [
              { type: 'text', text },
              { type: 'file', data: Buffer.from(png, 'base64'), mediaType: 'image/png' },
            ],
          },
        ],
      }),
  };
}
