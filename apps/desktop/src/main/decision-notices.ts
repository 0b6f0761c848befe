import type { RecentDecision } from '../agent/control/control-messages.ts';
import { decisionTitle, nextStep } from '../bridge/decision-labels.ts';
import { threatLabel } from '../bridge/threat-label.ts';

export interface Notice {
  readonly title: string;
  readonly body: string;
  /** The page that a click opens; the buttons have their own pages. */
  readonly page: string;
  readonly actions: readonly { readonly text: string; readonly page: string }[];
}

const QUIET_MS = 15_000;

/**
 * The notification about a decision; null if nothing was blocked, or if the same was shown a moment ago (an app that
 * retries).
 */
export function createDecisionNotices(nowMs: () => number): (decision: RecentDecision) => Notice | null {
  const shownAtMs = new Map<string, number>();
  return (decision) => {
    if (decision.done !== 'blocked') return null;
    const kind = `${decision.host} ${decision.threat_type}`;
    const last = shownAtMs.get(kind);
    if (last !== undefined && nowMs() - last < QUIET_MS) return null;
    shownAtMs.set(kind, nowMs());
    const page = `#/decisions/${encodeURIComponent(decision.event_id)}`;
    const next = nextStep(decision);
    const details = { text: 'Details', page };
    return {
      title: decisionTitle(decision),
      body: bodyOf(decision),
      page,
      actions: next === null ? [details] : [next, details],
    };
  };
}

function bodyOf({ reason, threat_type }: RecentDecision): string {
  if (reason === 'blocked_tool') return 'Your organization does not allow this tool. You can request it.';
  if (reason === 'unread') return 'Your organization does not allow content that cannot be read.';
  return `${threatLabel(threat_type)}. Remove it or request an exception.`;
}
