import { fileMarksIn, isMediaStart, textIn } from '../../../shared/providers/index.ts';
import { PlaceholderText } from '../../../shared/streaming/placeholder-text.ts';
import { finish } from '../../../shared/text/index.ts';
import type { Random } from '../random.ts';
import { digest } from './digest.ts';

export function readPlaceholders(random: Random, at: number) {
  const part = () =>
    random.pick([
      '[EMAIL_7K3M9QWX]',
      'email_7k3m9qwx',
      'EMAIL\\_7K3M9QWX',
      '{PHONE_ABCD1234}',
      '\\[SSN_ABCD1234\\]',
      '[API_KEY_7K3M9QWX]',
      '[API_KEY_7K3M9QW',
      'EMAIL_7K3M9QWXY',
      'x_EMAIL_7K3M9QWX',
      ' plain words ',
      ', ',
      '{"a":"',
      '"}',
      '\n',
      'é',
      '[',
      ']',
      `${'long words '.repeat(70)}`,
      '"',
      'NAME_',
      '_7K3M9QWX',
      '[["x',
      ' ',
    ]);
  const text = Array.from({ length: 2 + random.below(8) }, part).join('');
  const asked: unknown[] = [];
  const placeholders = new PlaceholderText(
    (position) => {
      asked.push(position);
      return position.placeholder.includes('SSN')
        ? null
        : random.below(2) === 0
          ? 'plain'
          : 'with "quotes"\n';
    },
    at % 4 === 0,
  );
  const size = random.pick([1, 3, 17, 400]);
  const out: unknown[] = [];
  for (let from = 0; from < text.length; from += size)
    out.push([placeholders.push(text.slice(from, from + size)), placeholders.settled]);
  out.push(
    finish(placeholders.end()),
    placeholders.replacements,
    asked,
    [0, 5, 20, 40].map((from) => placeholders.changesOf(from, 1 + (at % 30))),
  );
  return {
    name: `placeholders ${at}`,
    text,
    reading: digest(out),
    details: () => JSON.stringify(out, null, 1),
  };
}

function markIn(bytes: string): string | null {
  const marks = fileMarksIn({
    start: (length) => bytes.slice(0, Math.min(length, 64)),
    end: (length) => bytes.slice(-Math.min(length, 64)),
    includes: () => false,
    text: () => null,
  });
  return marks[0] ?? null;
}

export function readBytes(random: Random, at: number) {
  const starts = [
    '\x89PNG',
    '\xff\xd8\xff',
    'GIF89a',
    'RIFF1234WAVE',
    '%PDF-1.7',
    'PK\x03\x04',
    '\x1f\x8b',
    '\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1',
    'ID3\x03',
    '',
    '',
    '',
    '\xff\xfe',
    '\xfe\xff',
    '\xef\xbb\xbf',
    'BM',
    '    ftyp',
  ];
  const latin = (text: string) => Buffer.from(text).toString('latin1');
  const body = random.pick([
    () => latin('Words in plain ASCII, with a few lines.\n'.repeat(1 + random.below(30))),
    () => latin('Grüße aus Köln, привет, 漢字です。'.repeat(1 + random.below(9))),
    () => Buffer.from('Words, in two bytes. '.repeat(9), 'utf16le').toString('latin1'),
    () => Buffer.from('漢字です。 それは、'.repeat(12), 'utf16le').toString('latin1'),
    () => Buffer.from('漢字です。 それは、'.repeat(12), 'utf16le').swap16().toString('latin1'),
    () =>
      Array.from({ length: 30 + random.below(900) }, () => String.fromCharCode(random.below(256))).join(''),
    () =>
      Array.from({ length: 200 }, () =>
        String.fromCharCode(
          random.chance(random.pick([0.01, 0.03, 0.1, 0.3])) ? random.below(32) : 97 + random.below(26),
        ),
      ).join(''),
    () => 'caf\xe9 cr\xe8me '.repeat(8),
    () => `${latin('é'.repeat(20))}\xff\xfe${latin('ü'.repeat(random.below(20)))}`,
    () => '\0'.repeat(random.below(9)),
    () => `${'a'.repeat(70_000)}${'\x01'.repeat(random.below(60_000))}`,
  ])();
  const bytes = random.pick(starts) + body + random.pick(['', 'PK\x05\x06', '\x00']);
  const text = textIn(bytes);
  const results = [text, isMediaStart(bytes), markIn(bytes)];
  return {
    name: `bytes ${at}`,
    text: bytes,
    reading: `${text?.length ?? 'none'} ${results[1] ? 'medium' : ''} ${results[2] ?? ''} ${digest(results)}`,
  };
}
