/** Programs that people omit in a request: "install the package x". */
const LEFT_OUT = new Set(
  'pip pip3 npm pnpm yarn apt apt-get brew gem cargo conda dnf yum docker kubectl git sudo systemctl service'.split(
    ' ',
  ),
);
/** Words of commands, and their synonyms in requests. */
const SAID_AS: Readonly<Record<string, string>> = {
  ...{ rm: 'remove delete erase wipe', rmdir: 'remove delete', drop: 'delete remove', delete: 'remove drop' },
  ...{ i: 'install add', install: 'add', add: 'install', push: 'upload', apply: 'deploy' },
  ...{ kill: 'stop terminate', pkill: 'kill stop', useradd: 'user account', shutdown: 'shut' },
  ...{ namespace: 'ns', ns: 'namespace', deployment: 'deploy', table: 'tables' },
};
const MIN_WORDS = 2;
const MAX_WORDS = 6;
/** Maximum distance in characters between the words for the action and for its object. */
const WINDOW = 80;
const IS_WORD = /[\p{L}\p{N}]/u;

/**
 * Returns the words of a short command or of the parts of an address, each with its synonyms, the longest word first.
 * Null: not a short command.
 */
export function nearWordsOf(command: string): string[][] | null {
  if (/[$(){}<>]|(?<!=)=(?!=)/.test(command)) return null;
  const words = command
    .replace(/["'`;]/g, ' ')
    .split(/\s+/)
    .filter((word) => word !== '' && !word.startsWith('-') && !LEFT_OUT.has(word));
  if (words.length < MIN_WORDS || words.length > MAX_WORDS) return null;
  const [longest = ''] = words
    .filter((word) => SAID_AS[word] === undefined)
    .sort((one, other) => other.length - one.length);
  if (longest.length < MIN_OBJECT) return null;
  if (INSTALLS.test(command) && IS_PACKAGE.test(longest)) return [[longest]];
  const others = words.filter((word) => word !== longest);
  return [[longest], ...others.map((word) => [word, ...(SAID_AS[word]?.split(' ') ?? [])])];
}

/** For packages the name alone is sufficient, unless it is a common word. */
const INSTALLS = /^(?:pip3?|npm|pnpm|yarn|gem|cargo|brew|apt(?:-get)?) (?:i|install|add) /;
const IS_PACKAGE = /[-/@=\d]/;

const MIN_OBJECT = 4;

/** True if all words occur near each other, in any order. */
export function standNear(
  text: string,
  [[object = ''] = [], ...others]: readonly (readonly string[])[],
): boolean {
  for (let at = wordAt(text, object, 0); at !== -1; at = wordAt(text, object, at + object.length)) {
    const around = text.slice(Math.max(0, at - WINDOW), at + object.length + WINDOW);
    if (others.every((ways) => ways.some((way) => wordAt(around, way, 0) !== -1))) return true;
  }
  return false;
}

/** Returns the position of the word without an adjacent letter or digit; -1: none. */
export function wordAt(text: string, word: string, from: number): number {
  for (let at = text.indexOf(word, from); at !== -1; at = text.indexOf(word, at + 1)) {
    const before = text[at - 1];
    const after = text[at + word.length];
    const isBegun = before !== undefined && IS_WORD.test(before);
    const isContinued = after !== undefined && IS_WORD.test(after);
    if (!isBegun && (!isContinued || word.endsWith('/'))) return at;
  }
  return -1;
}
