import { createMessage } from '../anthropic/provider.ts';
import { chatCompletions, createResponse } from '../openai/provider.ts';
import type { Provider } from '../provider.ts';

/** Providers that speak the interfaces of others. No address of theirs is built in; PROVIDERS_FILE configures them. */
function compatible(
  name: string,
  label: string,
  hosts: readonly string[],
  prefixes: readonly string[],
): Provider {
  return {
    name,
    label,
    hosts,
    endpoints: [chatCompletions, createResponse, createMessage],
    credential: { carrier: 'bearer', prefixes },
  };
}

export const compatibleProviders: readonly Provider[] = [
  compatible('openrouter', 'OpenRouter', ['openrouter.ai'], ['sk-or-v1-']),
  compatible('gemini', 'Google', ['generativelanguage.googleapis.com'], ['AIzaSy']),
  compatible('vertex', 'Google', [], ['ya29.']),
  compatible('bedrock', 'Amazon Bedrock', [], ['ABSK']),
  compatible('groq', 'Groq', ['api.groq.com'], ['gsk_']),
  compatible('xai', 'xAI', ['api.x.ai'], ['xai-']),
  compatible('huggingface', 'Hugging Face', [], ['hf_']),
  compatible('perplexity', 'Perplexity', ['api.perplexity.ai'], ['pplx-']),
  compatible('nvidia', 'NVIDIA', [], ['nvapi-']),
  compatible('mistral', 'Mistral', ['api.mistral.ai'], []),
  compatible('together', 'Together', ['api.together.xyz'], []),
  compatible('fireworks', 'Fireworks', ['api.fireworks.ai'], []),
  compatible('deepseek', 'DeepSeek', ['api.deepseek.com'], []),
];
