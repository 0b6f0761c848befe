import { makeZip } from './make-zip.ts';

const HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"';
const A = 'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"';
const S = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"';
const RELATIONS = 'xmlns="http://schemas.openxmlformats.org/package/2006/relationships"';
const TYPES =
  '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="xml" ContentType="application/xml"/><Default Extension="emf" ContentType="image/x-emf"/><Default Extension="bin" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.printerSettings"/></Types>';

type Parts = Readonly<Record<string, string | Uint8Array>>;

/** A Word document. Each paragraph is written in runs of seven characters, as Word does after some editing. */
export function makeDocx(paragraphs: readonly string[], parts: Parts = {}): Promise<Buffer> {
  const run = (text: string): string =>
    `<w:r><w:rPr><w:b/></w:rPr><w:t xml:space="preserve">${text}</w:t></w:r>`;
  const body = paragraphs.map((text) => `<w:p>${(text.match(/.{1,7}/gs) ?? []).map(run).join('')}</w:p>`);
  return makeZip({
    '[Content_Types].xml': HEAD + TYPES,
    'word/document.xml': `${HEAD}<w:document ${W}><w:body>${body.join('\n')}</w:body></w:document>`,
    ...parts,
  });
}

export const wordPart = (inner: string): string => `${HEAD}<w:part ${W} ${A}>${inner}</w:part>`;
export const relations = (...targets: readonly string[]): string =>
  `${HEAD}<Relationships ${RELATIONS}>${targets.map((target, i) => `<Relationship Id="r${i}" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/hyperlink" Target="${target}" TargetMode="External"/>`).join('')}</Relationships>`;

/**
 * An Excel workbook with one sheet. Texts are shared strings, numbers are in their cells; a text that begins with = is
 * a formula.
 */
export function makeXlsx(
  rows: readonly (readonly (string | number)[])[],
  parts: Parts = {},
): Promise<Buffer> {
  const texts: string[] = [];
  const cell = (value: string | number): string => {
    if (typeof value === 'number') return `<c><v>${value}</v></c>`;
    if (value.startsWith('=')) return `<c t="str"><f>${value.slice(1)}</f><v></v></c>`;
    return `<c t="s"><v>${texts.push(value) - 1}</v></c>`;
  };
  const data = rows.map((row, i) => `<row r="${i + 1}">${row.map(cell).join('')}</row>`).join('');
  return makeZip({
    '[Content_Types].xml': HEAD + TYPES,
    'xl/workbook.xml': `${HEAD}<workbook ${S}><sheets><sheet name="Sheet1" sheetId="1" state="hidden"/></sheets></workbook>`,
    'xl/worksheets/sheet1.xml': `${HEAD}<worksheet ${S}><sheetData>${data}</sheetData></worksheet>`,
    'xl/sharedStrings.xml': `${HEAD}<sst ${S}>${texts.map((text) => `<si><t>${text}</t></si>`).join('')}</sst>`,
    ...parts,
  });
}

/** A PowerPoint file: one text per slide, and its speaker's notes. */
export function makePptx(
  slides: readonly { readonly text: string; readonly notes?: string }[],
): Promise<Buffer> {
  const shape = (text: string): string =>
    `${HEAD}<p:sld xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main" ${A}><p:sp><p:txBody><a:p><a:r><a:t>${text}</a:t></a:r></a:p></p:txBody></p:sp></p:sld>`;
  const parts: Record<string, string> = { '[Content_Types].xml': HEAD + TYPES };
  for (const [i, { text, notes }] of slides.entries()) {
    parts[`ppt/slides/slide${i + 1}.xml`] = shape(text);
    if (notes !== undefined) parts[`ppt/notesSlides/notesSlide${i + 1}.xml`] = shape(notes);
  }
  return makeZip(parts);
}

/** An OpenDocument file: text, sheets and slides alike. `content` is the body's XML. */
export function makeOdf(content: string, parts: Parts = {}): Promise<Buffer> {
  return makeZip({
    mimetype: 'application/vnd.oasis.opendocument.text',
    'content.xml': `${HEAD}<office:document-content xmlns:office="o" xmlns:text="t" xmlns:table="b"><office:body>${content}</office:body></office:document-content>`,
    ...parts,
  });
}
