import type { RecentDecision } from '../agent/control/control-messages.ts';
import { decisionTitle, nextStep } from '../bridge/decision-words.ts';
import { threatLabel } from '../bridge/threat-words.ts';

export interface Notice {
  readonly title: string;
  readonly body: string;
  /** Where a click leads, and what the buttons say and where they lead: pages of the window. */
  readonly page: string;
  readonly actions: readonly { readonly text: string; readonly page: string }[];
}

const QUIET_MS = 15_000;

/**
 * What a person is told of a decision; null: nothing, because nothing was stopped, or because they were told of the
 * same a moment ago (an app that tries again and again).
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
    return {
      title: decisionTitle(decision),
      body:
        decision.reason === 'blocked_tool'
          ? 'Your organization does not allow this tool here. You can ask for it.'
          : `${threatLabel(decision.threat_type)}. Remove it, or ask for an exception.`,
      page,
      actions: [nextStep(decision), { text: 'Why?', page }],
    };
  };
}
