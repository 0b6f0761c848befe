import Type, { type Static } from 'typebox';
import { nullable, shape } from './fields.ts';

const days = Type.Integer({
  minimum: 1,
  maximum: 3_650,
  description: 'Days after which events are deleted. The audit log keeps a record of every decision.',
});
const zero = Type.Boolean({ description: 'True: no text is stored, not even redacted.' });

export const retentionSchema = shape('Retention', {
  project_id: Type.String(),
  retention_days: nullable(days, { description: 'null: never deleted.' }),
  zero_retention: zero,
});
export type Retention = Static<typeof retentionSchema>;

export const changeRetentionSchema = shape('ChangeRetentionRequest', {
  retention_days: Type.Optional(days),
  keep_forever: Type.Optional(Type.Boolean({ description: 'True: events are never deleted.' })),
  zero_retention: Type.Optional(zero),
});
export type ChangeRetention = Static<typeof changeRetentionSchema>;
