import { createMessage } from '../anthropic/provider.ts';
import { chatCompletions, createResponse } from '../openai/provider.ts';
import { createCompletion, createEmbedding } from '../openai/single-calls.ts';
import type { Provider } from '../provider.ts';

interface Compatible {
  readonly name: string;
  readonly label: string;
  readonly hosts?: readonly string[];
  /** Further hosts that devices open: pages and consoles. */
  readonly pages?: readonly string[];
  /** Prefixes of its credentials. */
  readonly prefixes?: readonly string[];
}

const SPOKEN = [chatCompletions, createResponse, createMessage, createCompletion, createEmbedding];

/**
 * Providers with the interfaces of others, and those of which only the hosts are known. None has a built-in address;
 * PROVIDERS_FILE configures them.
 */
const ROWS: readonly Compatible[] = [
  { name: 'openrouter', label: 'OpenRouter', hosts: ['openrouter.ai'], prefixes: ['sk-or-v1-'] },
  { name: 'groq', label: 'Groq', hosts: ['api.groq.com'], prefixes: ['gsk_'] },
  { name: 'xai', label: 'xAI', hosts: ['api.x.ai'], pages: ['grok.com'], prefixes: ['xai-'] },
  { name: 'huggingface', label: 'Hugging Face', hosts: ['router.huggingface.co'], prefixes: ['hf_'] },
  { name: 'perplexity', label: 'Perplexity', hosts: ['api.perplexity.ai'], prefixes: ['pplx-'] },
  { name: 'nvidia', label: 'NVIDIA', hosts: ['integrate.api.nvidia.com'], prefixes: ['nvapi-'] },
  { name: 'mistral', label: 'Mistral', hosts: ['api.mistral.ai'] },
  { name: 'together', label: 'Together', hosts: ['api.together.xyz'] },
  { name: 'fireworks', label: 'Fireworks', hosts: ['api.fireworks.ai'] },
  { name: 'deepseek', label: 'DeepSeek', hosts: ['api.deepseek.com'], pages: ['chat.deepseek.com'] },
  { name: 'cohere', label: 'Cohere', pages: ['api.cohere.com'] },
  {
    name: 'github-copilot',
    label: 'GitHub Copilot',
    pages: ['api.githubcopilot.com', '*.githubcopilot.com', 'copilot-proxy.githubusercontent.com'],
  },
  { name: 'github-models', label: 'GitHub Models', hosts: ['models.github.ai'] },
  { name: 'poe', label: 'Poe', pages: ['poe.com'] },
  { name: 'meta-ai', label: 'Meta AI', pages: ['www.meta.ai'] },
];

export const compatibleProviders: readonly Provider[] = ROWS.map(
  ({ name, label, hosts = [], pages = [], prefixes = [] }) => ({
    name,
    label,
    hosts,
    opened: [...hosts, ...pages],
    endpoints: SPOKEN,
    credential: { carrier: 'bearer', prefixes },
  }),
);
