import {
  CodedError,
  MAX_CONTENT_CHARACTERS,
  type RedactRequest,
  type RedactResponse,
  redactRequestSchema,
  redactResponseSchema,
  type ScanRequest,
  type ScanResponse,
  scanRequestSchema,
  scanResponseSchema,
} from '@csg/shared/contract';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type RedactContentDeps, redactContent } from '../flows/redact-content.ts';
import { type ScanContentDeps, scanContent } from '../flows/scan-content.ts';
import { principalOf } from '../plugins/auth.ts';
import { needsScope } from '../plugins/route-access.ts';
import { documented, SCAN } from './documented.ts';

export function registerSecurity(app: FastifyInstance, deps: ScanContentDeps & RedactContentDeps): void {
  const config = needsScope('scan', { device: true, errors: 'endpoint' });

  app.post<{ Body: ScanRequest; Reply: ScanResponse }>(
    '/security/scan',
    {
      config,
      schema: documented({
        tag: 'Scanning',
        id: 'scanText',
        summary: 'Scan a text',
        description: 'Scans one text as a prompt or as a model response.',
        body: scanRequestSchema,
        response: scanResponseSchema,
        common: SCAN,
      }),
      preValidation: async (request) => checkContent(request),
    },
    async (request) => {
      const done = await scanContent(deps, principalOf(request), request.body, request.id, request.ip);
      request.verdict = done.evaluation;
      return done.response;
    },
  );

  app.post<{ Body: RedactRequest; Reply: RedactResponse }>(
    '/security/redact',
    {
      config,
      schema: documented({
        tag: 'Scanning',
        id: 'redactText',
        summary: 'Redact personal data in a text',
        description: 'Replaces personal data by placeholders such as `[EMAIL]`.',
        body: redactRequestSchema,
        response: redactResponseSchema,
        common: SCAN,
      }),
      preValidation: async (request) => checkContent(request),
    },
    async (request) => {
      const done = await redactContent(deps, principalOf(request), request.body, request.id, request.ip);
      request.verdict = done.evaluation;
      return done.response;
    },
  );
}

/** These errors are a 400 here, before the schema's 422 (decisions, section 1). */
function checkContent(request: FastifyRequest): void {
  const content = (request.body as { content?: unknown } | undefined)?.content;
  if (typeof content !== 'string') {
    throw new CodedError('invalid_request', {
      message: '"content" is required and must be a string.',
      fields: { param: 'content' },
    });
  }
  // A code point is one or two UTF-16 units, so only lengths in between need counting.
  if (content.length > MAX_CONTENT_CHARACTERS && countCodePoints(content) > MAX_CONTENT_CHARACTERS) {
    throw new CodedError('invalid_request', {
      message: `"content" may contain at most ${MAX_CONTENT_CHARACTERS.toLocaleString('en-US')} characters.`,
      fields: { param: 'content', max_characters: MAX_CONTENT_CHARACTERS },
    });
  }
}

function countCodePoints(text: string): number {
  let count = text.length;
  for (let i = 0; i < text.length - 1; i++) {
    const unit = text.charCodeAt(i);
    if (unit < 0xd800 || unit > 0xdbff) continue;
    const next = text.charCodeAt(i + 1);
    if (next >= 0xdc00 && next <= 0xdfff) {
      count--;
      i++;
    }
  }
  return count;
}
