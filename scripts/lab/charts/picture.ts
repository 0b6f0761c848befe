import { THEME_TOKENS } from '@csg/shared/theme';

/** Text is gray, which is legible on white and on GitHub's dark background. */
export function picture(title: string, width: number, height: number, parts: readonly string[]): string {
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" font-family='${THEME_TOKENS.fontFamily}' font-size="13" fill="#7a8494">`,
    `<title>${escapeXml(title)}</title>`,
    ...parts,
    '</svg>\n',
  ].join('\n');
}

export function escapeXml(text: string): string {
  return text.replace(/[<>&"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
}
