import { THEME_TOKENS } from '@csg/shared/theme';
import { escapeXml, picture } from './picture.ts';

const WIDTH = 760;
const HEIGHT = 340;
const LEFT = 56;
const RIGHT = WIDTH - 24;
const TOP = 44;
const BASE = HEIGHT - 44;
const OURS = THEME_TOKENS.colors.harbor[THEME_TOKENS.primaryShade.light];

/** Draws recall over false positives for all thresholds; x is logarithmic, from 0.001 to 1. */
export function drawTradeOff(title: string, attacks: readonly number[], harmless: readonly number[]): string {
  const points: string[] = [];
  for (let threshold = 1; threshold > 0.02; threshold -= 0.01) {
    points.push(`${xOf(shareFrom(harmless, threshold))},${yOf(shareFrom(attacks, threshold))}`);
  }
  const middle = (TOP + BASE) / 2;
  return picture(title, WIDTH, HEIGHT, [
    `<text x="0" y="20" font-size="15" font-weight="600">${escapeXml(title)}</text>`,
    ...[0, 0.25, 0.5, 0.75, 1].map(
      (tick) =>
        `<text x="${LEFT - 8}" y="${yOf(tick, 4)}" text-anchor="end">${tick}</text><line x1="${LEFT}" y1="${yOf(tick)}" x2="${RIGHT}" y2="${yOf(tick)}" stroke="#7a8494" stroke-opacity="${tick === 0 ? 1 : 0.3}"/>`,
    ),
    ...[0.001, 0.01, 0.1, 1].map(
      (tick) => `<text x="${xOf(tick)}" y="${BASE + 17}" text-anchor="middle">${tick}</text>`,
    ),
    `<text x="${(LEFT + RIGHT) / 2}" y="${HEIGHT - 8}" text-anchor="middle">false positives</text>`,
    `<text x="14" y="${middle}" text-anchor="middle" transform="rotate(-90 14 ${middle})">recall</text>`,
    `<polyline points="${points.join(' ')}" fill="none" stroke="${OURS}" stroke-width="2"/>`,
  ]);
}

function shareFrom(confidences: readonly number[], threshold: number): number {
  return confidences.filter((one) => one >= threshold).length / Math.max(1, confidences.length);
}

function xOf(rate: number): string {
  return (LEFT + ((Math.log10(Math.max(0.001, rate)) + 3) / 3) * (RIGHT - LEFT)).toFixed(1);
}

function yOf(share: number, below = 0): string {
  return (BASE - share * (BASE - TOP) + below).toFixed(1);
}
