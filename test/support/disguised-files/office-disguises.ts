import { makePdf } from '../make-pdf.ts';
import { makeZip } from '../make-zip.ts';
import { code, type Disguise, ebcdic, letters, utf7, utf32, WORDS } from './disguise.ts';
import { docx, HEAD, type Parts, pptx, REL, W, xlsx } from './office-packages.ts';

const paragraph = (inner: string): string => `<w:p><w:r>${inner}</w:r></w:p>`;
const text = (words = WORDS): string => `<w:t xml:space="preserve">${words}</w:t>`;
const document = (body: string, head = HEAD, root = ''): string =>
  `${head}<w:document ${W} ${root}><w:body>${body}</w:body></w:document>`;
const plain = paragraph(text('A quiet river.'));
const spoken = document(paragraph(text()));

/** A Word document with a further part, and the relationship of the document to it. */
function withPart(name: string, type: string, content: string | Uint8Array, reference = ''): Promise<Buffer> {
  const contentType = `application/vnd.openxmlformats-officedocument.wordprocessingml.${type}+xml`;
  return docx(document(`${plain}${reference}`), {
    parts: { [`word/${name}`]: content },
    types: { [`word/${name}`]: contentType },
    relations: [{ id: 'rX', type, target: name }],
  });
}

const part = (root: string, body: string): string => `${HEAD}<w:${root} ${W}>${body}</w:${root}>`;

/** Names that look like parts without text. */
const MAIN_NAMES = [
  ...[
    'document.ttf',
    'document.otf',
    'document.odttf',
    'document.fntdata',
    'layout-cache',
    'printerSettings1.bin',
  ],
  ...[
    'document.emf',
    'document.png',
    'document.bin',
    'document',
    'DOCUMENT.XML',
    'media/image1.jpeg',
    'a.rels.txt',
  ],
];

const ENTITIES = [...new Set(WORDS)].map((sign) => `<!ENTITY e${code(sign)} "${sign}">`).join('');

/** Bodies of a Word document. */
const BODIES: Readonly<Record<string, string>> = {
  'plain text': spoken,
  'a run for each letter': document(
    `<w:p>${letters.map((sign) => `<w:r>${text(sign)}</w:r>`).join('')}</w:p>`,
  ),
  'a paragraph for each word': document(
    WORDS.split(' ')
      .map((word) => paragraph(text(word)))
      .join(''),
  ),
  'character references': document(paragraph(text(letters.map((sign) => `&#${code(sign)};`).join('')))),
  CDATA: document(paragraph(text(`<![CDATA[${WORDS}]]>`))),
  'comments between letters': document(paragraph(text(letters.join('<!-- x -->')))),
  'processing instructions between letters': document(paragraph(text(letters.join('<?x y?>')))),
  'an entity': document(paragraph(text('&x;')), `${HEAD}<!DOCTYPE d [<!ENTITY x "${WORDS}">]>`),
  'an entity for each letter': document(
    paragraph(text(letters.map((sign) => `&e${code(sign)};`).join(''))),
    `${HEAD}<!DOCTYPE d [${ENTITIES}]>`,
  ),
  'symbols of a font': document(
    paragraph(
      letters
        .map((sign) => `<w:sym w:font="Arial" w:char="${code(sign).toString(16).padStart(4, '0')}"/>`)
        .join(''),
    ),
  ),
  'a table': document(`${plain}<w:tbl><w:tr><w:tc>${paragraph(text())}</w:tc></w:tr></w:tbl>`),
  'a table in a table': document(
    `<w:tbl><w:tr><w:tc><w:tbl><w:tr><w:tc>${paragraph(text())}</w:tc></w:tr></w:tbl>${plain}</w:tc></w:tr></w:tbl>`,
  ),
  'a hyperlink': document(`<w:p><w:hyperlink w:anchor="a"><w:r>${text()}</w:r></w:hyperlink></w:p>`),
  'a field': document(
    `<w:p><w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText>QUOTE "${WORDS}"</w:instrText></w:r><w:r><w:fldChar w:fldCharType="end"/></w:r></w:p>`,
  ),
  'a simple field': document(
    `<w:p><w:fldSimple w:instr='QUOTE "${WORDS}"'><w:r>${text('x')}</w:r></w:fldSimple></w:p>`,
  ),
  'a content control': document(`<w:sdt><w:sdtContent>${paragraph(text())}</w:sdtContent></w:sdt>`),
  'the title of a content control': document(
    `<w:sdt><w:sdtPr><w:alias w:val="${WORDS}"/><w:tag w:val="x"/></w:sdtPr><w:sdtContent>${plain}</w:sdtContent></w:sdt>`,
  ),
  'an insertion': document(`<w:p><w:ins w:id="1" w:author="A"><w:r>${text()}</w:r></w:ins></w:p>`),
  'a deletion': document(
    `<w:p><w:del w:id="1" w:author="A"><w:r><w:delText>${WORDS}</w:delText></w:r></w:del></w:p>`,
  ),
  'hidden text': document(`<w:p><w:r><w:rPr><w:vanish/></w:rPr>${text()}</w:r></w:p>`),
  'ruby text': document(
    `<w:p><w:r><w:ruby><w:rt><w:r>${text()}</w:r></w:rt><w:rubyBase><w:r>${text('x')}</w:r></w:rubyBase></w:ruby></w:r></w:p>`,
  ),
  'a text box': document(
    `<w:p><w:r><mc:AlternateContent><mc:Choice Requires="wps"/><mc:Fallback><w:pict><v:shape><v:textbox><w:txbxContent>${paragraph(text())}</w:txbxContent></v:textbox></v:shape></w:pict></mc:Fallback></mc:AlternateContent></w:r></w:p>`,
    HEAD,
    'xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006" xmlns:v="urn:schemas-microsoft-com:vml" xmlns:wps="http://schemas.microsoft.com/office/word/2010/wordprocessingShape"',
  ),
  'the alternative text of a picture': document(
    `<w:p><w:r><w:drawing><wp:inline><wp:extent cx="9" cy="9"/><wp:docPr id="1" name="x" descr="${WORDS}"/><a:graphic><a:graphicData uri="http://schemas.openxmlformats.org/drawingml/2006/picture"><pic:pic><pic:blipFill><a:blip r:embed="rX"/></pic:blipFill></pic:pic></a:graphicData></a:graphic></wp:inline></w:drawing></w:r></w:p>`,
    HEAD,
    'xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing" xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" xmlns:pic="http://schemas.openxmlformats.org/drawingml/2006/picture" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"',
  ),
  'a formula': document(
    `<w:p><m:oMath><m:r><m:t>${WORDS}</m:t></m:r></m:oMath></w:p>`,
    HEAD,
    'xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math"',
  ),
  'another prefix': spoken.replaceAll('w:', 'q:').replace('xmlns:w=', 'xmlns:q='),
  'the strict namespace': spoken.replace(
    'http://schemas.openxmlformats.org/wordprocessingml/2006/main',
    'http://purl.oclc.org/ooxml/wordprocessingml/main',
  ),
};

/** Encodings of the main part. */
const ENCODINGS: Readonly<Record<string, string | Uint8Array>> = {
  'UTF-16 with a mark': Buffer.from(`\ufeff${spoken.replace('UTF-8', 'UTF-16')}`, 'utf16le'),
  'UTF-16, big end first': Buffer.from(`\ufeff${spoken.replace('UTF-8', 'UTF-16')}`, 'utf16le').swap16(),
  'UTF-32': utf32(`\ufeff${spoken.replace('UTF-8', 'UTF-32')}`),
  'UTF-7': document(paragraph(text(utf7(WORDS)))).replace('UTF-8', 'UTF-7'),
  EBCDIC: ebcdic(spoken.replace('UTF-8', 'cp037').replace('\n', '')),
  Shift_JIS: spoken.replace('UTF-8', 'Shift_JIS'),
  'Latin-1': spoken.replace('UTF-8', 'ISO-8859-1'),
  'white space before it': `\n\n${spoken.replace(HEAD, '')}`,
  'a byte order mark': `\ufeff${spoken}`,
  'HZ-GB-2312': document(paragraph(text(`~{${WORDS}~}`))).replace('UTF-8', 'HZ-GB-2312'),
};

export async function officeDisguises(): Promise<Disguise[]> {
  const made: (readonly [string, Promise<Buffer>, string?])[] = [];
  for (const [name, body] of Object.entries(BODIES)) made.push([`in ${name}`, docx(body)]);
  for (const main of MAIN_NAMES)
    made.push([`in a main part named ${main}`, docx(spoken, { main: `word/${main}` })]);
  for (const [name, bytes] of Object.entries(ENCODINGS)) made.push([`in ${name}`, docx(bytes)]);
  const header = (root: string) => part(root, paragraph(text()));
  const section = (kind: string) =>
    `<w:sectPr><w:${kind}Reference w:type="default" r:id="rX" xmlns:r="${REL}"/></w:sectPr>`;
  const referred = (kind: string) => `<w:p><w:r><w:${kind}Reference w:id="2"/></w:r></w:p>`;
  const note = (root: string, item: string) =>
    part(root, `<w:${item} w:id="2" w:author="A">${paragraph(text())}</w:${item}>`);
  made.push(
    ['in a header', withPart('header1.xml', 'header', header('hdr'), section('header'))],
    ['in a header named like a font', withPart('h.ttf', 'header', header('hdr'), section('header'))],
    ['in a footer', withPart('footer1.xml', 'footer', header('ftr'), section('footer'))],
    [
      'in a footnote',
      withPart('footnotes.xml', 'footnotes', note('footnotes', 'footnote'), referred('footnote')),
    ],
    ['in an endnote', withPart('endnotes.xml', 'endnotes', note('endnotes', 'endnote'), referred('endnote'))],
    ['in a comment', withPart('comments.xml', 'comments', note('comments', 'comment'), referred('comment'))],
    [
      'in a comment in a part named like settings of a printer',
      withPart('printerSettings2.bin', 'comments', note('comments', 'comment'), referred('comment')),
    ],
    [
      'in the label of a list',
      withPart(
        'numbering.xml',
        'numbering',
        part(
          'numbering',
          `<w:abstractNum w:abstractNumId="0"><w:lvl w:ilvl="0"><w:start w:val="1"/><w:numFmt w:val="decimal"/><w:lvlText w:val="${WORDS} %1"/></w:lvl></w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num>`,
        ),
        '<w:p><w:pPr><w:numPr><w:ilvl w:val="0"/><w:numId w:val="1"/></w:numPr></w:pPr><w:r><w:t>x</w:t></w:r></w:p>',
      ),
    ],
    ['in the properties', docx(document(plain), { core: { title: WORDS } })],
    ['in the keywords', docx(document(plain), { core: { subject: 'x', keywords: WORDS } })],
    ['in custom properties', docx(document(plain), { custom: WORDS })],
    [
      'in the target of a link',
      docx(document(plain), {
        relations: [
          {
            id: 'rX',
            type: 'hyperlink',
            target: `https://a.example/${encodeURIComponent(WORDS)}`,
            isExternal: true,
          },
        ],
      }),
    ],
    [
      'in an embedded page',
      docx(document(`${plain}<w:altChunk r:id="rX" xmlns:r="${REL}"/>`), {
        parts: { 'word/chunk.html': `<html><body><p>${WORDS}</p></body></html>` },
        types: { 'word/chunk.html': 'text/html' },
        relations: [{ id: 'rX', type: 'aFChunk', target: 'chunk.html' }],
      }),
    ],
    [
      'in an embedded RTF document',
      docx(document(`${plain}<w:altChunk r:id="rX" xmlns:r="${REL}"/>`), {
        parts: {
          'word/chunk.dat': `{\\rtf1 ${letters.map((sign) => `\\'${code(sign).toString(16)}`).join('')}}`,
        },
        types: { 'word/chunk.dat': 'application/rtf' },
        relations: [{ id: 'rX', type: 'aFChunk', target: 'chunk.dat' }],
      }),
    ],
    [
      'in an embedded workbook',
      docx(document(plain), { parts: { 'word/embeddings/a.bin': await xlsx([[WORDS]]) } }),
    ],
    ['in the name of a part', docx(document(plain), { parts: { [`word/${WORDS}.xml`]: '<a/>' } })],
    [
      'behind a PDF',
      Promise.all([docx(spoken)]).then(([it]) =>
        Buffer.concat([makePdf({ pages: ['A quiet river.'] }), it!]),
      ),
    ],
    [
      'behind a picture',
      docx(spoken).then((it) => Buffer.concat([Buffer.from('GIF89a\x01\0\x01\0\0\0\0;', 'latin1'), it])),
    ],
    [
      'before 100,000 other bytes',
      docx(spoken).then((it) => Buffer.concat([it, Buffer.alloc(100_000, 'x')])),
    ],
    [
      'in the first of two archives',
      docx(spoken).then(async (it) => Buffer.concat([it, await docx(document(plain))])),
    ],
    [
      'in the second of two archives',
      docx(document(plain)).then(async (it) => Buffer.concat([it, await docx(spoken)])),
    ],
    ['in the comment of the archive', docx(document(plain), { comment: WORDS })],
    ['stored without compression', docx(spoken, { level: 0 })],
  );
  const sheet = (rows: Parameters<typeof xlsx>[0], options?: Parameters<typeof xlsx>[1]) =>
    xlsx(rows, options);
  const inline = (words: string) => `<c t="inlineStr"><is><t>${words}</t></is></c>`;
  const sheetOf = (cells: string, more = '') =>
    `${HEAD}<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData><row r="1">${cells}</row></sheetData>${more}</worksheet>`;
  const x = 'xlsx';
  made.push(
    ['in a cell', sheet([[WORDS]]), x],
    ['in a cell for each word', sheet([WORDS.split(' ')]), x],
    ['in a text of the cell itself', sheet([[]], { sheet: sheetOf(inline(WORDS)) }), x],
    [
      'in a rich text',
      sheet([[]], {
        strings: `<si>${letters.map((sign) => `<r><t xml:space="preserve">${sign}</t></r>`).join('')}</si>`,
      }),
      x,
    ],
    [
      'in escaped characters',
      sheet([[]], {
        strings: `<si><t>${letters.map((sign) => `_x00${code(sign).toString(16)}_`).join('')}</t></si>`,
      }),
      x,
    ],
    ['in a formula', sheet([[`="${WORDS}"`]]), x],
    [
      'in the result of a formula',
      sheet([[]], { sheet: sheetOf(`<c t="str"><f>A9</f><v>${WORDS}</v></c>`) }),
      x,
    ],
    ['in a hidden sheet', sheet([['x']], { second: { state: 'hidden', rows: [[WORDS]] } }), x],
    ['in a very hidden sheet', sheet([['x']], { second: { state: 'veryHidden', rows: [[WORDS]] } }), x],
    ['in a sheet named like a font', sheet([[WORDS]], { sheetName: 'sheet1.ttf' }), x],
    ['in shared texts of another name', sheet([[WORDS]], { stringsName: 'texts.odttf' }), x],
    ['in the name of a sheet', sheet([['x']], { title: WORDS }), x],
    ['in a defined name', sheet([['x']], { defined: `<definedName name="x">"${WORDS}"</definedName>` }), x],
    ['in a comment on a cell', sheet([['x']], { comment: WORDS }), x],
    [
      'in a hidden column',
      sheet([['x', WORDS]], { columns: '<cols><col min="2" max="2" hidden="1"/></cols>' }),
      x,
    ],
    [
      'in a header of the printed page',
      sheet([[]], {
        sheet: sheetOf(inline('x'), `<headerFooter><oddHeader>&amp;C${WORDS}</oddHeader></headerFooter>`),
      }),
      x,
    ],
    ['in a number format', sheet([[1]], { format: WORDS }), x],
    [
      'in the prompt of a cell',
      sheet([[]], {
        sheet: sheetOf(
          inline('x'),
          `<dataValidations count="1"><dataValidation type="list" showInputMessage="1" prompt="${WORDS}" sqref="A1"><formula1>"a,b"</formula1></dataValidation></dataValidations>`,
        ),
      }),
      x,
    ],
    [
      'in UTF-16 in a sheet',
      sheet([[]], {
        sheet: Buffer.from(`\ufeff${sheetOf(inline(WORDS)).replace('UTF-8', 'UTF-16')}`, 'utf16le'),
      }),
      x,
    ],
    [
      'in UTF-7 in a sheet',
      sheet([[]], { sheet: sheetOf(inline(utf7(WORDS))).replace('UTF-8', 'UTF-7') }),
      x,
    ],
    [
      'in entities in a sheet',
      sheet([[]], {
        sheet: sheetOf(inline('&x;')).replace(
          '<worksheet',
          `<!DOCTYPE w [<!ENTITY x "${WORDS}">]><worksheet`,
        ),
      }),
      x,
    ],
  );
  const p = 'pptx';
  made.push(
    ['on a slide', pptx({ slide: WORDS }), p],
    ['on a hidden slide', pptx({ slide: WORDS, isHidden: true }), p],
    ['in the notes of a speaker', pptx({ slide: 'x', notes: WORDS }), p],
    ['in a slide named like a font', pptx({ slide: WORDS, slideName: 'slide1.fntdata' }), p],
    ['in the alternative text of a shape', pptx({ slide: 'x', alternative: WORDS }), p],
    ['outside of the slide', pptx({ slide: WORDS, left: 99_999_999 }), p],
  );
  for (const [name, bytes] of Object.entries(await odfFiles())) made.push([name, bytes, 'odt']);
  return Promise.all(
    made.map(async ([name, bytes, extension = 'docx']) => ({ name, extension, bytes: await bytes })),
  );
}

async function odfFiles(): Promise<Record<string, Promise<Buffer>>> {
  const O = 'urn:oasis:names:tc:opendocument:xmlns';
  const spaces = `xmlns:office="${O}:office:1.0" xmlns:text="${O}:text:1.0" xmlns:draw="${O}:drawing:1.0" xmlns:svg="${O}:svg-compatible:1.0" xmlns:style="${O}:style:1.0" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:meta="${O}:meta:1.0"`;
  const content = (body: string, head = HEAD) =>
    `${head}<office:document-content ${spaces} office:version="1.2"><office:body><office:text>${body}</office:text></office:body></office:document-content>`;
  const odt = (xml: string | Uint8Array, parts: Parts = {}) =>
    makeZip({
      mimetype: 'application/vnd.oasis.opendocument.text',
      'META-INF/manifest.xml': `${HEAD}<manifest:manifest xmlns:manifest="${O}:manifest:1.0"><manifest:file-entry manifest:full-path="/" manifest:media-type="application/vnd.oasis.opendocument.text"/>${['content.xml', ...Object.keys(parts)].map((name) => `<manifest:file-entry manifest:full-path="${name}" manifest:media-type="text/xml"/>`).join('')}</manifest:manifest>`,
      'content.xml': xml,
      ...parts,
    });
  const p = (inner: string) => `<text:p>${inner}</text:p>`;
  return {
    'in an OpenDocument text': odt(content(p(WORDS))),
    'in spans of letters': odt(
      content(
        p(letters.map((sign) => (sign === ' ' ? '<text:s/>' : `<text:span>${sign}</text:span>`)).join('')),
      ),
    ),
    'in an OpenDocument note': odt(
      content(
        p(
          `x<text:note text:id="n" text:note-class="footnote"><text:note-citation>1</text:note-citation><text:note-body>${p(WORDS)}</text:note-body></text:note>`,
        ),
      ),
    ),
    'in an OpenDocument comment': odt(
      content(p(`x<office:annotation><dc:creator>A</dc:creator>${p(WORDS)}</office:annotation>`)),
    ),
    'in a hidden section': odt(
      content(`<text:section text:name="s" text:display="none">${p(WORDS)}</text:section>${p('x')}`),
    ),
    'in an OpenDocument entity': odt(content(p('&x;'), `${HEAD}<!DOCTYPE o [<!ENTITY x "${WORDS}">]>`)),
    'in OpenDocument metadata': odt(content(p('x')), {
      'meta.xml': `${HEAD}<office:document-meta ${spaces}><office:meta><dc:title>${WORDS}</dc:title><meta:user-defined meta:name="x">${WORDS}</meta:user-defined></office:meta></office:document-meta>`,
    }),
    'in an OpenDocument header': odt(content(p('x')), {
      'styles.xml': `${HEAD}<office:document-styles ${spaces}><office:automatic-styles><style:page-layout style:name="l"><style:header-style/></style:page-layout></office:automatic-styles><office:master-styles><style:master-page style:name="Standard" style:page-layout-name="l"><style:header>${p(WORDS)}</style:header></style:master-page></office:master-styles></office:document-styles>`,
    }),
    'in OpenDocument UTF-16': odt(
      Buffer.from(`\ufeff${content(p(WORDS)).replace('UTF-8', 'UTF-16')}`, 'utf16le'),
    ),
  };
}
