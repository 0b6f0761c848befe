import { deflateSync } from 'node:zlib';

/**
 * A small PDF that is expensive to read: its first page contains `text`, all others share one compressed page of
 * `operators` operators that draw nothing.
 */
export function makeHeavyPdf(text: string, pages: number, operators: number): Buffer {
  const stream = (content: string): Buffer => {
    const packed = deflateSync(content);
    return Buffer.concat([
      Buffer.from(`<</Length ${packed.length}/Filter/FlateDecode>>stream\n`),
      packed,
      Buffer.from('\nendstream'),
    ]);
  };
  const numbers = Array.from({ length: pages }, (_, i) => i);
  const objects = [
    '<</Type/Catalog/Pages 2 0 R>>',
    `<</Type/Pages/Count ${pages}/Kids[${numbers.map((i) => `${6 + i} 0 R`).join(' ')}]>>`,
    '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>',
    stream(`BT /F1 12 Tf 50 700 Td (${text}) Tj ET`),
    stream('q 1 0 0 1 0 0 cm Q '.repeat(operators)),
    ...numbers.map(
      (i) =>
        `<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Resources<</Font<</F1 3 0 R>>>>/Contents ${i === 0 ? 4 : 5} 0 R>>`,
    ),
  ];
  return Buffer.concat([
    Buffer.from('%PDF-1.4\n'),
    ...objects.flatMap((object, i) => [
      Buffer.from(`${i + 1} 0 obj\n`),
      Buffer.from(object),
      Buffer.from('\nendobj\n'),
    ]),
    Buffer.from('trailer<</Root 1 0 R>>\n%%EOF'),
  ]);
}
