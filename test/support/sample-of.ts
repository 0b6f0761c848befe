import { compileForm } from '../../shared/detection/secrets/form.ts';

const HOLE = /(?<!\\)\[([^\]]+)\]\{(\d+)(?:,\d+)?\}/g;
/** A key must end where its form ends. */
const END = /\(\?![^)]*\)$/;

/** A key of the form, of the shortest length. `pick(n)` returns a number below n. */
export function sampleOf(form: string, pick: (below: number) => number): string {
  const filled = compileForm(form)
    .source.replace(END, '')
    .replace(HOLE, (_hole, set: string, min: string) => {
      const letters = lettersOf(set);
      return Array.from({ length: Number(min) }, () => letters[pick(letters.length)]).join('');
    });
  return filled.replace(/\\(.)/g, (_escape, sign: string) => (sign === 'n' ? '\n' : sign));
}

/** The letters and digits of a character class. */
function lettersOf(set: string): string {
  const range = (_range: string, from: string, to: string): string => {
    let out = '';
    for (let code = from.charCodeAt(0); code <= to.charCodeAt(0); code++) out += String.fromCharCode(code);
    return out;
  };
  return set.replace(/(\w)-(\w)/g, range).replace(/[-.~+/_]/g, '');
}
