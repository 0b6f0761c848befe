import { readFileSync } from 'node:fs';
import { PII_TYPES, type PiiType } from '../../../shared/contract/index.ts';
import { piiSpans, Workspace } from '../../../shared/detection/index.ts';

interface PiiRow {
  readonly text: string;
  readonly spans: readonly { readonly start: number; readonly end: number; readonly type: PiiType }[];
}

export interface PiiScore {
  readonly type: PiiType;
  readonly found: number;
  readonly missed: number;
  readonly wrong: number;
}

/** Counts exactly matching spans per type, and the share of texts with a finding but no personal data. */
export function scorePii(path: string): { scores: PiiScore[]; negatives: number; negativesHit: number } {
  const rows = readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => JSON.parse(line) as PiiRow);
  const scores = PII_TYPES.map((type) => ({ type, found: 0, missed: 0, wrong: 0 }));
  const workspace = new Workspace();
  let negatives = 0;
  let negativesHit = 0;
  for (const row of rows) {
    const spans = piiSpans(row.text, PII_TYPES, workspace);
    if (row.spans.length === 0) {
      negatives++;
      if (spans.length > 0) negativesHit++;
    }
    for (const score of scores) count(score, row.spans, spans);
  }
  return { scores, negatives, negativesHit };
}

type TypedSpan = PiiRow['spans'][number];

/** Adds the expected and the found spans of the score's type in one text. */
function count(
  score: { -readonly [Name in keyof PiiScore]: PiiScore[Name] },
  expected: readonly TypedSpan[],
  actual: ReturnType<typeof piiSpans>,
): void {
  const gold = expected.filter(({ type }) => type === score.type);
  const own = actual.filter(({ type }) => type === score.type);
  const isSame = (a: Pick<TypedSpan, 'start' | 'end'>, b: Pick<TypedSpan, 'start' | 'end'>) =>
    a.start === b.start && a.end === b.end;
  const found = gold.filter((span) => own.some((other) => isSame(span, other))).length;
  score.found += found;
  score.missed += gold.length - found;
  score.wrong += own.filter((span) => !gold.some((other) => isSame(span, other))).length;
}
