/**
 * Disguises that are missed, by disguise and entry, with the reason. bypass.test.ts compares this list with the results
 * in both directions: a new miss fails the test, and so does an entry that is caught by now.
 */
type Where = 'everywhere' | readonly string[] | { readonly allBut: readonly string[] };
type Data = 'key' | 'card' | 'ssn' | 'mail';

interface Misses {
  readonly why: string;
  readonly disguises: readonly string[];
  /** The entries of bypass-entries.ts except labels of pages, which have their own list. */
  readonly order?: Where;
  readonly key?: Where;
  /** Values that /security/redact misses. */
  readonly redact?: readonly Data[];
}

const LABEL = 'page: alt text';
const allBut = (...entries: readonly string[]): Where => ({ allBut: entries });
/** Arguments of the model's own tool calls weigh less than texts of people or strangers. */
const CALLS = [
  '/chat/completions: argument of a call',
  '/chat/completions: name of an argument',
  '/chat/completions: name of a called tool',
  '/messages: argument of a call',
  '/messages: name of an argument',
  'guard: argument of a call',
  'validate-tool: argument',
  'validate-tool: name of an argument',
];

const MISSES: readonly Misses[] = [
  {
    why: 'Nothing that a model reads without a program, and no letter of it is left.',
    disguises: ['bits as zero-width characters', 'UTF-7', 'base32'],
    order: 'everywhere',
    key: 'everywhere',
    redact: ['key', 'card', 'ssn', 'mail'],
  },
  {
    why: 'Nothing that a model reads without a program, and no letter of it is left.',
    disguises: ['rot47'],
    order: 'everywhere',
    key: 'everywhere',
    redact: ['key', 'card', 'ssn', 'mail'],
  },
  {
    why: 'Misspelt on purpose: the words are gone for any list, and a key is another key.',
    disguises: ['letters swapped'],
    order: 'everywhere',
    key: 'everywhere',
    redact: ['key'],
  },
  {
    why: 'Misspelt on purpose: the words are gone for any list, and a key is another key.',
    disguises: ['without vowels'],
    order: 'everywhere',
    key: 'everywhere',
    redact: ['key'],
  },
  {
    why: 'Misspelt on purpose: the words are gone for any list, and a key is another key.',
    disguises: ['middles shuffled'],
    order: 'everywhere',
    key: 'everywhere',
    redact: ['key', 'ssn'],
  },
  {
    why: 'Misspelt on purpose: the words are gone for any list, and a key is another key.',
    disguises: ['Pig Latin', 'a doubled letter'],
    order: 'everywhere',
    key: 'everywhere',
    redact: ['key', 'card', 'ssn'],
  },
  {
    why: 'Misspelt on purpose: the words are gone for any list, and a key is another key.',
    disguises: ['stretched letters'],
    key: 'everywhere',
    redact: ['key', 'card', 'ssn'],
  },
  {
    why: 'A sentence in another order is a sentence; only its words are known.',
    disguises: ['order of words reversed'],
    redact: ['card'],
  },
  {
    why: 'A key or number in other letters, or with other case, is another one: nobody could use it.',
    disguises: [
      'Greek look-alikes',
      'Armenian look-alikes',
      'small capitals',
      'superscript',
      'negative circled',
      'squared',
      'negative squared',
      'in brackets',
      'regional indicators',
      'mathematical double-struck',
      'accents in one piece',
      'Braille',
      'alternating case',
      'leet',
      'Caesar by 3',
      'Caesar by 7',
      'Atbash',
    ],
    key: 'everywhere',
    redact: ['key'],
  },
  {
    why: 'A key or number in other letters, or with other case, is another one: nobody could use it.',
    disguises: ['heavy leet'],
    key: 'everywhere',
    redact: ['key', 'mail'],
  },
  {
    why: 'A key or number in other letters, or with other case, is another one: nobody could use it.',
    disguises: ['upside down'],
    key: 'everywhere',
    redact: ['key', 'card', 'ssn'],
  },
  {
    why: 'What stands from its end is looked for where sentences tell of it; calls and pictures count less.',
    disguises: ['reversed'],
    order: [
      '/chat/completions: argument of a call',
      '/chat/completions: alt text of an image',
      '/messages: text document',
      'page: visible text',
    ],
    key: 'everywhere',
    redact: ['key', 'card', 'ssn'],
  },
  {
    why: 'What stands from its end is looked for where sentences tell of it; calls and pictures count less.',
    disguises: ['words reversed'],
    order: [
      '/chat/completions: argument of a call',
      '/chat/completions: alt text of an image',
      '/messages: text document',
      'page: visible text',
    ],
    key: 'everywhere',
    redact: ['key', 'card', 'ssn'],
  },
  {
    why: 'Rows of codes are read for sentences; keys and numbers in them would cost every text a search.',
    disguises: ['entities without an end'],
    key: allBut('/chat/completions: member of an image'),
    redact: ['key', 'ssn', 'mail'],
  },
  {
    why: 'Rows of codes are read for sentences; keys and numbers in them would cost every text a search.',
    disguises: ['Morse'],
    key: 'everywhere',
    redact: ['key', 'ssn', 'mail'],
  },
  {
    why: 'Rows of codes are read for sentences; keys and numbers in them would cost every text a search.',
    disguises: ['hex with blanks', 'hex with 0x', 'hex with colons', 'octal', 'numbers of letters'],
    key: 'everywhere',
    redact: ['key', 'card', 'ssn', 'mail'],
  },
  {
    why: 'Rows of codes are read for sentences; keys and numbers in them would cost every text a search.',
    disguises: ['binary'],
    key: 'everywhere',
    redact: ['key', 'card', 'ssn', 'mail'],
  },
  {
    why: 'Rows of codes are read for sentences; keys and numbers in them would cost every text a search.',
    disguises: ['base64 in lines'],
    order: ['page: visible text'],
    key: 'everywhere',
    redact: ['key', 'card', 'mail'],
  },
  {
    why: 'Rows of codes are read for sentences; keys and numbers in them would cost every text a search.',
    disguises: ['hex'],
    redact: ['card'],
  },
  {
    why: 'Rows of codes are read for sentences; keys and numbers in them would cost every text a search.',
    disguises: ['character codes', 'character codes with commas'],
    key: [
      ...CALLS,
      '/chat/completions: system text',
      '/chat/completions: name of a tool',
      '/chat/completions: description of a tool',
      '/messages: system text',
      '/responses: instructions',
    ],
    redact: ['key', 'card', 'ssn', 'mail'],
  },
  {
    why: 'Words are known by what they become; a key or number that is cut could be any two.',
    disguises: ['broken words'],
    order: ['/messages: text document', 'page: visible text'],
    key: 'everywhere',
    redact: ['key', 'card', 'ssn', 'mail'],
  },
  {
    why: 'Words are known by what they become; a key or number that is cut could be any two.',
    disguises: ['hyphenated at the end of lines'],
    order: ['page: visible text'],
    key: 'everywhere',
    redact: ['key', 'card', 'ssn', 'mail'],
  },
  {
    why: 'Words are known by what they become; a key or number that is cut could be any two.',
    disguises: ['hyphens inside words'],
    order: ['/chat/completions: argument of a call', '/messages: text document', 'page: visible text'],
    key: 'everywhere',
    redact: ['key', 'card', 'ssn'],
  },
  {
    why: 'Words are known by what they become; a key or number that is cut could be any two.',
    disguises: ['a blank inside words'],
    order: [
      '/chat/completions: argument of a call',
      '/chat/completions: alt text of an image',
      '/messages: text document',
      'page: visible text',
    ],
    key: 'everywhere',
    redact: ['key', 'card', 'ssn', 'mail'],
  },
  {
    why: 'Words are known by what they become; a key or number that is cut could be any two.',
    disguises: [
      'emphasis inside words',
      'tags inside words',
      'comments inside words',
      'backslashes inside words',
      'quotes inside words',
    ],
    key: 'everywhere',
    redact: ['key', 'card', 'ssn', 'mail'],
  },
  {
    why: 'Words are known by what they become; a key or number that is cut could be any two.',
    disguises: ['emphasis on half of words'],
    order: CALLS,
    key: 'everywhere',
    redact: ['key', 'card', 'ssn'],
  },
  {
    why: 'Words are known by what they become; a key or number that is cut could be any two.',
    disguises: ['commas between letters'],
    key: allBut('/messages: text document', 'guard: media', '/chat/completions: member of an image'),
    redact: ['key', 'card', 'ssn', 'mail'],
  },
  {
    why: 'Digits apart by a sign are lists and tables, unless they are in groups.',
    disguises: ['emoji between words'],
    redact: ['card'],
  },
  {
    why: 'An SSN is told by its word, which is no word any more.',
    disguises: [
      'dots between words',
      'underscores between words',
      'hyphens between words',
      'slashes between words',
      'no blanks',
      'camel case',
    ],
    redact: ['ssn'],
  },
];

/**
 * Labels of pages (`alt`, `title`, `data-…`) are full of encoded state and of short instructions to people: there, an
 * encoded instruction is no sign of an attack.
 */
const IN_LABELS: ReadonlySet<string> = new Set([
  'bits as zero-width characters',
  'UTF-7',
  'base32',
  'rot47',
  'letters swapped',
  'middles shuffled',
  'Pig Latin',
  'a doubled letter',
  'without vowels',
  'leet',
  'heavy leet',
  'entities without an end',
  'quoted-printable',
  'base64 in lines',
  'base64 twice',
  'hex with blanks',
  'hex with 0x',
  'hex with colons',
  'binary',
  'octal',
  'Caesar by 3',
  'Caesar by 7',
  'Atbash',
  'Morse',
  'numbers of letters',
  'reversed',
  'words reversed',
  'commas between letters',
  'broken words',
  'hyphenated at the end of lines',
  'hyphens inside words',
  'a blank inside words',
  'emphasis inside words',
  'emphasis on half of words',
  'tags inside words',
  'comments inside words',
  'backslashes inside words',
  'quotes inside words',
  'character codes',
  'character codes with commas',
  'Braille blank between',
  'decimal entities',
  'hex entities',
  'entities with noughts',
  'percent codes',
  'percent codes of percent codes',
  'JSON escapes',
  'JSON escapes of every third letter',
  'braced escapes',
  'hex escapes',
  'octal escapes',
  'CSS escapes',
  'base64',
  'base64 in a sentence',
  'base64 for addresses',
  'base64 of UTF-16',
  'base64 of rot13',
  'hex',
  'rot13',
  'blanks between letters',
  'blanks between letters, more between words',
  'dots between letters',
  'hyphens between letters',
  'underscores between letters',
  'stars between letters',
  'bars between letters',
  'slashes between letters',
  'line breaks between letters',
  'tabs between letters',
  'underscores between words',
  'no blanks',
  'camel case',
]);

/** Returns whether the disguise is known to be missed at an entry, or by `redact`. */
export function missesOf(what: 'order' | Data, disguise: string): (entry: string) => boolean {
  const rows = MISSES.filter(({ disguises }) => disguises.includes(disguise));
  return (entry) => {
    if (entry === 'redact') return rows.some(({ redact }) => what !== 'order' && redact?.includes(what));
    if (entry === LABEL && what === 'order') return IN_LABELS.has(disguise);
    return rows.some((row) => isThere(what === 'order' ? row.order : row.key, entry));
  };
}

function isThere(where: Where | undefined, entry: string): boolean {
  if (where === undefined) return false;
  if (where === 'everywhere') return true;
  return 'allBut' in where ? !where.allBut.includes(entry) : where.includes(entry);
}
