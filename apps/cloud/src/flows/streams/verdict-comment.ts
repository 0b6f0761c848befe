import type { Evaluation } from '../evaluate-texts.ts';

/** Returns the verdict as the last line of a stream whose head was already sent: a comment, which clients ignore. */
export function verdictComment({ decision, eventId, threatType, confidence }: VerdictOfResponse): string {
  const verdict = { decision, event_id: eventId, threat_type: threatType, confidence };
  return `: service ${JSON.stringify(verdict)}\n\n`;
}

type VerdictOfResponse = Pick<Evaluation, 'decision' | 'eventId' | 'threatType' | 'confidence'>;
