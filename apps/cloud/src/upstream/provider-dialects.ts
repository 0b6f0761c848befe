/** The dialects a vendor can speak, named as in shared/dialects, and the model list. */
export const PROVIDER_DIALECTS = [
  'openai-chat',
  'anthropic-messages',
  'openai-responses',
  'count-tokens',
  'models',
] as const;
export type ProviderDialect = (typeof PROVIDER_DIALECTS)[number];

export const USUAL_PATHS: Readonly<Record<ProviderDialect, string>> = {
  'openai-chat': '/v1/chat/completions',
  'anthropic-messages': '/v1/messages',
  'openai-responses': '/v1/responses',
  'count-tokens': '/v1/messages/count_tokens',
  models: '/v1/models',
};
