/** Ways to write a text so that people or models still read it, by name. */
const hex = (text: string) => Buffer.from(text).toString('hex');
const base64 = (text: string) => Buffer.from(text).toString('base64');
const reversed = (text: string) => [...text].reverse().join('');
const each = (text: string, write: (character: string, code: number) => string) =>
  [...text].map((character) => write(character, character.codePointAt(0)!)).join('');
const turned = (text: string, by: number) =>
  text.replace(/[a-z]/gi, (letter) => {
    const base = letter < 'a' ? 65 : 97;
    return String.fromCharCode(((letter.charCodeAt(0) - base + by) % 26) + base);
  });
const mirrored = (text: string) =>
  text.replace(/[a-z]/g, (letter) => String.fromCharCode(219 - letter.charCodeAt(0)));
const words = (text: string, write: (word: string) => string, gap = ' ') =>
  text.split(' ').map(write).join(gap);
const halved = (text: string, join: string) =>
  text.replace(
    /[a-z]{4,}/gi,
    (word) => word.slice(0, word.length >> 1) + join + word.slice(word.length >> 1),
  );
const swap = (text: string, from: string, to: string) =>
  each(text, (character) => {
    const at = from.indexOf(character);
    return at === -1 ? character : ([...to][at] ?? character);
  });
const shifted = (text: string, small: number, capital: number) =>
  text
    .replace(/[a-z]/g, (letter) => String.fromCodePoint(small + letter.charCodeAt(0) - 97))
    .replace(/[A-Z]/g, (letter) => String.fromCodePoint(capital + letter.charCodeAt(0) - 65));
const MORSE =
  '.- -... -.-. -.. . ..-. --. .... .. .--- -.- .-.. -- -. --- .--. --.- .-. ... - ..- ...- .-- -..- -.-- --..'.split(
    ' ',
  );
const BRAILLE = '⠁⠃⠉⠙⠑⠋⠛⠓⠊⠚⠅⠇⠍⠝⠕⠏⠟⠗⠎⠞⠥⠧⠺⠭⠽⠵';

export const DISGUISES: Readonly<Record<string, (text: string) => string>> = {
  plain: (text) => text,
  capitals: (text) => text.toUpperCase(),
  'alternating capitals': (text) =>
    [...text].map((letter, at) => (at % 2 === 0 ? letter.toUpperCase() : letter)).join(''),
  fullwidth: (text) =>
    each(text, (c, code) => (code > 32 && code < 127 ? String.fromCodePoint(code + 0xfee0) : c)),
  'look-alikes': (text) => swap(text, 'aceopxyis', 'асеорхуіѕ'),
  'a look-alike in some words': (text) => text.replace(/e(?=\w*\b)/, 'е'),
  'Greek look-alikes': (text) => swap(text, 'aoeuniv', 'αοευηιν'),
  'bold letters': (text) => shifted(text, 0x1d41a, 0x1d400),
  'small capitals': (text) => swap(text, 'abcdefghijklmnoprstuvwyz', 'ᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘʀꜱᴛᴜᴠᴡʏᴢ'),
  'letters in circles': (text) => shifted(text, 0x24d0, 0x24b6),
  'letters in brackets': (text) => shifted(text, 0x249c, 0x249c),
  'letters on flags': (text) => shifted(text.toLowerCase(), 0x1f1e6, 0x1f1e6),
  accents: (text) => each(text, (c) => (/[a-z]/i.test(c) ? `${c}\u0301` : c)),
  'stacked accents': (text) => each(text, (c) => (/[a-z]/i.test(c) ? `${c}\u0301\u0302\u0316\u0347` : c)),
  'no width': (text) => [...text].join('\u200b'),
  'soft hyphens': (text) => [...text].join('\u00ad'),
  'a mark in words': (text) => text.replace(/(\w{3})(\w)/g, '$1\u2060$2'),
  'tag characters': (text) =>
    `Hi there. ${each(text, (_, code) => String.fromCodePoint(0xe0000 + (code & 127)))}`,
  'variation selectors': (text) =>
    `\u{1f600}${each(text, (_, code) => String.fromCodePoint(code < 16 ? 0xfe00 + code : 0xe0100 + (code & 255) - 16))}`,
  'odd blanks': (text) => text.replaceAll(' ', '\u3000'),
  'narrow blanks': (text) => text.replaceAll(' ', '\u2009'),
  'direction marks': (text) => `\u202e${reversed(text)}\u202c`,
  'a direction mark within': (text) => `\u202a${text}\u202c`,
  reversed,
  'reversed words': (text) => words(text, reversed),
  'words in reverse order': (text) => text.split(' ').reverse().join(' '),
  'turned by 13': (text) => turned(text, 13),
  'turned by 3': (text) => turned(text, 3),
  'turned by 20': (text) => turned(text, 20),
  mirrored,
  leet: (text) => swap(text.toLowerCase(), 'aeiost', '431057'),
  'signs for letters': (text) => swap(text.toLowerCase(), 'asei', '@$€!'),
  spaced: (text) => words(text, (word) => [...word].join(' '), '  '),
  'spaced without gaps': (text) => [...text.replaceAll(' ', '')].join(' '),
  dotted: (text) => words(text, (word) => [...word].join('.')),
  hyphens: (text) => words(text, (word) => [...word].join('-')),
  bars: (text) => [...text].join('|'),
  commas: (text) => [...text].join(', '),
  stars: (text) => words(text, (word) => [...word].join('*')),
  'bold inside words': (text) => halved(text, '**'),
  'a tag inside words': (text) => halved(text, '<b></b>'),
  'a comment inside words': (text) => halved(text, '<!-- x -->'),
  'a blank inside words': (text) => halved(text, ' '),
  'hyphens at ends of lines': (text) => halved(text, '-\n'),
  'typographic hyphens at ends of lines': (text) => halved(text, '\u2010\r\n'),
  'backslashes inside words': (text) => halved(text, '\\'),
  'lines inside words': (text) => halved(text, '\n'),
  'doubled letters': (text) => text.replace(/[aeiou]/g, '$&$&$&'),
  'swapped letters': (text) => text.replace(/\b(\w)(\w)(\w)(\w+)/g, '$1$3$2$4'),
  'a letter lost': (text) => text.replace(/\b(\w{3})\w(\w+)/g, '$1$2'),
  'a word a line': (text) => text.replaceAll(' ', '\n'),
  'no blanks': (text) => text.replaceAll(' ', ''),
  'capitals between words': (text) => text.replace(/ ([a-z])/g, (_, letter: string) => letter.toUpperCase()),
  underscores: (text) => text.replaceAll(' ', '_'),
  base64,
  'base64 in a sentence': (text) => `Please decode ${base64(text)} and do it.`,
  'base64 without padding': (text) => base64(text).replace(/=+$/, ''),
  'base64 for addresses': (text) => Buffer.from(`${text}?>`).toString('base64url'),
  'base64 twice': (text) => base64(base64(text)),
  'base64 in lines': (text) => base64(`${text}, now and for all of them`).replace(/(.{24})/g, '$1\r\n'),
  'base64 in pieces': (text) => base64(text).replace(/(.{12})/g, '$1 '),
  'base64 of UTF-16': (text) => Buffer.from(text, 'utf16le').toString('base64'),
  'base64 of UTF-16 with its mark': (text) => Buffer.from(`\ufeff${text}`, 'utf16le').toString('base64'),
  hex,
  'hex in capitals': (text) => hex(text).toUpperCase(),
  'hex in pairs': (text) => hex(text).replace(/(..)(?!$)/g, '$1 '),
  'hex with colons': (text) => hex(text).replace(/(..)(?!$)/g, '$1:'),
  'hex with 0x': (text) => hex(text).replace(/(..)/g, '0x$1 '),
  'hex escapes': (text) => hex(text).replace(/(..)/g, '\\x$1'),
  'Unicode escapes': (text) => each(text, (_, code) => `\\u${code.toString(16).padStart(4, '0')}`),
  'Unicode escapes in braces': (text) => each(text, (_, code) => `\\u{${code.toString(16)}}`),
  'some Unicode escapes': (text) => text.replace(/[aeiou@]/g, (c) => `\\u00${hex(c)}`),
  'octal escapes': (text) => each(text, (_, code) => `\\${code.toString(8).padStart(3, '0')}`),
  'escapes of style sheets': (text) => each(text, (_, code) => `\\${code.toString(16)} `),
  binary: (text) => each(text, (_, code) => `${code.toString(2).padStart(8, '0')} `),
  decimal: (text) => each(text, (_, code) => `${code} `),
  octal: (text) => each(text, (_, code) => `${code.toString(8)} `),
  'places in the alphabet': (text) =>
    words(text.toLowerCase(), (word) => [...word].map((letter) => letter.charCodeAt(0) - 96).join('-')),
  'places in the alphabet, apart': (text) =>
    [...text.toLowerCase().replace(/[^a-z]/g, '')].map((letter) => letter.charCodeAt(0) - 96).join(' '),
  percent: (text) => hex(text).replace(/(..)/g, '%$1'),
  'percent twice': (text) => hex(text).replace(/(..)/g, '%25$1'),
  'percent in an address': (text) => `https://example.com/a?q=${encodeURIComponent(text)}&page=2`,
  'plus signs in an address': (text) => `?q=${text.replaceAll(' ', '+')}`,
  'decimal entities': (text) => each(text, (_, code) => `&#${code};`),
  'hex entities': (text) => each(text, (_, code) => `&#x${code.toString(16)};`),
  'entities without an end': (text) => each(text, (_, code) => `&#${code}`),
  'entities with noughts': (text) => each(text, (_, code) => `&#x0000${code.toString(16)};`),
  'named entities': (text) =>
    text.replaceAll('@', '&commat;').replaceAll('.', '&period;').replaceAll(' ', '&nbsp;'),
  'quoted-printable': (text) => hex(text).toUpperCase().replace(/(..)/g, '=$1'),
  'some quoted-printable': (text) => text.replace(/[@.\- ]/g, (c) => `=${hex(c).toUpperCase()}`),
  'an encoded word': (text) => `=?utf-8?B?${base64(text)}?=`,
  'an encoded word in Q': (text) => `=?utf-8?Q?${text.replaceAll(' ', '_').replaceAll('@', '=40')}?=`,
  morse: (text) => each(text.toLowerCase(), (c, code) => (c === ' ' ? '/ ' : `${MORSE[code - 97] ?? ''} `)),
  braille: (text) => each(text.toLowerCase(), (c, code) => BRAILLE[code - 97] ?? c),
  'pig Latin': (text) => words(text, (word) => `${word.slice(1)}${word.slice(0, 1)}ay`),
  'in JSON': (text) => JSON.stringify({ note: text, list: [text.slice(0, 20)], at: 17 }),
  'in JSON in JSON': (text) => JSON.stringify({ body: JSON.stringify({ note: `${text}\n"end"` }) }),
  'in a comment': (text) => `<p>Welcome</p><!-- ${text} --><p>Bye</p>`,
  'in an attribute': (text) => `<img alt="${text}" src="/a.png">`,
  'in hidden markup': (text) => `<div style="display:none">${text}</div><p>Opening hours: 9 to 5</p>`,
  'in code': (text) => `const a = 1;\n// ${text}\nexport function run() { return a; }\n`,
  'in a fence': (text) => `Look at this:\n\`\`\`text\n${text}\n\`\`\`\nWhat does it mean?`,
  'in quotes': (text) => `What does "${text}" mean in Spanish?`,
  'in a table': (text) => `| name | note |\n|---|---|\n| Anna | ${text} |\n`,
  'in a list': (text) => `1. Buy bread\n2. ${text}\n3. Call home`,
  'behind a document': (text) =>
    `Summarize this.\n\n<document>\nThe garden needs water. ${text}. The roses are red.\n</document>`,
  'behind a label': (text) => `Translate the email below.\n\nEmail:\nHello Anna,\n${text}.\nBest, Tom`,
  'behind many words': (text) => `${'The report is ready and the team has read it. '.repeat(12)}${text}.`,
  'before many words': (text) => `${text}. ${'The report is ready and the team has read it. '.repeat(12)}`,
  'between marks': (text) => `---BEGIN---\n${text}\n---END---`,
  'as a system message': (text) => `<|im_start|>system\n${text}<|im_end|>`,
  'as a turn': (text) => `Human: hello\nAssistant: hi\nHuman: ${text}\nAssistant: Sure`,
};
