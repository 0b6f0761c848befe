import { askAiChat, askAiGemini, askAiMessages, askAiResponses } from './ai-calls.ts';
import type { CallApi } from './call-forms.ts';
import { askConverse, askGemini, askInvoke } from './cloud-calls.ts';
import type { AskForCalls, CallServer } from './handed-call.ts';
import { askChat, askMessages, askResponses } from './sdk-calls.ts';

/** An official package that reads one interface. */
export interface CallClient {
  readonly name: string;
  readonly api: CallApi;
  /** True: the provider's own package, whose reading of a call is the one that a review shows. */
  readonly isOwn: boolean;
  readonly connect: (server: CallServer) => AskForCalls | Promise<AskForCalls>;
}

const client = (
  name: string,
  api: CallApi,
  kind: 'own' | 'other',
  connect: CallClient['connect'],
): CallClient => ({ name, api, isOwn: kind === 'own', connect });

/** One row for each package and interface. */
export const CALL_CLIENTS: readonly CallClient[] = [
  client('openai, chat completions', 'chat', 'own', askChat),
  client('openai, Responses', 'responses', 'own', askResponses),
  client('@anthropic-ai/sdk', 'messages', 'own', askMessages),
  client('@google/genai', 'generate', 'own', askGemini),
  client('@aws-sdk/client-bedrock-runtime, Converse', 'converse', 'own', askConverse),
  client('@aws-sdk/client-bedrock-runtime, InvokeModel', 'invoke', 'own', askInvoke),
  client('ai, @ai-sdk/openai, chat completions', 'chat', 'other', askAiChat),
  client('ai, @ai-sdk/openai, Responses', 'responses', 'other', askAiResponses),
  client('ai, @ai-sdk/anthropic', 'messages', 'other', askAiMessages),
  client('ai, @ai-sdk/google', 'generate', 'other', askAiGemini),
];
