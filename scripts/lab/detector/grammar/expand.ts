import type { Random } from '../../../../test/support/random.ts';

export type Slots = Readonly<Record<string, readonly string[]>>;

/** Fills `{slot}` and chooses from `[a|b|c]`, innermost first, until none is left. `\n` is a line end. */
export function expand(template: string, slots: Slots, random: Random): string {
  let text = template;
  for (let guard = 0; guard < 2000; guard++) {
    const choice = /\[([^[\]{}]*\|[^[\]{}]*)\]/.exec(text);
    if (choice !== null) {
      text =
        text.slice(0, choice.index) +
        random.pick(choice[1]!.split('|')) +
        text.slice(choice.index + choice[0].length);
      continue;
    }
    const slot = /\{([a-zA-Z]\w*)\}/.exec(text);
    if (slot === null) break;
    const values = slots[slot[1]!];
    if (values === undefined) throw new Error(`no slot ${slot[1]} for ${template}`);
    text = text.slice(0, slot.index) + random.pick(values) + text.slice(slot.index + slot[0].length);
  }
  return text
    .replace(/\\n/g, '\n')
    .replace(/ {2,}/g, ' ')
    .replace(/ ([,.!?;:])/g, '$1')
    .trim();
}

/** Varies case and punctuation, and adds small typing errors. */
export function roughen(text: string, random: Random): string {
  const dice = random.next();
  let out = text;
  if (dice < 0.12) out = out.toLowerCase();
  else if (dice < 0.15) out = out.toUpperCase();
  else if (dice < 0.2) out = out.replace(/[.!?]$/, '');
  else if (dice < 0.23) out = out.replace(/[.,;:!?]/g, '');
  else if (dice < 0.62) out = out.charAt(0).toUpperCase() + out.slice(1);
  if (random.chance(0.05)) out = slip(out, random);
  return out;
}

function slip(text: string, random: Random): string {
  const words = text.split(' ');
  const at = random.below(words.length);
  const word = words[at]!;
  if (word.length < 5) return text;
  const i = 1 + random.below(word.length - 2);
  words[at] = word.slice(0, i) + word.charAt(i + 1) + word.charAt(i) + word.slice(i + 2);
  return words.join(' ');
}
