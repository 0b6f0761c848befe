import { type Bar, barsOf, compareRuns, standingOf } from './bars.ts';
import { SESSIONS } from './measure-sessions.ts';
import type { Results } from './results.ts';
import { ratioByRound, type Summary } from './statistics.ts';

type Cell = string;

/** The results as aligned text, beside those of an earlier run. */
export function reportOf(results: Results, before: Results | null): string {
  const { machine } = results;
  const lines = [
    `${machine['cores']} × ${machine['cpu']}, load average ${machine['load_average_at_start']} at the start, ${machine['load_average_at_end']} at the end`,
  ];
  for (const [workload, rows] of Object.entries(results.throughput)) {
    const bare = rows.find((row) => row.target === 'bare');
    const against = (value: Summary | null | undefined, base: Summary | null | undefined): Cell =>
      ratioByRound(value?.rounds, base?.rounds)?.toFixed(2) ?? '';
    lines.push(
      '',
      workload,
      ...table(
        ['', 'requests/s', 'spread', '× bare', 'CPU µs', 'spread', '× bare', 'core', 'memory'],
        rows.map((row) => [
          row.target,
          digits(row.perSecond.median),
          spread(row.perSecond),
          against(row.perSecond, bare?.perSecond),
          row.cpuUsPerRequest === null ? '' : row.cpuUsPerRequest.median.toFixed(1),
          row.cpuUsPerRequest === null ? '' : spread(row.cpuUsPerRequest),
          against(row.cpuUsPerRequest, bare?.cpuUsPerRequest),
          row.busy === null ? '' : `${Math.round(row.busy.median * 100)} %`,
          row.residentMiB === null ? '' : `${Math.round(row.residentMiB)} MiB`,
        ]),
      ),
    );
  }
  if (results.latency !== null) {
    const direct = results.latency.find((row) => row.target === 'direct')?.p50Us.median ?? 0;
    lines.push(
      '',
      'one connection, 1 KB',
      ...table(
        ['', 'p50 µs', 'spread', 'added', 'p99 µs'],
        results.latency.map((row) => [
          row.target,
          digits(row.p50Us.median),
          spread(row.p50Us),
          row.target === 'direct' ? '' : digits(row.p50Us.median - direct),
          digits(row.p99Us.median),
        ]),
      ),
    );
  }
  for (const name of Object.keys(SESSIONS)) {
    const rows = results.sessions?.filter(({ session }) => session === name) ?? [];
    if (rows.length === 0) continue;
    const bare = rows.find(({ target }) => target === 'bare')?.p50Ms.median ?? 0;
    lines.push(
      '',
      `agent session of ${name}`,
      ...table(
        ['', 'p50 ms', 'spread', 'beyond bare'],
        rows.map(({ target, p50Ms }) => [
          target,
          p50Ms.median.toFixed(1),
          spread(p50Ms),
          target === 'bare' ? '' : (p50Ms.median - bare).toFixed(1),
        ]),
      ),
    );
  }
  const { engine, stored, heldStreams, desktop } = results;
  if (engine !== null) {
    const sizes = Object.entries(engine.usPerKb).map(([size, us]) => `${size} characters ${us.toFixed(1)}`);
    lines.push(
      '',
      `engine, µs/KB: ${sizes.join(', ')}; worst text: ${engine.worst.name}, ${engine.worst.ms.toFixed(1)} ms (the first of its kind: ${engine.worstAtFirst.name}, ${engine.worstAtFirst.ms.toFixed(1)} ms)`,
      engine.re2UsPerKb === null
        ? 'RE2 with 100 patterns: not measured (g++ or libre2-dev is missing)'
        : `RE2 with 100 patterns over the same texts, µs/KB: 10000 characters ${engine.re2UsPerKb.toFixed(1)}`,
    );
  }
  if (stored !== null) {
    lines.push(
      `storage: ${Math.round(stored.eventBytes)} bytes an event, ${Math.round(stored.auditRowBytes)} an audit row (${digits(stored.events)} events)`,
    );
  }
  for (const held of heldStreams ?? []) {
    lines.push(`held streams, ${held.target}: ${held.kibPerStream.toFixed(1)} KiB each (${held.streams})`);
  }
  const { blocks, replicas, scale } = results;
  if (blocks !== null) {
    lines.push(
      `event loop, while prompts of 100,000 characters were scanned: blocked for ${blocks.longestMs.median.toFixed(1)} ms at most (${digits(blocks.requests)} requests)`,
    );
  }
  if (replicas !== null) {
    lines.push(
      `one process on SQLite ${digits(replicas.onePerSecond.median)} requests/s, two on PostgreSQL + Redis with the same cores ${digits(replicas.twoPerSecond.median)}`,
      `  of the two: answered ${digits(replicas.answered)}, counted ${digits(replicas.counted)}, events ${digits(replicas.events)}, audit rows ${digits(replicas.auditRows)} (what the load cut off at the end of a round counts, unanswered)`,
    );
  }
  if (scale !== null) {
    lines.push(
      `two processes on PostgreSQL record ${digits(scale.oneChainPerSecond)} decisions/s of one organization, ${digits(scale.manyChainsPerSecond)} of ${scale.organizations}`,
      `devices: ${scale.kibPerChannel.toFixed(1)} KiB for each open channel (${digits(scale.channels)}), ${scale.heartbeatUs.toFixed(0)} µs of CPU a heartbeat`,
    );
  }
  if (desktop !== null) {
    const theirs = desktop.mockttpUs === null ? '' : `, mockttp ${desktop.mockttpUs.median.toFixed(0)}`;
    const http =
      desktop.httpProxyUs === null ? '' : `, http-proxy-3 alone ${desktop.httpProxyUs.median.toFixed(0)}`;
    lines.push(
      '',
      `desktop proxy, CPU µs for an opened request: ${desktop.oursUs.median.toFixed(0)}${theirs}`,
      `desktop proxy, CPU µs for a guarded chat: ${desktop.guardedUs.median.toFixed(0)}${http}`,
    );
  }
  const measured = barsOf(results).filter((bar) => bar.value !== null);
  const compared = compareRuns(results, before);
  const earlier = new Map(compared.map((one) => [one.what, one.before]));
  if (measured.length > 0)
    lines.push(
      '',
      ...table(
        ['figure', 'now', 'run before', 'by CPU', 'at least', 'meant', ''],
        measured.map((bar) => [
          bar.what,
          show(bar, bar.value),
          earlier.has(bar.what) ? show(bar, earlier.get(bar.what)!) : '',
          bar.byCpu === null ? '' : show(bar, bar.byCpu),
          limit(bar, bar.least),
          limit(bar, bar.meant),
          standingOf(bar),
        ]),
      ),
    );
  const ratios = compared.filter((one) => one.isAlike !== null);
  if (ratios.length > 0) {
    const others = ratios.filter((one) => !one.isAlike).map((one) => one.what);
    lines.push(
      '',
      `${ratios.length - others.length} of ${ratios.length} ratios within 15 % of the run of ${before!.takenAt}${others.length === 0 ? '' : `; not: ${others.join('; ')}`}`,
    );
  }
  const left = Object.entries(results.skipped);
  if (left.length > 0) lines.push('', ...left.map(([what, why]) => `left out: ${what}: ${why}`));
  return `${lines.join('\n')}\n`;
}

/** First column to the left, the others to the right, but for words. */
function table(head: readonly Cell[], rows: readonly (readonly Cell[])[]): string[] {
  const all = [head, ...rows];
  const widths = head.map((_, column) => Math.max(...all.map((row) => row[column]!.length)));
  return all.map((row) =>
    row
      .map((cell, column) => (column === 0 ? cell.padEnd(widths[column]!) : cell.padStart(widths[column]!)))
      .join('  ')
      .trimEnd(),
  );
}

function digits(value: number): string {
  return Math.round(value).toLocaleString('en');
}

/** From the lowest to the highest round, as a part of the median. */
function spread({ min, max, median }: Summary): string {
  return `±${Math.round(((max - min) / 2 / median) * 100)} %`;
}

function show(bar: Bar, value: number | null): string {
  if (value === null) return '-';
  return bar.unit === 'times' ? `${value.toFixed(2)} ×` : `${value.toFixed(1)} ${bar.unit}`;
}

function limit(bar: Bar, value: number): string {
  return `${bar.better === 'higher' ? '≥' : '≤'} ${show(bar, value).replace(/\.0+(?= )/, '')}`;
}
