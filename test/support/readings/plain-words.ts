import type { Random } from '../random.ts';

const WORDS =
  'the report is ready and my team has read it we can meet on Monday at 3 or 4 in the office for a while see above über café нет 東京 x1 A B2'.split(
    ' ',
  );
export const words = (random: Random, most: number) =>
  Array.from({ length: random.below(most + 1) }, () => random.pick(WORDS)).join(' ');
