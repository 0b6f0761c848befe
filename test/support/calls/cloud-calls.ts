import { MessageStream } from '@anthropic-ai/sdk/lib/MessageStream';
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
import { finish, toolUses } from './sdk-calls.ts';

const MODEL = 'anthropic.claude-standin-v1:0';

export async function askGemini({ root: baseUrl, key }: CallServer): Promise<AskForCalls> {
  const { GoogleGenAI } = await load('@google/genai');
  const { models } = new GoogleGenAI({ apiKey: key, httpOptions: { baseUrl } });
  const functionDeclarations = toolsAs((name) => ({ name, parametersJsonSchema: SCHEMA }));
  const input = { model: 'gemini-standin', contents: TASK, config: { tools: [{ functionDeclarations }] } };
  return async (isStream, hand) => {
    if (!isStream) return functionCalls(await models.generateContent(input));
    for await (const chunk of await models.generateContentStream(input)) functionCalls(chunk).forEach(hand);
    return [];
  };
}

const functionCalls = (response: Untyped): HandedCall[] =>
  (response.functionCalls ?? []).map(({ name, args }: Untyped) => ({ name, given: args }));

async function amazonAt({ bedrock: endpoint, key }: CallServer): Promise<{ sdk: Untyped; client: Untyped }> {
  const [sdk, { NodeHttpHandler }] = await Promise.all([
    load('@aws-sdk/client-bedrock-runtime'),
    load('@smithy/node-http-handler'),
  ]);
  const client = new sdk.BedrockRuntimeClient({
    // HTTP/1.1, because HTTP/2 without TLS would hang.
    ...{ endpoint, region: 'us-east-1', requestHandler: new NodeHttpHandler(), maxAttempts: 1 },
    ...{ token: { token: key }, authSchemePreference: ['httpBearerAuth'] },
  });
  return { sdk, client };
}

export async function askConverse(server: CallServer): Promise<AskForCalls> {
  const { sdk, client } = await amazonAt(server);
  const tools = toolsAs((name) => ({ toolSpec: { name, inputSchema: { json: SCHEMA } } }));
  const messages = [{ role: 'user', content: [{ text: TASK }] }];
  const input = { modelId: MODEL, messages, toolConfig: { tools } };
  return async (isStream) => {
    if (!isStream) {
      const { output } = await client.send(new sdk.ConverseCommand(input));
      return (output?.message?.content ?? []).flatMap(({ toolUse }: Untyped) =>
        toolUse === undefined ? [] : [{ name: toolUse.name, given: toolUse.input }],
      );
    }
    const { stream } = await client.send(new sdk.ConverseStreamCommand(input));
    return joinBlocks(stream);
  };
}

/** The package gives its program the pieces, which belong together by their index. */
async function joinBlocks(stream: AsyncIterable<Untyped>): Promise<HandedCall[]> {
  const calls: { index: string; name: unknown; given: string }[] = [];
  for await (const { contentBlockStart: opened, contentBlockDelta: continued } of stream) {
    const name = opened?.start?.toolUse?.name;
    if (opened?.start?.toolUse !== undefined)
      calls.push({ index: String(opened.contentBlockIndex), name, given: '' });
    const piece = continued?.delta?.toolUse?.input;
    const call = calls.findLast(({ index }) => index === String(continued?.contentBlockIndex));
    if (typeof piece === 'string' && call !== undefined) call.given += piece;
  }
  return calls;
}

/** The package gives its program bytes: Claude's are a message, whose stream Anthropic's package joins. */
export async function askInvoke(server: CallServer): Promise<AskForCalls> {
  const { sdk, client } = await amazonAt(server);
  const tools = toolsAs((name) => ({ name, input_schema: SCHEMA }));
  const messages = [{ role: 'user', content: TASK }];
  const body = JSON.stringify({ anthropic_version: 'bedrock-2023-05-31', max_tokens: 9, messages, tools });
  const input = { modelId: MODEL, contentType: 'application/json', body };
  return async (isStream, hand) => {
    if (!isStream) {
      const answer = await client.send(new sdk.InvokeModelCommand(input));
      return toolUses(JSON.parse(answer.body.transformToString()).content);
    }
    const answer = await client.send(new sdk.InvokeModelWithResponseStreamCommand(input));
    return finish(MessageStream.fromReadableStream(linesOf(answer.body)), hand);
  };
}

function linesOf(events: AsyncIterable<Untyped>): ReadableStream {
  return ReadableStream.from(
    (async function* () {
      for await (const { chunk } of events)
        if (chunk?.bytes !== undefined) yield `${Buffer.from(chunk.bytes)}\n`;
    })(),
  ).pipeThrough(new TextEncoderStream());
}
