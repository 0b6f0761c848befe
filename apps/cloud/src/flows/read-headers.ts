import { applyReplacements, type TextSlot } from '@csg/shared/text';
import type { Evaluation } from './decision/evaluate.ts';

type Headers = Readonly<Record<string, string>>;

export interface HeaderTexts {
  /** All values, one per line: scanning one short text is faster than scanning many. Null if there are none. */
  readonly slot: TextSlot | null;
  /** Returns the headers after a verdict; `index` is the slot's. If it blocks, headers with a finding are removed. */
  shown(evaluation: Pick<Evaluation, 'decision' | 'verdict'>, index: number): Record<string, string>;
}

/** Prepares the headers of a response for scanning and masking, like the body that they come with. */
export function readHeaders(headers: Headers): HeaderTexts {
  const names = Object.keys(headers);
  const text = names.map((name) => headers[name]).join('\n');
  return {
    slot: names.length === 0 ? null : { path: 'headers', role: 'metadata', text },
    shown({ decision, verdict }, index) {
      const masks = verdict.replacements.get(index) ?? [];
      const findings = decision === 'block' ? verdict.findings.filter(({ slot }) => slot === index) : [];
      const shown: Record<string, string> = {};
      let start = 0;
      for (const name of names) {
        const value = headers[name] as string;
        const end = start + value.length;
        const isWithin = (span: { readonly start: number; readonly end: number }): boolean =>
          span.start < end && span.end > start;
        if (!findings.some(isWithin)) {
          const own = masks.filter(isWithin).map((mask) => ({
            ...mask,
            start: Math.max(0, mask.start - start),
            end: Math.min(value.length, mask.end - start),
          }));
          shown[name] = own.length === 0 ? value : applyReplacements(value, own);
        }
        start = end + 1;
      }
      return shown;
    },
  };
}
