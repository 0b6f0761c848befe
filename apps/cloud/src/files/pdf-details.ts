import type { getDocumentProxy } from 'unpdf';
import type { FileText } from './file-text.ts';
import { readXml } from './xml-texts.ts';

export type PdfDocument = Awaited<ReturnType<typeof getDocumentProxy>>;
export type PdfPage = Awaited<ReturnType<PdfDocument['getPage']>>;

/** What pdf.js says of an annotation or an attachment. */
export type Details = Readonly<Record<string, unknown>>;

/** Members with words of the format or of pdf.js: types, names of elements, icons and fonts, references. */
const FORMAL =
  /^(?:id|name|dir|role|type|subtype|fieldType|fontName|rotation|modificationDate|creationDate|dest|url|overlaidText|style|class|dataId|fieldId|xfaName|page|fileId|lang|num|gen|PDFFormatVersion|Language|EncryptFilterName)$/;
const MAX_DEPTH = 50;

/** Every text in a value that pdf.js gives, without words of the format itself. */
export function textsInDetails(value: unknown, depth = 0): string[] {
  if (typeof value === 'string') return value.trim() === '' ? [] : [value];
  if (typeof value !== 'object' || value === null || depth > MAX_DEPTH || ArrayBuffer.isView(value))
    return [];
  return Object.entries(value).flatMap(([name, inner]) =>
    FORMAL.test(name) ? [] : textsInDetails(inner, depth + 1),
  );
}

/** Texts of the document that are on none of its pages. */
export async function readDescription(document: PdfDocument): Promise<FileText[]> {
  const { info, metadata } = await document.getMetadata();
  const layers = await document.getOptionalContentConfig();
  const found = [
    info,
    await document.getOutline(),
    await document.getJSActions(),
    await document.getPageLabels().then((labels) => labels?.filter((label) => /\p{L}{2}/u.test(label))),
    [...layers].map(([, layer]: readonly [string, { readonly name?: unknown }]) => layer.name),
    document.allXfaHtml,
  ];
  const texts = new Set(found.flatMap((one) => textsInDetails(one)));
  for (const text of metadataTexts(metadata?.getRaw())) texts.add(text);
  return [...texts].map((text) => ({ part: 'meta', text }));
}

/** True for a form of which only another technique, XFA, has the content, and that cannot be read. */
export async function isFormUnread(document: PdfDocument): Promise<boolean> {
  const { info } = (await document.getMetadata()) as unknown as { readonly info: Details };
  return info['IsXFAPresent'] === true && info['IsAcroFormPresent'] !== true && document.allXfaHtml === null;
}

/** XMP: descriptions that other programs wrote. */
function metadataTexts(raw: unknown): readonly string[] {
  if (typeof raw !== 'string') return [];
  try {
    return [...readXml(raw)].flatMap(({ texts }) => texts.map(({ text }) => text));
  } catch {
    return [raw];
  }
}
