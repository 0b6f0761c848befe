import { ValidationError } from '@csg/shared/contract';

const MIN_CHARACTERS = 12;
const MAX_CHARACTERS = 256;
/** Minimum number of characters without the person's own words. */
const MIN_OTHER = 8;
/** Minimum zxcvbn score (0 to 4). 3 is "safely unguessable: moderate protection from offline slow-hash scenario". */
const MIN_SCORE = 3;

/**
 * Rejects passwords that are short or easily guessed, with an error for the field (422). `about`: words about the
 * person that a guesser would try first. There is no rule about character classes (OWASP ASVS 5, 6.2).
 */
export async function checkPassword(
  field: string,
  password: string,
  about: readonly (string | null)[] = [],
): Promise<void> {
  const problem = await passwordProblem(password, about);
  if (problem === null) return;
  throw new ValidationError([{ loc: ['body', field], msg: problem, type: 'password' }]);
}

/** Returns the error message, or null if the password is acceptable. */
export async function passwordProblem(
  password: string,
  about: readonly (string | null)[],
): Promise<string | null> {
  const length = [...password].length;
  if (length < MIN_CHARACTERS) return `A password must have at least ${MIN_CHARACTERS} characters.`;
  if (length > MAX_CHARACTERS) return `A password may have at most ${MAX_CHARACTERS} characters.`;
  const words = about.flatMap((text) => text?.toLowerCase().match(/[\p{L}\p{N}]{3,}/gu) ?? []);
  const rest = words.reduce((left, word) => left.replaceAll(word, ''), password.toLowerCase());
  if ([...rest].length < MIN_OTHER) {
    return 'This password is too similar to your name or email address. Use a few unrelated words.';
  }
  // The word lists are large, so they are loaded when the first password is checked.
  const { estimator } = await import('./password-estimator.ts');
  const { score } = estimator.check(password, ['gateway', 'content', 'security', ...words]);
  if (score >= MIN_SCORE) return null;
  return 'This password is easy to guess. Use a few unrelated words.';
}
