import { anthropicMessages } from './anthropic-messages.ts';
import type { Dialect } from './dialect.ts';

/** POST /v1/messages/count_tokens: a whole messages request that generates nothing. */
export const anthropicCountTokens: Dialect = { ...anthropicMessages, name: 'anthropic-count-tokens' };
