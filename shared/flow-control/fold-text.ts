import { foldLookAlikes } from '../detection/index.ts';

const DISGUISE =
  /[\u00ad\u200b-\u200f\u2060-\u2064\ufeff]|[[({]\s?(?:at|dot|@|\.)\s?[\])}]|hxxps?:|%40|&#(?:0*64|x0*40);|&commat;/i;
const INVISIBLE = /[\u00ad\u200b-\u200f\u2060-\u2064\ufeff]/g;
const AT = /\s{0,3}[[({]\s?(?:at|@)\s?[\])}]\s{0,3}|%40|&#(?:0*64|x0*40);|&commat;/gi;
const DOT = /\s{0,3}[[({]\s?(?:dot|\.)\s?[\])}]\s{0,3}/gi;

/** A text without what hides addresses: invisible characters, `eve [at] evil [dot] example`, `hxxp://`, escapes. */
export function foldText(text: string): string {
  if (!DISGUISE.test(text)) return text;
  return text
    .replace(INVISIBLE, '')
    .replace(AT, '@')
    .replace(DOT, '.')
    .replace(/\bhxxp(s?):/gi, 'http$1:');
}

const FOREIGN = /[\u0370-\u058f]/;

/** An address as people read it: letters that look Latin are; equal for an address and its look-alikes. */
export const lookOf = (address: string): string =>
  FOREIGN.test(address) ? foldLookAlikes(address) : address;

/** A host in ASCII, as it is connected to: `bücher.example` is `xn--bcher-kva.example`. */
export function asciiHost(host: string): string {
  if (/^[\x00-\x7f]*$/.test(host)) return host;
  try {
    return new URL(`http://${host}/`).hostname;
  } catch {
    return host;
  }
}
