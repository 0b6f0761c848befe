/** A small PDF 1.7 with one line of ASCII per page, and other parts of a document in any characters. */
export function makePdf(input: {
  readonly pages: readonly string[];
  readonly info?: Readonly<Record<string, string>>;
  /** Notes on the first page. */
  readonly notes?: readonly string[];
  /** Content of an attached file. */
  readonly attached?: Uint8Array;
  /** Needs an unknown password. */
  readonly isLocked?: boolean;
}): Buffer {
  const objects: string[] = [];
  const add = (body: string): number => objects.push(body);
  const text = (value: string): string =>
    /[^ -~]/.test(value)
      ? `<feff${Buffer.from(value, 'utf16le').swap16().toString('hex')}>`
      : `(${value.replaceAll(/[\\()]/g, (sign) => `\\${sign}`)})`;
  const font = add('<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>');
  const tree = objects.length + 1;
  add('');
  const notes = (input.notes ?? []).map((note) =>
    add(`<< /Type /Annot /Subtype /Text /Rect [0 0 9 9] /Contents ${text(note)} >>`),
  );
  const pages = input.pages.map((line, index) => {
    const stream = `BT /F1 12 Tf 72 720 Td ${text(line)} Tj ET`;
    const content = add(`<< /Length ${stream.length} >>\nstream\n${stream}\nendstream`);
    const annotations = index === 0 ? `/Annots [${notes.map((id) => `${id} 0 R`).join(' ')}]` : '';
    return add(
      `<< /Type /Page /Parent ${tree} 0 R /MediaBox [0 0 612 792] /Contents ${content} 0 R /Resources << /Font << /F1 ${font} 0 R >> >> ${annotations} >>`,
    );
  });
  objects[tree - 1] =
    `<< /Type /Pages /Kids [${pages.map((id) => `${id} 0 R`).join(' ')}] /Count ${pages.length} >>`;
  let names = '';
  if (input.attached !== undefined) {
    const bytes = Buffer.from(input.attached).toString('latin1');
    const content = add(`<< /Type /EmbeddedFile /Length ${bytes.length} >>\nstream\n${bytes}\nendstream`);
    const file = add(`<< /Type /Filespec /F (a) /EF << /F ${content} 0 R >> >>`);
    names = `/Names << /EmbeddedFiles << /Names [(a) ${file} 0 R] >> >>`;
  }
  const catalog = add(`<< /Type /Catalog /Pages ${tree} 0 R ${names} >>`);
  const info = add(
    `<< ${Object.entries(input.info ?? {})
      .map(([name, value]) => `/${name} ${text(value)}`)
      .join(' ')} >>`,
  );
  const lock =
    input.isLocked === true
      ? `/ID [(0123456789abcdef) (0123456789abcdef)] /Encrypt << /Filter /Standard /V 1 /R 2 /P -4 /O ${text('o'.repeat(32))} /U ${text('u'.repeat(32))} >>`
      : '';
  let out = '%PDF-1.7\n';
  const offsets = objects.map((body, index) => {
    const at = out.length;
    out += `${index + 1} 0 obj\n${body}\nendobj\n`;
    return at;
  });
  const start = out.length;
  out += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n`;
  for (const at of offsets) out += `${String(at).padStart(10, '0')} 00000 n \n`;
  out += `trailer\n<< /Size ${objects.length + 1} /Root ${catalog} 0 R /Info ${info} 0 R ${lock} >>\nstartxref\n${start}\n%%EOF\n`;
  return Buffer.from(out, 'latin1');
}
