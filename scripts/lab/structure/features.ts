import type { OrderReader } from '../../../shared/detection/units/order-reader.ts';
import { sentencesIn } from '../../../shared/detection/units/sentences.ts';
import { PATTERNS } from './patterns.ts';

/** Texts with more sentences are read up to here. */
const MAX_SENTENCES = 4_000;
const MAX_LENGTH = 700;
/** Sentences of a text that are asked whether they are orders. */
const SAMPLE = 40;
const MANY_ASSISTANTS = 4;
const SHORT = 40;

const ASIDE = { assistant: false, concealment: false, target: false };
/** What a sentence has by itself, by the sentence behind it, and by its text. */
export const FEATURES = [
  ...(Object.keys(PATTERNS) as (keyof typeof PATTERNS)[]),
  'order',
  'order behind',
  'short',
  'many assistants',
  'many orders',
  'alone',
  'loud',
  ...Object.keys(ASIDE).map((name) => `${name} behind`),
] as const;

/** Returns the features of each sentence that may be part of a planted order, as indexes into FEATURES. */
export function featuresOf(text: string, reader: OrderReader): number[][] {
  const spans = sentencesIn(text).slice(0, MAX_SENTENCES);
  const sentences = spans.map(({ start, end }) => text.slice(start, Math.min(end, start + MAX_LENGTH)));
  const isAssistant = sentences.map(
    (sentence) => PATTERNS.assistant.test(sentence) || PATTERNS.reader.test(sentence),
  );
  const assistants = isAssistant.filter(Boolean).length;
  const step = Math.max(1, Math.floor(sentences.length / SAMPLE));
  const asked = sentences.filter((_, index) => index % step === 0);
  const orders = asked.filter((sentence) => reader.isOrder(sentence)).length;
  return sentences.flatMap((sentence, index) => {
    if (!isAssistant[index] && !PATTERNS.concealment.test(sentence) && !PATTERNS.authority.test(sentence))
      return [];
    const behind = sentences[index + 1] ?? '';
    const both = `${sentence} ${behind}`;
    const isFromBoth = new Set<string>(['user', 'secondPerson', 'quotation']);
    const has = [
      ...Object.entries(PATTERNS).map(([name, pattern]) =>
        pattern.test(isFromBoth.has(name) ? both : sentence),
      ),
      reader.isOrder(sentence),
      behind !== '' && reader.isOrder(behind),
      sentence.length < SHORT,
      assistants > MANY_ASSISTANTS,
      orders > asked.length / 2,
      sentences.length <= 2,
      /\p{Lu}{4,}/u.test(sentence) && !/^\p{Lu}+$/u.test(sentence),
      isAssistant[index + 1] === true,
      PATTERNS.concealment.test(behind),
      PATTERNS.target.test(behind),
    ];
    return [has.flatMap((value, feature) => (value ? [feature] : []))];
  });
}
