import { CHANCE_CODES, type Decoded } from '../normalize/decode.ts';
import { looksLikeWords } from '../normalize/known-words.ts';
import { ATTACK } from '../operating-points/attacks.ts';
import type { Workspace } from '../workspace.ts';
import { asksToDecode } from './quoted-mention.ts';

const VALUE_BEFORE = /(?:base64,|["'=])$/;

/** Returns the confidence that encoded text has whatever it says. Models write files and keys in codes. */
export function aloneOf(kind: Decoded['kind'], margin: number, isModels: boolean): number {
  if (!CHANCE_CODES.has(kind)) return isModels ? ATTACK.codeOfModels : ATTACK.disguiseAlone;
  return margin < ATTACK.plainMargin ? ATTACK.chanceAlone : ATTACK.chanceCodeAlone;
}

/**
 * True for base64 or hex in data, as a value or in a data: address: that is how files are transferred, so only their
 * content counts.
 */
export function isTransported({ kind, start }: Decoded, whole: string, asData: boolean): boolean {
  if (kind !== 'base64' && kind !== 'hex') return false;
  return asData || VALUE_BEFORE.test(whole.slice(Math.max(0, start - 7), start));
}

/** True if sentences are in a code that covers much of the text, and the text does not ask for their meaning. */
export function isSuspect(
  { kind, start, end }: Decoded,
  text: string,
  whole: string,
  workspace: Workspace,
): boolean {
  if (end - start <= whole.length * ATTACK.codeShare && end - start <= 80) return false;
  return (kind === 'vowelless' || looksLikeWords(text, workspace)) && !asksToDecode(whole, start, end);
}
