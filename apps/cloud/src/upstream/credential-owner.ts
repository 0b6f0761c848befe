/** Beginnings that only one vendor's credentials have, by the vendor's documentation; the longest that fits counts. */
const OWNERS: readonly { readonly prefix: string; readonly provider: string; readonly label: string }[] = [
  { prefix: 'sk-ant-', provider: 'anthropic', label: 'Anthropic' },
  { prefix: 'sk-proj-', provider: 'openai', label: 'OpenAI' },
  { prefix: 'sk-svcacct-', provider: 'openai', label: 'OpenAI' },
  { prefix: 'sk-admin-', provider: 'openai', label: 'OpenAI' },
  { prefix: 'sk-or-v1-', provider: 'openrouter', label: 'OpenRouter' },
  { prefix: 'AIzaSy', provider: 'gemini', label: 'Google' },
  { prefix: 'ya29.', provider: 'vertex', label: 'Google' },
  { prefix: 'ABSK', provider: 'bedrock', label: 'Amazon Bedrock' },
  { prefix: 'gsk_', provider: 'groq', label: 'Groq' },
  { prefix: 'xai-', provider: 'xai', label: 'xAI' },
  { prefix: 'hf_', provider: 'huggingface', label: 'Hugging Face' },
  { prefix: 'pplx-', provider: 'perplexity', label: 'Perplexity' },
  { prefix: 'nvapi-', provider: 'nvidia', label: 'NVIDIA' },
];

export interface CredentialOwner {
  /** Name of a provider, which need not be configured here. */
  readonly provider: string;
  /** For messages to people. */
  readonly label: string;
}

/** Whose credential it is; null where its form does not say. */
export function ownerOfCredential(credential: string): CredentialOwner | null {
  return OWNERS.find(({ prefix }) => credential.startsWith(prefix)) ?? null;
}
