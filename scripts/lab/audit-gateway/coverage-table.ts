import type { Coverage } from './coverage.ts';

const SHOWN_PLACES = 5;

export function totalOf(results: readonly Coverage[]): { places: number; unread: number; percent: string } {
  const places = results.reduce((sum, one) => sum + one.places, 0);
  const unread = results.reduce((sum, one) => sum + one.unread.length, 0);
  return { places, unread, percent: percentOf(places, unread) };
}

/** Returns Markdown, ready to be published. */
export function coverageTable(results: readonly Coverage[]): string {
  const rows = results.map(({ endpoint, part, isServed, places, unread }) =>
    isServed
      ? `| ${endpoint} | ${part} | ${places} | ${unread.length} | ${percentOf(places, unread.length)} | ${shown(unread)} |`
      : `| ${endpoint} | ${part} | not served | | | |`,
  );
  const total = totalOf(results);
  return [
    '| endpoint | part | positions | not inspected | inspected | example |',
    '|---|---|---|---|---|---|',
    ...rows,
    `| **all** | | ${total.places} | ${total.unread} | ${total.percent} | |`,
  ].join('\n');
}

function percentOf(places: number, unread: number): string {
  return places === 0 ? '' : `${((100 * (places - unread)) / places).toFixed(1)}%`;
}

function shown(unread: readonly string[]): string {
  const places = unread.slice(0, SHOWN_PLACES).map((place) => `\`${place}\``);
  return [...places, ...(unread.length > SHOWN_PLACES ? ['…'] : [])].join(' ');
}
