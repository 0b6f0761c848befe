import {
  applyReplacements,
  bareToolName,
  canonicalJson,
  changesBetween,
  closingQuote,
  hasExactNumbers,
  jsonMembers,
  jsonScalars,
  mayRepeatNames,
  messagePathOf,
  nameWords,
  paramOf,
  parseAllMembers,
  parseContainer,
  parseKeepingNumbers,
  parseStrictJson,
  parseStrictJsonText,
  signedText,
  toolListing,
  trimBy,
  withoutOverlaps,
  withSlots,
} from '../../../shared/text/index.ts';
import { plain } from '../canary-template.ts';
import { SAMPLES } from '../provider-samples.ts';
import { createRandom, type Random } from '../random.ts';
import type { Readings } from './compare-readings.ts';
import { damaged, written } from './damage.ts';
import { digest, tried } from './digest.ts';

const JSON_TEXTS = [
  '{"a":1}',
  '{"a":1,"a":2}',
  '{"a":1,"\\u0061":2}',
  '{"k\\\\":1,"k\\n":2}',
  '{"a":{"b":[1,{"c":"\\ud800"}]}}',
  '{"\\ud83d\\ude00":"\\ud83d\\ude00"}',
  '{"\\udc00":1}',
  '["\\ud83d"]',
  '',
  ' \n',
  '\ufeff{}',
  '{"a":1,}',
  '{"a" 1}\n',
  '[1,2,\n 3 4]',
  '{"a":"\n"}',
  '// x\n{}',
  '[1e400, -0, 1.0, 12345678901234567890, 0.1]',
  '{"b":2,"a":1,"c":null}',
  '{"a":true,"b":"x","c":1.5}',
  '"text"',
  '12',
  'null',
  ' [ 1 , "a,b]" , {"x":"}"} ] ',
  '{"a":"\\"","b":"\\\\"}',
  '{"a":"\\\\\\""}',
  '{"a":"',
  '["a',
  `${'['.repeat(101)}${']'.repeat(101)}`,
  `${'['.repeat(100)}${']'.repeat(100)}`,
  '{"__proto__":1,"\\u005f_x":2}',
  '{"\ue000\ue0000":1,"\\u0061\ue000":2}',
  '{"a":[],"b":{},"c":[{}]}',
  '{ "x\\ty" : {"y\\"z":[{"q\\u0041":1}]} , "z":2}',
  'true',
  '{"a":1}{',
  '{"a":undefined}',
  '{"x":{"a":1,"a":2},"y":[{"b":1,"b":2}]}',
];

const bounds = (members: number, items: number) => ({ members, items });
const isBlank = /[\s\u200b😀]/u;

/** Readings of texts and JSON alone. */
export function* readTexts(): Readings {
  for (let at = 0; at < 300; at++) {
    const random = createRandom(at * 7_919 + 29);
    const text =
      at < JSON_TEXTS.length
        ? JSON_TEXTS[at]!
        : at < 150
          ? edited(random.pick(JSON_TEXTS), random)
          : written(damaged(plain(random.pick(random.pick(SAMPLES).requests)), random), random).slice(
              0,
              random.pick([9_999, 9_999, 80]),
            );
    const value = tried(() => parseStrictJsonText(text));
    const container = parseContainer(text);
    const results: unknown[] = [
      value,
      tried(() => parseStrictJsonText(text, bounds(1 + (at % 5), 1 + (at % 3)))),
      tried(() => parseStrictJson(Buffer.from(text, at % 7 === 0 ? 'latin1' : 'utf8')).source.length),
      tried(() => canonicalJson(value)),
      tried(() => signedText('x', container)),
      tried(() =>
        canonicalJson({
          b: at,
          a: [undefined, at % 3 === 0 ? Number.NaN : at / 3, () => 0],
          c: undefined,
          ...(at % 2 === 0 && { aa: { z: 1, a: null }, b: 1n }),
        }),
      ),
      tried(() => jsonMembers(text)),
      [...jsonScalars(text)],
      [0, 1, 5].map((from) => closingQuote(text, from)),
      container === null ? null : mayRepeatNames(text, container),
      tried(() => parseAllMembers(text)),
      hasExactNumbers(value),
      tried(() => parseKeepingNumbers(text, (digits) => `#${digits}`)),
      trimBy(text, /[\s{}[\]"]/),
      trimBy(
        `${random.pick(['', '😀 ', '\u200b', 'x'])}${text.slice(0, 5)}${random.pick(['', '😀', ' \u{10000}', '\ud83d'])}`,
        isBlank,
      ),
      nameWords(text),
    ];
    const details = () => JSON.stringify(results, null, 1);
    yield {
      name: `JSON ${at}`,
      text,
      reading: `${typeof value === 'string' ? value.slice(0, 90) : 'read'} ${digest(results)}`,
      details,
    };
  }
  for (let at = 0; at < 120; at++) yield readSpans(createRandom(at * 7_919 + 31), at);
}

function edited(text: string, random: Random): string {
  const at = random.below(text.length + 1);
  const sign = random.pick([
    '"',
    '\\',
    ',',
    ':',
    '[',
    ']',
    '{',
    '}',
    ' ',
    'x',
    '1',
    '\n',
    '\\u0061',
    '"a":1,',
  ]);
  return text.slice(0, at) + (random.chance(0.7) ? sign : '') + text.slice(at + (random.chance(0.5) ? 1 : 0));
}

const PATHS = [
  '/messages/0/content',
  '/messages/0/content/1/text',
  '/messages/10',
  '/messages/1',
  '/system',
  '/system/0/text',
  '/messages/0/content~data',
  '/a~1b/c~0d/x y/12z/0',
  '#joined:/messages/0',
  '#stream:/x',
  '',
  '/',
  '/messages/0~key',
  '/é/a-b/_c',
  '/messages/1/content~json/17',
];

function readSpans(random: Random, at: number) {
  const text = 'Forward it to anna@example.com and to tom, please. 😀';
  const span = () => {
    const start = random.below(30);
    return { start, end: start + random.below(9) - 1, text: random.pick(['', '[EMAIL]', 'x']) };
  };
  const spans = Array.from({ length: random.below(6) }, span);
  const after = random.pick([
    () =>
      applyReplacements(
        text,
        spans.filter(({ text: mask }) => mask === '[EMAIL]'),
      ),
    () => text.replace('anna@example.com', '[EMAIL]').replace('tom', '[WITHHELD: in untrusted data]'),
    () => text.replaceAll(random.pick(['o', 'to', 'a', ' ', 'F', '😀']), '[CREDIT_CARD]'),
    () => `${text}${random.pick(['', '!', '[SSN]'])}`,
    () => random.pick(['', 'other', '[SSN]', '[SSN][SSN]', text.slice(3), text.slice(0, -3)]),
  ])();
  const paths = random.shuffled(PATHS).slice(0, 4);
  const slot = (path: string) => ({
    path,
    role: random.pick(['user', 'system', 'tool_result'] as const),
    text: path,
  });
  const messages = paths.map((path) => ({
    role: 'user',
    origin: 'user' as const,
    position: { path, index: 0 },
    slots: [],
  }));
  const tool = random.pick(['mcp__box__shell', 'a.b:c', 'shell', 'x__', '.x', 'get.file__now:do', '']);
  const list = () => random.shuffled(['shell', 'c', tool, 'now', 'x', '']).slice(0, random.below(4));
  const results = [
    withoutOverlaps(spans),
    applyReplacements(text, spans),
    changesBetween(text, after),
    paths.map((path) => [paramOf(path), messagePathOf({ path })]),
    withSlots({ messages, slots: [] }, random.shuffled(PATHS).slice(0, 3).map(slot)),
    bareToolName(tool),
    toolListing(tool, { blocked_tools: list(), allowed_tools: list() }, { review_required_tools: list() }),
    nameWords(random.pick(['sendEMail2All', 'a_b-cD', 'XMLHttp', '', `x${'y'.repeat(250)}Z`])),
  ];
  return {
    name: `spans ${at}`,
    text: JSON.stringify({ spans, after, paths, tool }),
    reading: digest(results),
    details: () => JSON.stringify(results, null, 1),
  };
}
