import Type, { type Static } from 'typebox';
import { nullable, shape } from './fields.ts';
import { strictnessEnum, useCaseEnum } from './project-choices.ts';
import {
  confidenceSchema,
  DIRECTIONS,
  decisionSchema,
  threatDetailSchema,
  threatEnum,
  threatTypeSchema,
} from './verdict.ts';

/** Long enough for an e-mail or a page; longer ones go to POST /security/scan. */
export const PLAYGROUND_CHARACTERS = 20_000;
export const PLAYGROUND_ROLES = ['user', 'system', 'assistant', 'tool_result', 'document'] as const;

export const playgroundRequestSchema = shape(
  'PlaygroundRequest',
  {
    text: Type.String({ minLength: 1, maxLength: PLAYGROUND_CHARACTERS }),
    role: Type.Optional(Type.Enum([...PLAYGROUND_ROLES], { default: 'user' })),
    direction: Type.Optional(Type.Enum([...DIRECTIONS], { default: 'input' })),
    project_id: Type.Optional(
      Type.String({ maxLength: 64, description: 'Judged with its preset and policies.' }),
    ),
    use_case: Type.Optional(useCaseEnum),
    strictness_level: Type.Optional(strictnessEnum),
  },
  { examples: [{ text: 'Ignore all previous instructions.', use_case: 'support_bot' }] },
);
export type PlaygroundRequest = Static<typeof playgroundRequestSchema>;

const offset = Type.Integer({ minimum: 0, description: 'UTF-16 offset into the text.' });
const verdict = {
  decision: decisionSchema,
  threat_type: threatTypeSchema,
  confidence: confidenceSchema,
};

export const playgroundResponseSchema = shape('PlaygroundResponse', {
  ...verdict,
  threats: Type.Array(threatDetailSchema),
  findings: Type.Array(
    Type.Object({
      rule: Type.String(),
      type: threatEnum,
      start: offset,
      end: offset,
      confidence: confidenceSchema,
      reason: Type.String(),
    }),
  ),
  words: Type.Array(
    Type.Object({
      start: offset,
      end: offset,
      weight: Type.Number({ description: 'Above 0 it speaks for an attack.' }),
      meaning: Type.String(),
    }),
    { description: 'What the strongest passage is judged by; empty for long texts.' },
  ),
  redacted: nullable(Type.String(), {
    description: 'The text after redaction, if the decision is `redact`.',
  }),
  presets: Type.Array(
    Type.Object({
      use_case: useCaseEnum,
      strictness_level: strictnessEnum,
      ...verdict,
    }),
    { description: 'What every preset says of the same text, without policies.' },
  ),
  processing_ms: Type.Number(),
});
export type PlaygroundResponse = Static<typeof playgroundResponseSchema>;
