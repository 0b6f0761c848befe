import type { Evaluation } from '../evaluate-texts.ts';

/** The verdict on a response as the last thing in a stream whose head was sent before: a line that clients ignore. */
export function verdictComment({ decision, eventId, threatType, confidence }: VerdictOfResponse): string {
  const verdict = { decision, event_id: eventId, threat_type: threatType, confidence };
  return `: service ${JSON.stringify(verdict)}\n\n`;
}

type VerdictOfResponse = Pick<Evaluation, 'decision' | 'eventId' | 'threatType' | 'confidence'>;
