import Type, { type Static } from 'typebox';
import { choice, count, nullableText, shape, timestamp, timestampOf } from './fields.ts';

export const COVERAGES = ['addressed', 'partial', 'outside'] as const;
export type Coverage = (typeof COVERAGES)[number];

const figureSchema = shape('EvidenceFigure', {
  id: Type.String({ description: 'Id that controls refer to.' }),
  label: Type.String(),
  value: count(),
  path: nullableText,
});
export type EvidenceFigure = Static<typeof figureSchema>;

const controlSchema = shape('EvidenceControl', {
  id: Type.String({ description: 'Number in the framework, such as LLM01.' }),
  title: Type.String(),
  coverage: choice('EvidenceCoverage', [...COVERAGES], {
    description:
      '`addressed`: this service acts on the risk and records its actions; `partial`: it contributes, but other measures are needed; `outside`: outside the scope of a gateway.',
  }),
  statement: Type.String({ description: 'What this service does for the control, and what it does not do.' }),
  figures: Type.Array(Type.String(), { description: 'Ids of the figures that support the statement.' }),
});

const frameworkSchema = shape('EvidenceFramework', {
  id: Type.String(),
  name: Type.String(),
  edition: Type.String(),
  source: Type.String({ description: 'Where the framework is published.' }),
  controls: Type.Array(controlSchema),
});

export const evidenceSchema = shape('Evidence', {
  from: timestamp,
  to: timestampOf('End of the period, exclusive.'),
  generated_at: timestamp,
  figures: Type.Array(figureSchema),
  frameworks: Type.Array(frameworkSchema),
  limits: Type.Array(Type.String(), { description: 'What the figures do not show.' }),
});
export type Evidence = Static<typeof evidenceSchema>;
export type EvidenceFramework = Static<typeof frameworkSchema>;
