import Type, { type Static } from 'typebox';
import { choice, count, nullable, shape } from './fields.ts';

export const MAX_PROVIDER_REPORT_CHARS = 1_000_000;

export const reconcileUsageSchema = shape('ReconcileUsageRequest', {
  report: Type.String({
    minLength: 1,
    maxLength: MAX_PROVIDER_REPORT_CHARS,
    description: 'The usage export of a provider, as CSV or JSON, by day and model.',
  }),
});

export const reconciliationFiguresSchema = shape('ReconciliationFigures', {
  provider_requests: nullable(count(), {
    description: 'Requests counted by the provider. Null: the report does not count requests.',
  }),
  recorded_requests: count('Calls to the provider that were recorded here.'),
  provider_input_tokens: count(),
  recorded_input_tokens: count(),
  provider_output_tokens: count(),
  recorded_output_tokens: count(),
  without_usage: count('Responses recorded here whose tokens the provider did not report.'),
  missing_requests: nullable(count(), {
    description:
      'Requests that the provider counted but this gateway did not record. Null: the report does not count requests.',
  }),
  missing_tokens: count('Tokens that the provider counted but this gateway did not record.'),
});

export const reconciliationSchema = shape('Reconciliation', {
  from: Type.String({ format: 'date' }),
  to: Type.String({ format: 'date', description: 'Last day of the report, inclusive. Days are in UTC.' }),
  total: shape('ReconciliationTotal', {
    ...reconciliationFiguresSchema.properties,
    calls_without_model: count(
      'Recorded calls without a response. Their model is not stored; they may account for as many missing requests.',
    ),
  }),
  rows: Type.Array(
    shape('ReconciliationRow', {
      day: Type.String({ format: 'date' }),
      model: Type.String({ description: 'Model name, as the provider reports it.' }),
      ...reconciliationFiguresSchema.properties,
      result: choice('ReconciliationResult', ['matches', 'bypassed', 'unclear', 'more_recorded'], {
        description:
          '`bypassed`: usage that did not pass this gateway; `unclear`: tokens differ, possibly because of responses without usage; `more_recorded`: more usage is recorded here.',
      }),
    }),
    { description: 'Most missing requests first.' },
  ),
  other_models: Type.Array(Type.String(), {
    description: 'Models that are recorded here for the same days and missing in the report.',
  }),
});
export type Reconciliation = Static<typeof reconciliationSchema>;
