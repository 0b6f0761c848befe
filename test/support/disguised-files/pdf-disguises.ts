import { deflateSync } from 'node:zlib';
import { makePdf } from '../make-pdf.ts';
import { makeZip } from '../make-zip.ts';
import { code, type Disguise, letters, WORDS } from './disguise.ts';
import { docx } from './office-packages.ts';

const stream = (content: string | Buffer, dictionary = ''): string => {
  const bytes = Buffer.from(content).toString('latin1');
  return `<< ${dictionary} /Length ${bytes.length} >>\nstream\n${bytes}\nendstream`;
};
const shown = (words: string): string => `BT /F1 12 Tf 72 720 Td (${words}) Tj ET`;

interface Parts {
  /** Content of the page. */
  readonly content?: string;
  /** Of the page, of the catalog, of the trailer. */
  readonly page?: string;
  readonly catalog?: string;
  readonly trailer?: string;
  /** Objects from number 6 on. */
  readonly objects?: readonly string[];
}

/** A PDF of one page. Object 1 is the catalog, 3 the page, 4 its content, 5 the font. */
function pdf({
  content = stream(shown('A quiet river.')),
  page = '',
  catalog = '',
  trailer = '',
  objects = [],
}: Parts): Buffer {
  const all = [
    `<< /Type /Catalog /Pages 2 0 R ${catalog} >>`,
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> /XObject << /X1 6 0 R >> /Properties << /P1 6 0 R >> >> ${page} >>`,
    content,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>',
    ...objects,
  ];
  let out = '%PDF-1.7\n';
  const offsets = all.map((body, i) => {
    const at = out.length;
    out += `${i + 1} 0 obj\n${body}\nendobj\n`;
    return at;
  });
  const start = out.length;
  out += `xref\n0 ${all.length + 1}\n0000000000 65535 f \n${offsets.map((at) => `${String(at).padStart(10, '0')} 00000 n \n`).join('')}`;
  out += `trailer\n<< /Size ${all.length + 1} /Root 1 0 R ${trailer} >>\nstartxref\n${start}\n%%EOF\n`;
  return Buffer.from(out, 'latin1');
}

const annotation = (inner: string): Parts => ({
  page: '/Annots [6 0 R]',
  objects: [`<< /Type /Annot /Rect [50 50 500 90] ${inner} >>`],
});
const field = (inner: string): Parts => ({
  page: '/Annots [6 0 R]',
  catalog: '/AcroForm << /Fields [6 0 R] /DA (/F1 12 Tf) /DR << /Font << /F1 5 0 R >> >> >>',
  objects: [`<< /Type /Annot /Subtype /Widget /Rect [50 50 500 90] /T (f) ${inner} >>`],
});
const hex = (text: string): string => [...text].map((sign) => code(sign).toString(16)).join('');
const utf16 = `<feff${Buffer.from(WORDS, 'utf16le').swap16().toString('hex')}>`;
const xfa = `<xdp:xdp xmlns:xdp="http://ns.adobe.com/xdp/"><template xmlns="http://www.xfa.org/schema/xfa-template/3.3/"><subform name="a" layout="tb"><pageSet><pageArea><contentArea w="500pt" h="700pt"/><medium stock="a4"/></pageArea></pageSet><draw name="d" w="400pt" h="20pt"><ui><textEdit/></ui><value><text>${WORDS}</text></value></draw></subform></template></xdp:xdp>`;

const PDFS: Readonly<Record<string, Parts>> = {
  'on a page': { content: stream(shown(WORDS)) },
  'in compressed content': { content: stream(deflateSync(shown(WORDS)), '/Filter /FlateDecode') },
  'in content of hexadecimal digits': { content: stream(`${hex(shown(WORDS))}>`, '/Filter /ASCIIHexDecode') },
  'in hexadecimal strings': { content: stream(`BT /F1 12 Tf 72 720 Td <${hex(WORDS)}> Tj ET`) },
  'in octal escapes': {
    content: stream(shown(letters.map((sign) => `\\${code(sign).toString(8).padStart(3, '0')}`).join(''))),
  },
  'with a gap between letters': {
    content: stream(`BT /F1 12 Tf 72 720 Td [${letters.map((sign) => `(${sign})`).join(' -20 ')}] TJ ET`),
  },
  'with a position for each letter': {
    content: stream(letters.map((sign, i) => `BT /F1 12 Tf ${72 + i * 9} 720 Td (${sign}) Tj ET`).join('\n')),
  },
  invisibly: { content: stream(`BT 3 Tr /F1 12 Tf 72 720 Td (${WORDS}) Tj ET`) },
  'in white': { content: stream(`1 1 1 rg ${shown(WORDS)}`) },
  'outside of the page': { content: stream(`BT /F1 12 Tf 5000 5000 Td (${WORDS}) Tj ET`) },
  'in a form on the page': {
    content: stream('/X1 Do'),
    objects: [
      stream(
        shown(WORDS),
        '/Type /XObject /Subtype /Form /BBox [0 0 612 792] /Resources << /Font << /F1 5 0 R >> >>',
      ),
    ],
  },
  'in the replacement of marked text': {
    content: stream(`/Span << /ActualText (${WORDS}) >> BDC ${shown('x')} EMC`),
  },
  'in the replacement of each letter': {
    content: stream(
      letters.map((sign) => `/Span <</ActualText <feff00${hex(sign)}>>> BDC ${shown('x')} EMC`).join('\n'),
    ),
  },
  'in a replacement in compressed content, by another spelling of its name': {
    content: stream(
      deflateSync(`/Span <</#41ctual#54ext(Quorbel \\166intage\\\n mar\\(ma\\)lade)>>BDC ${shown('x')} EMC`),
      '/Filter/FlateDecode',
    ),
  },
  'in a replacement by named properties': {
    content: stream(`/Span /P1 BDC ${shown('x')} EMC`),
    objects: [`<< /ActualText ${utf16} >>`],
  },
  'in the title': { trailer: '/Info 6 0 R', objects: [`<< /Title (${WORDS}) >>`] },
  'in the title in UTF-16': { trailer: '/Info 6 0 R', objects: [`<< /Title ${utf16} >>`] },
  'in information of its own': { trailer: '/Info 6 0 R', objects: [`<< /Whatever (${WORDS}) >>`] },
  'in metadata': {
    catalog: '/Metadata 6 0 R',
    objects: [
      stream(
        `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:description><rdf:Alt><rdf:li xml:lang="x-default">${WORDS}</rdf:li></rdf:Alt></dc:description></rdf:Description></rdf:RDF></x:xmpmeta>`,
        '/Type /Metadata /Subtype /XML',
      ),
    ],
  },
  'in a note': annotation(`/Subtype /Text /Contents (${WORDS})`),
  'in the author of a note': annotation(`/Subtype /Text /Contents (x) /T (${WORDS})`),
  'in the rich text of a note': annotation(
    `/Subtype /FreeText /Contents (x) /DA (/F1 12 Tf) /RC (<body xmlns="http://www.w3.org/1999/xhtml"><p>${WORDS}</p></body>)`,
  ),
  'in the target of a link': annotation(
    `/Subtype /Link /A << /S /URI /URI (https://a.example/${WORDS.replaceAll(' ', '-')}) >>`,
  ),
  'in a script of a link': annotation(
    `/Subtype /Link /A << /S /JavaScript /JS (app.alert\\("${WORDS}"\\)) >>`,
  ),
  'in the appearance of a stamp': {
    page: '/Annots [6 0 R]',
    objects: [
      '<< /Type /Annot /Subtype /Stamp /Rect [50 50 500 90] /F 4 /AP << /N 7 0 R >> >>',
      stream(
        `BT /F1 12 Tf 5 5 Td (${WORDS}) Tj ET`,
        '/Type /XObject /Subtype /Form /BBox [0 0 450 40] /Resources << /Font << /F1 5 0 R >> >>',
      ),
    ],
  },
  'in a field': field(`/FT /Tx /V (${WORDS})`),
  'in the default of a field': field(`/FT /Tx /DV (${WORDS})`),
  'in the name of a field': field(`/FT /Tx /V (x) /TU (${WORDS})`),
  'in the choices of a field': field(`/FT /Ch /Ff 131072 /Opt [(a) (${WORDS})] /V (a)`),
  'in a script of a field': field(
    `/FT /Tx /V (x) /AA << /F << /S /JavaScript /JS (event.value = "${WORDS}") >> >>`,
  ),
  'in an outline': {
    catalog: '/Outlines 6 0 R',
    objects: [
      '<< /Type /Outlines /First 7 0 R /Last 7 0 R /Count 1 >>',
      `<< /Title (${WORDS}) /Parent 6 0 R /Dest [3 0 R /Fit] >>`,
    ],
  },
  'in a script when it is opened': {
    catalog: '/OpenAction 6 0 R',
    objects: [`<< /S /JavaScript /JS (app.alert\\("${WORDS}"\\)) >>`],
  },
  'in a named script': {
    catalog: '/Names << /JavaScript << /Names [(a) 6 0 R] >> >>',
    objects: [`<< /S /JavaScript /JS (app.alert\\("${WORDS}"\\)) >>`],
  },
  'in an attachment': {
    catalog: '/Names << /EmbeddedFiles << /Names [(a) 6 0 R] >> >>',
    objects: ['<< /Type /Filespec /F (a) /EF << /F 7 0 R >> >>', stream(WORDS, '/Type /EmbeddedFile')],
  },
  'in the name of an attachment': {
    catalog: '/Names << /EmbeddedFiles << /Names [(a) 6 0 R] >> >>',
    objects: [
      `<< /Type /Filespec /F (${WORDS}) /Desc (x) /EF << /F 7 0 R >> >>`,
      stream('x', '/Type /EmbeddedFile'),
    ],
  },
  'in the description of an attachment': {
    catalog: '/Names << /EmbeddedFiles << /Names [(a) 6 0 R] >> >>',
    objects: [
      `<< /Type /Filespec /F (a) /Desc (${WORDS}) /EF << /F 7 0 R >> >>`,
      stream('x', '/Type /EmbeddedFile'),
    ],
  },
  'in an attachment to a page': {
    page: '/Annots [6 0 R]',
    objects: [
      '<< /Type /Annot /Subtype /FileAttachment /Rect [9 9 20 20] /FS 7 0 R >>',
      '<< /Type /Filespec /F (a) /EF << /F 8 0 R >> >>',
      stream(WORDS, '/Type /EmbeddedFile'),
    ],
  },
  'in an alternative text': {
    content: stream(`/Figure << /MCID 0 >> BDC ${shown('x')} EMC`),
    page: '/StructParents 0',
    catalog: '/MarkInfo << /Marked true >> /StructTreeRoot 6 0 R',
    objects: [
      '<< /Type /StructTreeRoot /K 7 0 R /ParentTree << /Nums [0 [7 0 R]] >> >>',
      `<< /Type /StructElem /S /Figure /P 6 0 R /Pg 3 0 R /K 0 /Alt (${WORDS}) >>`,
    ],
  },
  'in the label of a page': { catalog: `/PageLabels << /Nums [0 << /P (${WORDS}) >>] >>` },
  'in the name of a layer': {
    content: stream(`/OC /P1 BDC ${shown('x')} EMC`),
    catalog: '/OCProperties << /OCGs [6 0 R] /D << /Order [6 0 R] /ON [6 0 R] >> >>',
    objects: [`<< /Type /OCG /Name (${WORDS}) >>`],
  },
  'in a hidden layer': {
    content: stream(`/OC /P1 BDC ${shown(WORDS)} EMC`),
    catalog: '/OCProperties << /OCGs [6 0 R] /D << /OFF [6 0 R] >> >>',
    objects: ['<< /Type /OCG /Name (x) >>'],
  },
  'in an XFA form': {
    catalog: '/NeedsRendering true /AcroForm << /Fields [] /XFA 6 0 R >>',
    objects: [stream(xfa)],
  },
};

export async function pdfDisguises(): Promise<Disguise[]> {
  const whole = pdf({ content: stream(shown(WORDS)) });
  const harmless = makePdf({ pages: ['A quiet river.'] });
  const picture = Buffer.concat([Buffer.from('ffd8ffe000104a464946', 'hex'), Buffer.alloc(3_000, 7)]);
  const around: Readonly<Record<string, Buffer>> = {
    'behind a Word document': Buffer.concat([await docx('<a/>'), whole]),
    'behind an archive of 5,000 bytes': Buffer.concat([
      await makeZip({ a: Buffer.alloc(5_000, 'x') }, { level: 0 }),
      whole,
    ]),
    'before a Word document': Buffer.concat([whole, await docx('<a/>')]),
    'behind 900 bytes': Buffer.concat([Buffer.alloc(900, 'x'), whole]),
    'behind a picture': Buffer.concat([picture, whole]),
    'behind another PDF': Buffer.concat([harmless, whole]),
    'before another PDF': Buffer.concat([whole, harmless]),
    'without its first line': whole.subarray(9),
    'without its table of objects': whole.subarray(0, whole.indexOf('xref')),
    'compressed in an archive': await makeZip({ 'a.bin': whole }),
  };
  const files = {
    ...Object.fromEntries(Object.entries(PDFS).map(([name, parts]) => [name, pdf(parts)])),
    ...around,
  };
  return Object.entries(files).map(([name, bytes]) => ({
    name: `in a PDF ${name}`,
    extension: 'pdf',
    bytes,
  }));
}
