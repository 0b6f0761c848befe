import { type ClientGroup, TOOL } from './client.ts';
import { joined } from './sdk-clients.ts';

/** Google's package sends only a key: the gateway's, which adds the credential stored on the project. */
export const googleClients: ClientGroup = async (load, { root, key }) => {
  const { GoogleGenAI } = await load('@google/genai');
  const { models } = new GoogleGenAI({ apiKey: key, httpOptions: { baseUrl: root } });
  const input = (contents: unknown) => ({ model: 'gemini-standin', contents });
  return [
    {
      name: '@google/genai',
      ask: async (prompt, abortSignal) =>
        (await models.generateContent({ ...input(prompt), config: { abortSignal } })).text,
      stream: (prompt) => joined(models.generateContentStream(input(prompt)), ({ text }) => text ?? ''),
      async callTool(prompt) {
        const { name, description, parameters } = TOOL;
        const functionDeclarations = [{ name, description, parametersJsonSchema: parameters }];
        const config = { tools: [{ functionDeclarations }] };
        const { functionCalls } = await models.generateContent({ ...input(prompt), config });
        return JSON.stringify(functionCalls[0].args);
      },
      async showImage(text, data) {
        const parts = [{ inlineData: { mimeType: 'image/png', data } }, { text }];
        return (await models.generateContent(input(parts))).text;
      },
    },
  ];
};

/** Amazon's package, with the gateway's key as its token; HTTP/1.1, because HTTP/2 without TLS would hang. */
export const bedrockClients: ClientGroup = async (load, { bedrock: endpoint, key }) => {
  const [{ BedrockRuntimeClient, ConverseCommand, ConverseStreamCommand }, { NodeHttpHandler }] =
    await Promise.all([load('@aws-sdk/client-bedrock-runtime'), load('@smithy/node-http-handler')]);
  const client = new BedrockRuntimeClient({
    ...{ endpoint, region: 'us-east-1', requestHandler: new NodeHttpHandler() },
    ...{ token: { token: key }, authSchemePreference: ['httpBearerAuth'] },
  });
  const modelId = 'anthropic.claude-standin-v1:0';
  const input = (...content: object[]) => ({ modelId, messages: [{ role: 'user', content }] });
  const converse = async (body: object, abortSignal?: AbortSignal) =>
    (await client.send(new ConverseCommand(body), { abortSignal })).output.message.content;
  return [
    {
      name: '@aws-sdk/client-bedrock-runtime',
      ask: async (text, signal) => (await converse(input({ text }), signal))[0].text,
      stream: async (text) =>
        joined(
          (await client.send(new ConverseStreamCommand(input({ text })))).stream,
          (event) => event.contentBlockDelta?.delta?.text ?? '',
        ),
      async callTool(text) {
        const { name, description, parameters: json } = TOOL;
        const toolSpec = { name, description, inputSchema: { json } };
        const content = await converse({ ...input({ text }), toolConfig: { tools: [{ toolSpec }] } });
        return JSON.stringify(content[0].toolUse.input);
      },
      async showImage(text, png) {
        const image = { format: 'png', source: { bytes: Buffer.from(png, 'base64') } };
        return (await converse(input({ image }, { text })))[0].text;
      },
    },
  ];
};
