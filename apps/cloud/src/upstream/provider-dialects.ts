import { DIALECT_NAMES, type DialectName } from '@csg/shared/providers';

/** What a vendor can be asked: the dialects, and the model list, which has no texts to read. */
export type ProviderDialect = DialectName | 'models';
export const PROVIDER_DIALECTS: readonly ProviderDialect[] = [...DIALECT_NAMES, 'models'];

export const USUAL_PATHS: Readonly<Record<ProviderDialect, string>> = {
  'openai-chat': '/v1/chat/completions',
  'anthropic-messages': '/v1/messages',
  'openai-responses': '/v1/responses',
  'anthropic-count-tokens': '/v1/messages/count_tokens',
  models: '/v1/models',
};
