import { LinkReader } from './link-reader.ts';
import { MarkupReader } from './markup-reader.ts';

/** Characters that are kept to recognize an address; they are cut down to these when there are twice as many. */
const WORD_TAIL = 64;
/** Members of JSON that hold addresses, and lists of references to sources. */
const ADDRESS_MEMBER = /(?:^|\/)(?:(?:annotations|citations)\/.*|id|[^/]*(?:url|uri|href|src))$/i;

const SCHEME =
  /(?:^|[^a-z0-9])(?:https?|wss?|ftps?|sftp|ssh|git|file|data|blob|javascript|vbscript|mailto|tel|sms|sip|xmpp|smb|ldaps?|ws|about|intent|market|cid|mid|view-source):$/;
const HOST =
  '[a-z0-9\\u0080-\\uffff](?:[a-z0-9\\u0080-\\uffff-]*\\.)+(?:xn--[a-z0-9-]+|[a-z\\u0080-\\uffff]{2,24})';
const NUMBERS = '(?:\\d{1,3}\\.){3}\\d{1,3}|\\[[0-9a-f:.]{2,45}\\]';
/** A host and what begins its port, path, query or fragment. */
const HOST_AND_MORE = new RegExp(`(?:${HOST}|${NUMBERS}|localhost)(?::\\d|\\.?(?::\\d{1,5})?[/\\\\?#])$`);
/** As in `git@host:path`. */
const AT_HOST = new RegExp(`@${HOST}:$`);
const PORT = /:\d$/;
const WWW = /(?:^|[^a-z0-9])www\d{0,3}\.$/;
const JOINED_BEFORE = /(?:[/\\?&#%@.]|[?&;][\w.%-]{0,40}=)$/;
/** Text that may go on an address, up to where it ends. */
const GOES_ON = /^[\w.~%:/?#@!$&'()*+,;=\\\-[\]|]*/;
/** Of more text than this nobody knows whether it goes on an address. */
export const MAX_GOING_ON = 80;
/** A question mark may end a sentence. */
const JOINED_AFTER =
  /^(?:[/\\&#%@]|\?[^\w\s]*\w|:[/\\\d]|\.\w|[\w~$'*+,;=!()-]+(?:[/\\@?%&#]|\.[a-z]{2}|:\d))/i;

/** Characters that browsers and readers take for others, besides those of full width. */
const ALIKE: ReadonlyMap<string, string> = new Map([
  ...[...'\u2044\u2215\u29f8\u2571'].map((from) => [from, '/'] as const),
  ...[...'\u29f5\u2216\ufe68'].map((from) => [from, '\\'] as const),
  ...[...'\u3002\uff61\u2024\ufe52'].map((from) => [from, '.'] as const),
  ...[...'\ufe55\ua789\u2236\ufe13'].map((from) => [from, ':'] as const),
]);
const INVISIBLE = /\p{Default_Ignorable_Code_Point}|\p{Cf}/u;
/** Other white space may be part of an address. */
const ENDS_WORD = /[\t-\r "<>]/;

const ESCAPES: readonly (readonly [ends: RegExp, read: (digits: string) => string])[] = [
  [/%([0-9a-f]{2})$/, fromHex],
  [/\\+u([0-9a-f]{4})$/, fromHex],
  [/\\+u\{([0-9a-f]{1,6})\}$/, fromHex],
  [/\\+x([0-9a-f]{2})$/, fromHex],
  [/&#x0*([0-9a-f]{1,6});?$/, fromHex],
  [/&#0*(\d{1,7});$/, (digits) => fromCode(Number(digits))],
  [/&(sol|bsol|colon|period|quest|num|percnt|commat);$/, (name) => NAMED[name]!],
];
const NAMED: Readonly<Record<string, string>> = {
  ...{ sol: '/', bsol: '\\', colon: ':', period: '.', quest: '?', num: '#', percnt: '%', commat: '@' },
};
const MAY_END_ESCAPE = /[0-9a-f;}]/;
const BEGINS_ESCAPE = /[%\\&]/;

function isInvisible(char: string): boolean {
  return char.charCodeAt(0) > 0x7f && INVISIBLE.test(char);
}

function fromHex(digits: string): string {
  return fromCode(Number.parseInt(digits, 16));
}

function fromCode(code: number): string {
  return code > 0x20 && code <= 0x10ffff ? String.fromCodePoint(code) : '';
}

function folded(char: string): string {
  const code = char.charCodeAt(0);
  if (code < 0x80) return char.toLowerCase();
  if (code >= 0xff01 && code <= 0xff5e) return String.fromCharCode(code - 0xfee0).toLowerCase();
  return ALIKE.get(char) ?? char;
}

/** Returns the part of the text behind a position that may belong to an address with it. */
export function goingOn(text: string): string {
  return GOES_ON.exec(Array.from(text.slice(0, MAX_GOING_ON), folded).join(''))![0];
}

/** True for the path of a member whose text is an address, or part of a reference. */
export function isAddressMember(path: string): boolean {
  return ADDRESS_MEMBER.test(path);
}

/**
 * Reads a text once, in pieces, and tells of a position whether a client may render it as part of an address: a URL in
 * any spelling, a tag, or the target of a Markdown link or image. Linear.
 */
export class AddressReader {
  /** The end of the current word, decoded. */
  #word = '';
  #isAddress = false;
  readonly #markup = new MarkupReader();
  readonly #links = new LinkReader();

  read(text: string): void {
    for (const char of text) {
      this.#markup.read(char);
      this.#links.read(char);
      if (ENDS_WORD.test(char)) {
        this.#word = '';
        this.#isAddress = false;
        // Whatever follows in the same word belongs to the same address.
      } else if (!this.#isAddress && !isInvisible(char)) this.#grow(folded(char));
    }
  }

  /** `after`: the text behind the position that goes on, by `goingOn`. In doubt the position is in an address. */
  isInAddress(after: string): boolean {
    if (this.#isAddress || this.#markup.isOpen || this.#links.isInTarget) return true;
    return JOINED_BEFORE.test(this.#word) || JOINED_AFTER.test(after) || after.length >= MAX_GOING_ON;
  }

  #grow(char: string): void {
    this.#word += char;
    if (this.#word.length > 2 * WORD_TAIL) this.#word = this.#word.slice(-WORD_TAIL);
    if (MAY_END_ESCAPE.test(char) && BEGINS_ESCAPE.test(this.#word)) this.#decode();
    this.#isAddress = isAddressIn(this.#word);
  }

  /** Escapes may be escaped once more. */
  #decode(): void {
    for (const [ends, read] of ESCAPES) {
      const match = ends.exec(this.#word);
      if (match === null) continue;
      const char = folded(read(match[1]!));
      this.#word = this.#word.slice(0, match.index) + char;
    }
  }
}

/** `word` ends with the character that was read last. */
function isAddressIn(word: string): boolean {
  switch (word.at(-1)) {
    case '/':
    case '\\':
      return /[/\\:][/\\]$/.test(word) || HOST_AND_MORE.test(word);
    case ':':
      return SCHEME.test(word) || AT_HOST.test(word);
    case '.':
      return WWW.test(word);
    case '?':
    case '#':
      return HOST_AND_MORE.test(word);
    default:
      return PORT.test(word) && HOST_AND_MORE.test(word);
  }
}
