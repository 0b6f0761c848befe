import { LOOK } from '@csg/shared/look';

export interface BarRow {
  readonly label: string;
  readonly value: number;
  /** Drawn in our colour. */
  readonly isOurs: boolean;
}

const WIDTH = 760;
const LABEL = 170;
const NUMBERS = 110;
const ROW = 30;
const TOP = 44;
const [, , , GREY] = LOOK.colors.dark;
const OURS = LOOK.colors.harbor[LOOK.primaryShade.light];

/** One horizontal bar a row, from zero, as an SVG picture that reads on light and dark ground. */
export function drawBars(title: string, rows: readonly BarRow[], digits = 0): string {
  const height = TOP + rows.length * ROW + 8;
  const most = Math.max(...rows.map((row) => row.value));
  const bars = rows.map(({ label, value, isOurs }, index) => {
    const y = TOP + index * ROW;
    const width = Math.max(1, (value / most) * (WIDTH - LABEL - NUMBERS));
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

/** Text is drawn in a grey that is legible on white and on GitHub's dark ground. */
export function picture(title: string, width: number, height: number, parts: readonly string[]): string {
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" font-family='${LOOK.fontFamily}' font-size="13" fill="#7a8494">`,
    `<title>${escapeXml(title)}</title>`,
    ...parts,
    '</svg>\n',
  ].join('\n');
}

export function escapeXml(text: string): string {
  return text.replace(/[<>&"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
}
