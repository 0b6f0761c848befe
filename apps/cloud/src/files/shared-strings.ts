import { Parser } from 'htmlparser2';
import { localName } from './xml-texts.ts';

/** Returns the texts that the cells of a workbook refer to by number, in order. */
export function readSharedStrings(xml: string): readonly string[] {
  const texts: string[] = [];
  let text = '';
  let inRun = false;
  const parser = new Parser(
    {
      onopentagname(name) {
        inRun = localName(name) === 't';
        if (localName(name) === 'si') text = '';
      },
      ontext(run) {
        if (inRun) text += run;
      },
      onclosetag(name) {
        inRun = false;
        if (localName(name) === 'si') texts.push(text);
      },
    },
    { xmlMode: true },
  );
  parser.end(xml);
  return texts;
}
