/** Programs that people leave out when they say what to do: "install the package x". */
const LEFT_OUT = new Set(
  'pip pip3 npm pnpm yarn apt apt-get brew gem cargo conda dnf yum docker kubectl git sudo systemctl service'.split(
    ' ',
  ),
);
/** Words of commands, and how people say them. */
const SAID_AS: Readonly<Record<string, string>> = {
  ...{ rm: 'remove delete erase wipe', rmdir: 'remove delete', drop: 'delete remove', delete: 'remove drop' },
  ...{ i: 'install add', install: 'add', add: 'install', push: 'upload', apply: 'deploy' },
  ...{ kill: 'stop terminate', pkill: 'kill stop', useradd: 'user account', shutdown: 'shut' },
  ...{ namespace: 'ns', ns: 'namespace', deployment: 'deploy', table: 'tables' },
};
const MIN_WORDS = 2;
const MAX_WORDS = 6;
/** What a command does is said within this many characters around what it does it to. */
const WINDOW = 80;
const IS_WORD = /[\p{L}\p{N}]/u;

/** What a short command or the parts of an address are about, each word with the ways to say it; the longest first. Null: no short command. */
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

/** Of packages the name says enough, if it is no usual word. */
const INSTALLS = /^(?:pip3?|npm|pnpm|yarn|gem|cargo|brew|apt(?:-get)?) (?:i|install|add) /;
const IS_PACKAGE = /[-/@=\d]/;

const MIN_OBJECT = 4;

/** Whether all the words stand near each other, in any order. */
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

/** Where the word stands with no letter or digit right before or after it; -1: nowhere. */
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
