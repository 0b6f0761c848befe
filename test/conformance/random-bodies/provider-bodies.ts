import { WORDS } from '@csg/shared/providers';
import fc from 'fast-check';
import { reshape, type Template } from '../../support/canary-template.ts';
import { samplesOf } from '../../support/provider-samples.ts';
import { argumentsText, Draw, freeJson, markOf, withUnknown } from './marked-texts.ts';

/**
 * Bodies derived from a provider's samples: some texts become a unique mark (`canary7x`) or JSON with marks in it, and
 * unknown members are added.
 */
export interface MarkedBody {
  readonly value: Record<string, unknown>;
  /** How many marks were used; marks are canary0x … canary(n-1)x. */
  readonly marks: number;
}

export const requestsOf = (endpoint: string): fc.Arbitrary<MarkedBody> =>
  fc.constantFrom(...samplesOf(endpoint).requests).chain(grown);
export const responsesOf = (endpoint: string): fc.Arbitrary<MarkedBody> =>
  grown(samplesOf(endpoint).response);

function grown(template: Template): fc.Arbitrary<MarkedBody> {
  const numbers = fc.array(fc.nat({ max: 5_039 }), { minLength: 40, maxLength: 400 });
  return numbers.map((drawn) => {
    const d = new Draw(drawn);
    const value = reshape(template, {
      text: (text, encoding) => {
        // A provider's own word determines the members next to it.
        if (WORDS.values.has(text) || d.below(3) !== 0) return text;
        // Decoded content is text only without control characters.
        if (encoding === 'other') return `notes ${markOf(d.marks++)} of the day`;
        return d.mark();
      },
      members: (members) => withUnknown(d, members),
    }) as Record<string, unknown>;
    // At least one.
    return { value: { ...value, x_arguments: argumentsText(d), [d.mark()]: freeJson(d) }, marks: d.marks };
  });
}
