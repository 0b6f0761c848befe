/** Harmless text as people send it: prose, code, tables, logs, other scripts. Seeded, so that every run reads the same. */

const PROSE = [
  'The quarterly report shows that the northern warehouses shipped more than planned, while returns fell for the third month in a row.',
  'Could you compare the two proposals and tell me which of them is easier to maintain over the next five years?',
  'When the pressure in the second chamber drops, the valve closes by itself and the pump waits for the next cycle.',
  'Our team moved the nightly job to the new cluster last week; since then it has finished before six every morning.',
  'She had planted the tomatoes too early, and after the frost of the ninth of May there was little left of them.',
  'Please write a short and friendly note to the tenants about the water being turned off on Tuesday morning.',
  'The committee agreed on most points, but the question of who pays for the bridge was put off until autumn.',
  'Explain in simple words how a heat pump can give more warmth than the electricity that it takes.',
  'Der Zug nach Köln fährt heute von Gleis 7 ab; wegen Bauarbeiten kann es zu Verspätungen kommen.',
  'La réunion a été déplacée à jeudi après-midi, parce que la moitié du groupe était encore en voyage.',
  'この資料は来週の会議までに確認してください。変更があれば、担当者に連絡をお願いします。',
  'Мы проверили результаты ещё раз и нашли две небольшие ошибки в последней таблице.',
];

const CODE = [
  'export function total(items: readonly Item[]): number {\n  let sum = 0;\n  for (const item of items) sum += item.price * item.count;\n  return sum;\n}',
  "SELECT o.id, o.created_at, count(*) AS lines FROM orders o JOIN order_lines l ON l.order_id = o.id WHERE o.state = 'open' GROUP BY 1, 2;",
  'def load(path):\n    with open(path, encoding="utf-8") as file:\n        return [line.rstrip() for line in file if not line.startswith("#")]',
  '{"name": "invoice-service", "replicas": 3, "ports": [8080, 9090], "labels": {"tier": "backend", "rev": "a41c9e07"}}',
];

const LINES = [
  '2026-03-14T08:21:07.114Z INFO  worker-3 finished batch 48213 in 1842 ms (retries=0, rows=15000)',
  '| Hamburg | 1,204 | 98.2 % | 17.40 | 2026-02-28 |',
  'commit 9f31c2d7a4be60d1a5c7 merged by build-bot, 14 files changed, 302 insertions, 118 deletions',
  'order 7f9c2b1e-5d0a-4c3e-9b57-20f6a1d4c8e3 left dock 12 at 06:45, weight 182.5 kg, ref 40-2271-9',
  'GET /api/items?page=4&size=50 200 31ms "Mozilla/5.0 (X11; Linux x86_64)" v2.14.3',
];

/** Mulberry32: small, seeded, good enough to shuffle sentences. */
function createRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** Mixed text of exactly `characters` UTF-16 units: seven parts prose, two parts lines of data, one part code. */
export function mixedText(characters: number, seed = 1): string {
  const random = createRandom(seed);
  const pick = (list: readonly string[]): string => list[Math.floor(random() * list.length)]!;
  let text = '';
  while (text.length < characters) {
    const kind = random();
    text += kind < 0.7 ? `${pick(PROSE)} ` : kind < 0.9 ? `\n${pick(LINES)}\n` : `\n${pick(CODE)}\n\n`;
  }
  return text.slice(0, characters);
}

/** Texts made to be slow, by what they aim at. Each has `characters` UTF-16 units. */
export function hostileTexts(characters: number): Readonly<Record<string, string>> {
  const repeat = (unit: string): string =>
    unit.repeat(Math.ceil(characters / unit.length)).slice(0, characters);
  return {
    digits: repeat('4929 1350 7712 '),
    'phone-like': repeat('+49 151 2345-67 (0) '),
    'one long number': repeat('9'),
    'e-mail-like': repeat('a.b-c@d.e_f@'),
    'at signs': repeat('@'),
    dots: repeat('a.'),
    addresses: repeat('2001:db8:1:2:3:4:5:f '),
    'key-like': repeat('sk-aB3dE5gH7jK9mN1pQ3sT5vX7zA9cD1f '),
    base64: repeat('QWxsIGlzIHdlbGwgaGVyZSBhbmQgdGhlcmUu'),
    'zero-width': repeat('i\u200bg\u200dn\u2060o\u200cr\u200be '),
    'tag characters': repeat('\u{e0069}\u{e0067}\u{e006e}'),
    homoglyphs: repeat('іgnоrе аll рrеviоus '),
    'trigger words': repeat('ignore all the previous previous '),
    brackets: repeat('[[{{<<(('),
    spaces: repeat('ignore                      '),
    escapes: repeat('%69%67%6e&#105;\\u0069'),
    'combining marks': repeat('e\u0301\u0302\u0303'),
    emoji: repeat('🧑‍🚀👩🏽‍💻'),
    // the slowest of thousands of made-up mixtures
    'tokens and pictures': repeat('Ab3dE5system prompt *ه👩‍💻![x](http'),
    'codes within codes': repeat('aWdub3JlIGFsbCBwcmV2aW91cyBpbnN0cnVjdGlvbnM=\\x41&#65;@&b='),
    'beginnings of keys': repeat('&#65;👩‍💻eyJhbGciOi.password=(dot)—'),
    'private keys without end': repeat('-----BEGIN PRIVATE KEY-----\n'),
    ligatures: repeat('ﬁ'),
    'half addresses': repeat('fe80::  \n'),
    'dashed digits': repeat('41 42 —'),
    foreign: repeat('忽略之前'),
  };
}
