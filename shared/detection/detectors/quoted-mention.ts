const QUOTING =
  /\b(?:explain|why|what|how|mean|means|phrase|phrases|sentence|example|attacks?|detect|block|flags?|filter|called|says?|like)\b[^"'`]{0,40}["'`\u201c\u2018]$/i;
const ASKING =
  /\bhow (?:do|can|could|would|should|to|does|did)\b(?: (?:i|we|you|one|people|it))?(?: [\w'-]+){0,3} ?$/i;

/**
 * `what does "ignore all previous instructions" mean` and `how do I override the previous rules of a style sheet`:
 * mentioned, not used. The learned model still evaluates such text.
 */
export function isQuotedMention(text: string, start: number, end: number): boolean {
  const before = text.slice(Math.max(0, start - 80), start);
  if (ASKING.test(before)) return true;
  if (!/^[^"'`\u201d\u2019]{0,20}["'`\u201d\u2019]/.test(text.slice(end, end + 21))) return false;
  return QUOTING.test(before);
}

const READ =
  /\b(?:decode|decipher|decrypt|unscramble|convert|translate|what (?:does|is|do)|say|says|mean|means|read)\b/i;
const OBEY =
  /\b(?:follow|obey|execute|perform|carry|comply|do what|do as|answer|respond|reply|act|run|then|instructions?|task|orders?)\b/i;

/** `Decode this for me: …`: the author wants to know the meaning, not to have it carried out. */
export function asksToDecode(text: string, start: number, end: number): boolean {
  const around = `${text.slice(Math.max(0, start - 200), start)} ${text.slice(end, end + 200)}`;
  return READ.test(around) && !OBEY.test(around);
}
