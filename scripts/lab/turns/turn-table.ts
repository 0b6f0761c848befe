import type { MeasuredCase } from './measure-turns.ts';

/** For each route its longest turn, and by what. */
export function turnTable(measured: readonly MeasuredCase[]): string {
  const routes = Map.groupBy(measured, ({ route }) => route);
  const rows = [...routes].map(([route, cases]) => {
    const most = cases.reduce((worst, one) => (one.ownMs > worst.ownMs ? one : worst));
    const { ownMs, gcMs, about, project, status } = most;
    return `| ${route} | ${cases.length} | ${ownMs.toFixed(0)} | ${gcMs.toFixed(0)} | ${about} (${project}, ${status}) |`;
  });
  return [
    '| route | bodies | longest turn, ms of CPU | garbage collection in it | by |',
    '|---|---|---|---|---|',
    ...rows,
  ].join('\n');
}
