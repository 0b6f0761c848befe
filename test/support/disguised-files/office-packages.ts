/** Packages with everything that applications need to open them: types, relationships, and the parts themselves. */
import { makeZip } from '../make-zip.ts';

export const HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
export const REL = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
export const W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"';
const S = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"';
const P = `xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main" xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" xmlns:r="${REL}"`;
const OFFICE = 'application/vnd.openxmlformats-officedocument';
const DOCUMENT = `${OFFICE}.wordprocessingml.document.main+xml`;

export type Parts = Readonly<Record<string, string | Uint8Array>>;

export interface Relation {
  readonly id: string;
  readonly type: string;
  readonly target: string;
  readonly isExternal?: true;
}

interface PackageOptions {
  readonly types: Readonly<Record<string, string>>;
  readonly parts: Parts;
  readonly comment?: string;
  readonly level?: number;
}

function makePackage({ types, parts, comment, level }: PackageOptions): Promise<Buffer> {
  const overrides = Object.entries(types).map(
    ([name, type]) => `<Override PartName="/${name}" ContentType="${type}"/>`,
  );
  const list = `${HEAD}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Default Extension="bin" ContentType="application/octet-stream"/>${overrides.join('')}</Types>`;
  return makeZip(
    { '[Content_Types].xml': list, ...parts },
    { ...(comment !== undefined && { comment }), ...(level !== undefined && { level }) },
  );
}

function relationsOf(relations: readonly Relation[]): string {
  const list = relations.map(({ id, type, target, isExternal }) => {
    const full = type.includes(':') ? type : `${REL}/${type}`;
    return `<Relationship Id="${id}" Type="${full}" Target="${target}"${isExternal ? ' TargetMode="External"' : ''}/>`;
  });
  return `${HEAD}<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${list.join('')}</Relationships>`;
}

/** The relationships of a part are in a folder beside it. */
const relsName = (part: string): string => part.replace(/([^/]*)$/, '_rels/$1.rels');

const CORE = 'http://schemas.openxmlformats.org/package/2006/relationships/metadata/core-properties';

export interface DocxOptions {
  readonly main?: string;
  readonly parts?: Parts;
  readonly types?: Readonly<Record<string, string>>;
  /** Of the main part. */
  readonly relations?: readonly Relation[];
  readonly core?: Readonly<Record<string, string>>;
  readonly custom?: string;
  readonly comment?: string;
  readonly level?: number;
}

export function docx(body: string | Uint8Array, options: DocxOptions = {}): Promise<Buffer> {
  const {
    main = 'word/document.xml',
    parts = {},
    types = {},
    relations = [],
    core,
    custom,
    comment,
    level,
  } = options;
  const root: Relation[] = [{ id: 'r1', type: 'officeDocument', target: main }];
  const more: Record<string, string | Uint8Array> = {};
  const moreTypes: Record<string, string> = {};
  if (core !== undefined) {
    root.push({ id: 'r2', type: CORE, target: 'docProps/core.xml' });
    moreTypes['docProps/core.xml'] = 'application/vnd.openxmlformats-package.core-properties+xml';
    more['docProps/core.xml'] =
      `${HEAD}<cp:coreProperties xmlns:cp="http://schemas.openxmlformats.org/package/2006/metadata/core-properties" xmlns:dc="http://purl.org/dc/elements/1.1/">${Object.entries(
        core,
      )
        .map(([name, value]) =>
          name === 'keywords' ? `<cp:keywords>${value}</cp:keywords>` : `<dc:${name}>${value}</dc:${name}>`,
        )
        .join('')}</cp:coreProperties>`;
  }
  if (custom !== undefined) {
    root.push({ id: 'r3', type: 'custom-properties', target: 'docProps/custom.xml' });
    moreTypes['docProps/custom.xml'] = `${OFFICE}.custom-properties+xml`;
    more['docProps/custom.xml'] =
      `${HEAD}<Properties xmlns="http://schemas.openxmlformats.org/officeDocument/2006/custom-properties" xmlns:vt="http://schemas.openxmlformats.org/officeDocument/2006/docPropsVTypes"><property fmtid="{D5CDD505-2E9C-101B-9397-08002B2CF9AE}" pid="2" name="x"><vt:lpwstr>${custom}</vt:lpwstr></property></Properties>`;
  }
  return makePackage({
    types: { [main]: DOCUMENT, ...moreTypes, ...types },
    parts: {
      '_rels/.rels': relationsOf(root),
      [main]: body,
      [relsName(main)]: relationsOf(relations),
      ...more,
      ...parts,
    },
    ...(comment !== undefined && { comment }),
    ...(level !== undefined && { level }),
  });
}

type Rows = readonly (readonly (string | number)[])[];

export interface XlsxOptions {
  /** The part of the first sheet. */
  readonly sheet?: string | Uint8Array;
  readonly sheetName?: string;
  readonly stringsName?: string;
  /** Shared texts, if not those of the rows: the first cell refers to them. */
  readonly strings?: string;
  readonly title?: string;
  readonly second?: { readonly state: string; readonly rows: Rows };
  readonly defined?: string;
  readonly comment?: string;
  readonly columns?: string;
  readonly format?: string;
}

/** A workbook; texts are shared strings, and one that begins with = is a formula. */
export function xlsx(rows: Rows, options: XlsxOptions = {}): Promise<Buffer> {
  const texts: string[] = [];
  const cellOf = (value: string | number): string => {
    if (typeof value === 'number') return `<c s="1"><v>${value}</v></c>`;
    if (value.startsWith('=')) return `<c t="str"><f>${value.slice(1).replaceAll('"', '&quot;')}</f></c>`;
    return `<c t="s"><v>${texts.push(value) - 1}</v></c>`;
  };
  const sheetOf = (all: Rows): string =>
    `${HEAD}<worksheet ${S} xmlns:r="${REL}">${options.columns ?? ''}<sheetData>${all
      .map(
        (row, i) =>
          `<row r="${i + 1}">${options.strings === undefined ? row.map(cellOf).join('') : '<c t="s"><v>0</v></c>'}</row>`,
      )
      .join('')}</sheetData></worksheet>`;
  const { sheetName = 'sheet1.xml', stringsName = 'sharedStrings.xml', title = 'One', second } = options;
  const first = options.sheet ?? sheetOf(rows);
  const other = second === undefined ? null : sheetOf(second.rows);
  const main = 'xl/workbook.xml';
  const sheetType = `${OFFICE}.spreadsheetml.worksheet+xml`;
  const format = options.format ?? '0';
  return makePackage({
    types: {
      [main]: `${OFFICE}.spreadsheetml.sheet.main+xml`,
      [`xl/worksheets/${sheetName}`]: sheetType,
      [`xl/${stringsName}`]: `${OFFICE}.spreadsheetml.sharedStrings+xml`,
      'xl/styles.xml': `${OFFICE}.spreadsheetml.styles+xml`,
      ...(other !== null && { 'xl/worksheets/second.xml': sheetType }),
      ...(options.comment !== undefined && { 'xl/comments1.xml': `${OFFICE}.spreadsheetml.comments+xml` }),
    },
    parts: {
      '_rels/.rels': relationsOf([{ id: 'r1', type: 'officeDocument', target: main }]),
      [main]: `${HEAD}<workbook ${S} xmlns:r="${REL}"><sheets><sheet name="${title}" sheetId="1" r:id="r1"/>${other === null ? '' : `<sheet name="Two" sheetId="2" state="${second?.state}" r:id="r4"/>`}</sheets>${options.defined === undefined ? '' : `<definedNames>${options.defined}</definedNames>`}</workbook>`,
      [relsName(main)]: relationsOf([
        { id: 'r1', type: 'worksheet', target: `worksheets/${sheetName}` },
        { id: 'r2', type: 'sharedStrings', target: stringsName },
        { id: 'r3', type: 'styles', target: 'styles.xml' },
        ...(other === null ? [] : [{ id: 'r4', type: 'worksheet', target: 'worksheets/second.xml' }]),
      ]),
      [`xl/worksheets/${sheetName}`]: first,
      ...(other !== null && { 'xl/worksheets/second.xml': other }),
      [`xl/${stringsName}`]: `${HEAD}<sst ${S}>${options.strings ?? texts.map((one) => `<si><t xml:space="preserve">${one}</t></si>`).join('')}</sst>`,
      'xl/styles.xml': `${HEAD}<styleSheet ${S}><numFmts count="1"><numFmt numFmtId="164" formatCode="&quot;${format}&quot;"/></numFmts><fonts count="1"><font/></fonts><fills count="1"><fill/></fills><borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="2"><xf/><xf numFmtId="${options.format === undefined ? 0 : 164}" applyNumberFormat="1"/></cellXfs><cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>`,
      ...(options.comment !== undefined && {
        'xl/comments1.xml': `${HEAD}<comments ${S}><authors><author>A</author></authors><commentList><comment ref="A1" authorId="0"><text><r><t>${options.comment}</t></r></text></comment></commentList></comments>`,
        [`xl/worksheets/_rels/${sheetName}.rels`]: relationsOf([
          { id: 'r1', type: 'comments', target: '../comments1.xml' },
        ]),
      }),
    },
  });
}

export interface PptxOptions {
  readonly slide: string;
  readonly slideName?: string;
  readonly notes?: string;
  readonly alternative?: string;
  readonly isHidden?: boolean;
  readonly left?: number;
}

export function pptx({
  slide,
  slideName = 'slide1.xml',
  notes,
  alternative = '',
  isHidden,
  left = 0,
}: PptxOptions): Promise<Buffer> {
  const shape = (words: string): string =>
    `<p:sp><p:nvSpPr><p:cNvPr id="2" name="T" descr="${alternative}"/><p:cNvSpPr txBox="1"/><p:nvPr/></p:nvSpPr><p:spPr><a:xfrm><a:off x="${left}" y="0"/><a:ext cx="5000000" cy="1000000"/></a:xfrm><a:prstGeom prst="rect"><a:avLst/></a:prstGeom></p:spPr><p:txBody><a:bodyPr/><a:p><a:r><a:rPr/><a:t>${words}</a:t></a:r></a:p></p:txBody></p:sp>`;
  const tree = (words: string): string =>
    `<p:cSld><p:spTree><p:nvGrpSpPr><p:cNvPr id="1" name=""/><p:cNvGrpSpPr/><p:nvPr/></p:nvGrpSpPr><p:grpSpPr/>${shape(words)}</p:spTree></p:cSld>`;
  const main = 'ppt/presentation.xml';
  const type = (kind: string): string => `${OFFICE}.presentationml.${kind}+xml`;
  const name = `ppt/slides/${slideName}`;
  return makePackage({
    types: {
      [main]: type('presentation.main'),
      [name]: type('slide'),
      ...(notes !== undefined && { 'ppt/notesSlides/notesSlide1.xml': type('notesSlide') }),
    },
    parts: {
      '_rels/.rels': relationsOf([{ id: 'r1', type: 'officeDocument', target: main }]),
      [main]: `${HEAD}<p:presentation ${P}><p:sldIdLst><p:sldId id="256" r:id="r1"/></p:sldIdLst><p:sldSz cx="9144000" cy="6858000"/><p:notesSz cx="6858000" cy="9144000"/></p:presentation>`,
      [relsName(main)]: relationsOf([{ id: 'r1', type: 'slide', target: `slides/${slideName}` }]),
      [name]: `${HEAD}<p:sld ${P}${isHidden ? ' show="0"' : ''}>${tree(slide)}</p:sld>`,
      ...(notes !== undefined && {
        'ppt/notesSlides/notesSlide1.xml': `${HEAD}<p:notes ${P}>${tree(notes)}</p:notes>`,
        [relsName(name)]: relationsOf([
          { id: 'r1', type: 'notesSlide', target: '../notesSlides/notesSlide1.xml' },
        ]),
      }),
    },
  });
}
