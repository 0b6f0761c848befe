import { THEME_TOKENS } from '@csg/shared/theme';
import { escapeXml, picture } from './picture.ts';

export interface BarRow {
  readonly label: string;
  readonly value: number;
  /** Drawn in the color of our own product. */
  readonly isOurs: boolean;
}

export interface BarScale {
  /** Decimal places; default 0. */
  readonly digits?: number;
  /** The value of the full width; default: the largest. */
  readonly max?: number;
}

const WIDTH = 760;
const LABEL = 170;
const NUMBERS = 110;
const ROW = 30;
const TOP = 44;
const [, , , GREY] = THEME_TOKENS.colors.dark;
const OURS = THEME_TOKENS.colors.harbor[THEME_TOKENS.primaryShade.light];

/** Draws one horizontal bar per row, from zero, as an SVG image that is legible on light and dark backgrounds. */
export function drawBars(title: string, rows: readonly BarRow[], scale: BarScale = {}): string {
  const height = TOP + rows.length * ROW + 8;
  const { digits = 0, max = Math.max(...rows.map((row) => row.value)) } = scale;
  const bars = rows.map(({ label, value, isOurs }, index) => {
    const y = TOP + index * ROW;
    const width = Math.max(1, (value / (max || 1)) * (WIDTH - LABEL - NUMBERS));
    const number = value.toLocaleString('en', {
      minimumFractionDigits: digits,
      maximumFractionDigits: digits,
    });
    return [
      `<text x="${LABEL - 10}" y="${y + 15}" text-anchor="end"${isOurs ? ' font-weight="600"' : ''}>${escapeXml(label)}</text>`,
      `<rect x="${LABEL}" y="${y}" width="${width.toFixed(1)}" height="22" rx="3" fill="${isOurs ? OURS : GREY}"/>`,
      `<text x="${(LABEL + width + 8).toFixed(1)}" y="${y + 15}">${number}</text>`,
    ].join('');
  });
  return picture(title, WIDTH, height, [
    `<text x="0" y="20" font-size="15" font-weight="600">${escapeXml(title)}</text>`,
    ...bars,
  ]);
}
