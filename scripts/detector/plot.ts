import type { Share } from './evaluate.ts';

const WIDTH = 520;
const HEIGHT = 320;
const LEFT = 56;
const BOTTOM = 40;

function frame(title: string, xLabel: string, yLabel: string, body: string): string {
  const right = WIDTH - 16;
  const base = HEIGHT - BOTTOM;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" font-family="sans-serif" font-size="12">
<title>${title}</title>
<rect width="${WIDTH}" height="${HEIGHT}" fill="#fff"/>
<text x="${LEFT}" y="20" font-size="14" font-weight="bold">${title}</text>
<line x1="${LEFT}" y1="${base}" x2="${right}" y2="${base}" stroke="#444"/>
<line x1="${LEFT}" y1="32" x2="${LEFT}" y2="${base}" stroke="#444"/>
<text x="${(LEFT + right) / 2}" y="${HEIGHT - 6}" text-anchor="middle">${xLabel}</text>
<text x="14" y="${(32 + base) / 2}" text-anchor="middle" transform="rotate(-90 14 ${(32 + base) / 2})">${yLabel}</text>
${[0, 0.25, 0.5, 0.75, 1].map((tick) => `<text x="${LEFT - 6}" y="${y(tick) + 4}" text-anchor="end">${tick}</text><line x1="${LEFT}" y1="${y(tick)}" x2="${right}" y2="${y(tick)}" stroke="#eee"/>`).join('\n')}
${body}
</svg>
`;
}

function y(share: number): number {
  return HEIGHT - BOTTOM - share * (HEIGHT - BOTTOM - 32);
}

/** One bar a group. */
export function barPlot(title: string, xLabel: string, yLabel: string, shares: readonly Share[]): string {
  const step = (WIDTH - 16 - LEFT) / Math.max(1, shares.length);
  const bars = shares.map(({ name, hits, total }, index) => {
    const share = hits / Math.max(1, total);
    const left = LEFT + index * step + step * 0.15;
    return `<rect x="${left.toFixed(1)}" y="${y(share).toFixed(1)}" width="${(step * 0.7).toFixed(1)}" height="${(y(0) - y(share)).toFixed(1)}" fill="#3b6ea5"/><text x="${(left + step * 0.35).toFixed(1)}" y="${HEIGHT - BOTTOM + 14}" text-anchor="middle" font-size="10">${name.trim()}</text><text x="${(left + step * 0.35).toFixed(1)}" y="${(y(share) - 4).toFixed(1)}" text-anchor="middle" font-size="10">${share.toFixed(2)}</text>`;
  });
  return frame(title, xLabel, yLabel, bars.join('\n'));
}

/** Recall over false alarms as the threshold moves; x is drawn on a logarithmic scale from 0.001 to 1. */
export function tradeOffPlot(title: string, attacks: readonly number[], harmless: readonly number[]): string {
  const x = (rate: number) => LEFT + ((Math.log10(Math.max(0.001, rate)) + 3) / 3) * (WIDTH - 16 - LEFT);
  const points: string[] = [];
  for (let threshold = 1; threshold > 0.02; threshold -= 0.01) {
    const recall = attacks.filter((one) => one >= threshold).length / Math.max(1, attacks.length);
    const alarms = harmless.filter((one) => one >= threshold).length / Math.max(1, harmless.length);
    points.push(`${x(alarms).toFixed(1)},${y(recall).toFixed(1)}`);
  }
  const ticks = [0.001, 0.01, 0.1, 1].map(
    (tick) =>
      `<text x="${x(tick).toFixed(1)}" y="${HEIGHT - BOTTOM + 14}" text-anchor="middle">${tick}</text>`,
  );
  const line = `<polyline points="${points.join(' ')}" fill="none" stroke="#b5432a" stroke-width="2"/>`;
  return frame(title, 'false alarms', 'recall', [...ticks, line].join('\n'));
}
