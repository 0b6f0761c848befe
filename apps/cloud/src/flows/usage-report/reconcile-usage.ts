import type { Reconciliation } from '@csg/shared/contract';
import type { Storage, UsageSum } from '../../storage/storage.ts';
import { type ProviderUsage, readProviderReport } from './read-provider-report.ts';
import type { UsageMeter } from './usage-meter.ts';

export interface ReconcileDeps {
  readonly storage: Pick<Storage, 'flush' | 'usageDetails'>;
  readonly meter: Pick<UsageMeter, 'flush'>;
}

type Row = Reconciliation['rows'][number];
type Figures = Omit<Row, 'day' | 'model' | 'result'>;

/** Compares a provider's usage with the recorded usage: the difference bypassed the gateway. */
export async function reconcileUsage(
  deps: ReconcileDeps,
  organizationId: string,
  report: string,
): Promise<Reconciliation> {
  const provider = await readProviderReport(report);
  const days = provider.map(({ day }) => day).sort();
  const [from, to] = [days[0]!, days.at(-1)!];
  await Promise.all([deps.storage.flush(), deps.meter.flush()]);
  const range = { fromDay: from, toDay: to };
  const recorded = await deps.storage.usageDetails.sum(organizationId, range, ['day', 'model']);

  const recordedOf = Map.groupBy(recorded, ({ day, model }) => `${day} ${baseName(model ?? '')}`);
  const providerOf = Map.groupBy(provider, ({ day, model }) => `${day} ${baseName(model)}`);
  const rows = [...providerOf].map(([place, usage]): Row => {
    const { day, model } = usage[0]!;
    const figures = compare(usage, recordedOf.get(place) ?? []);
    return { day, model, ...figures, result: resultOf(figures) };
  });
  rows.sort(
    (a, b) =>
      (b.missing_requests ?? 0) - (a.missing_requests ?? 0) ||
      b.missing_tokens - a.missing_tokens ||
      a.day.localeCompare(b.day) ||
      a.model.localeCompare(b.model),
  );
  const names = new Set(provider.map(({ model }) => baseName(model)));
  const others = recorded.map(({ model = '' }) => model).filter((model) => !names.has(baseName(model)));
  return {
    from,
    to,
    total: {
      ...totalOf(provider, recorded, names),
      calls_without_model: recorded
        .filter(({ model }) => model === '')
        .reduce((sum, { calls }) => sum + calls, 0),
    },
    rows,
    other_models: [...new Set(others)].filter((model) => model !== '').sort(),
  };
}

/** Providers bill by version: `gpt-5-mini-2025-08-07` for `gpt-5-mini`. */
function baseName(model: string): string {
  return model
    .toLowerCase()
    .replace(/^models\//, '')
    .replace(/-(?:\d{4}-\d{2}-\d{2}|\d{8}|latest)$/, '');
}

function compare(provider: readonly ProviderUsage[], recorded: readonly UsageSum[]): Figures {
  const counted = provider.flatMap(({ requests }) => (requests === null ? [] : [requests]));
  const requests = counted.length === provider.length && counted.length > 0 ? sumOf(counted) : null;
  const figures = {
    provider_requests: requests,
    recorded_requests: sumOf(recorded.map(({ calls }) => calls)),
    provider_input_tokens: sumOf(provider.map(({ inputTokens }) => inputTokens)),
    recorded_input_tokens: sumOf(recorded.map(({ inputTokens }) => inputTokens)),
    provider_output_tokens: sumOf(provider.map(({ outputTokens }) => outputTokens)),
    recorded_output_tokens: sumOf(recorded.map(({ outputTokens }) => outputTokens)),
    without_usage: sumOf(recorded.map(({ unmetered }) => unmetered)),
  };
  return {
    ...figures,
    missing_requests: requests === null ? null : Math.max(0, requests - figures.recorded_requests),
    missing_tokens:
      Math.max(0, figures.provider_input_tokens - figures.recorded_input_tokens) +
      Math.max(0, figures.provider_output_tokens - figures.recorded_output_tokens),
  };
}

function resultOf(figures: Figures): Row['result'] {
  if ((figures.missing_requests ?? 0) > 0) return 'bypassed';
  if (figures.missing_tokens > 0) return figures.without_usage > 0 ? 'unclear' : 'bypassed';
  const isMore =
    figures.recorded_input_tokens > figures.provider_input_tokens ||
    figures.recorded_output_tokens > figures.provider_output_tokens ||
    (figures.provider_requests !== null && figures.recorded_requests > figures.provider_requests);
  return isMore ? 'more_recorded' : 'matches';
}

/** Sums by model over all days, because a request that crosses midnight may be counted on different days. */
function totalOf(
  provider: readonly ProviderUsage[],
  recorded: readonly UsageSum[],
  names: ReadonlySet<string>,
): Figures {
  const models = [...names].map((name) =>
    compare(
      provider.filter(({ model }) => baseName(model) === name),
      recorded.filter(({ model = '' }) => baseName(model) === name),
    ),
  );
  const total = (field: keyof Figures) => sumOf(models.map((figures) => figures[field] ?? 0));
  const isCounted = models.every((figures) => figures.provider_requests !== null);
  return {
    provider_requests: isCounted ? total('provider_requests') : null,
    recorded_requests: total('recorded_requests'),
    provider_input_tokens: total('provider_input_tokens'),
    recorded_input_tokens: total('recorded_input_tokens'),
    provider_output_tokens: total('provider_output_tokens'),
    recorded_output_tokens: total('recorded_output_tokens'),
    without_usage: total('without_usage'),
    missing_requests: isCounted ? total('missing_requests') : null,
    missing_tokens: total('missing_tokens'),
  };
}

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0);
}
