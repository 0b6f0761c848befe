import { type Client, type Connection, type LoadPackage, PROVIDER_KEY } from './client.ts';

/** The `ai` package with the providers that it has packages for. */
export async function aiClients(load: LoadPackage, { address, key }: Connection): Promise<Client[]> {
  const ai = await load('ai');
  const [{ createOpenAI }, { createAnthropic }, { createGoogleGenerativeAI }, { createAzure }] =
    await Promise.all(['openai', 'anthropic', 'google', 'azure'].map((name) => load(`@ai-sdk/${name}`)));
  const headers = { 'X-API-Key': key };
  const base = { apiKey: PROVIDER_KEY, headers };
  const openai = createOpenAI({ ...base, baseURL: `${address}/api/v1` });
  const anthropic = createAnthropic({
    ...{ baseURL: `${address}/api/v1`, authToken: PROVIDER_KEY, headers },
  });
  const google = createGoogleGenerativeAI({ apiKey: key, baseURL: `${address}/api/v1beta` });
  const azure = createAzure({ ...base, baseURL: `${address}/api/openai` });
  const client = (name: string, form: Client['form'], model: unknown): Client => ({
    ...{ name: `ai with ${name}`, form },
    ask: async (prompt, abortSignal) => (await ai.generateText({ model, prompt, abortSignal })).text,
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
  });
  return [
    client('@ai-sdk/openai', 'responses', openai('gpt-standin')),
    client('@ai-sdk/openai, chat', 'chat', openai.chat('gpt-standin')),
    client('@ai-sdk/anthropic', 'messages', anthropic('claude-standin')),
    client('@ai-sdk/google', 'gemini', google('gemini-standin')),
    client('@ai-sdk/azure', 'responses', azure('gpt-standin')),
  ];
}
