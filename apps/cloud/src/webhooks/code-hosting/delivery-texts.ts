import type { TextSlot } from '@csg/shared/text';

/** Paths of people's texts, by event (docs.github.com/webhooks/webhook-events-and-payloads). `*`: every item. */
const TEXT_PATHS: Readonly<Record<string, readonly string[]>> = {
  push: ['commits/*/message', 'head_commit/message'],
  pull_request: ['pull_request/title', 'pull_request/body'],
  pull_request_review: ['review/body'],
  pull_request_review_comment: ['comment/body'],
  issues: ['issue/title', 'issue/body'],
  issue_comment: ['comment/body'],
  commit_comment: ['comment/body'],
  discussion: ['discussion/title', 'discussion/body'],
  discussion_comment: ['comment/body'],
  release: ['release/name', 'release/body'],
};
/** Actions with new texts, for events that also report labels, assignments and similar changes. */
const TEXT_ACTIONS = new Set(['opened', 'created', 'edited', 'submitted', 'published', 'reopened']);

/** Returns the texts that people wrote, as untrusted data. Empty for events without new texts. */
export function deliveryTexts(event: string, payload: unknown): TextSlot[] {
  const action = memberOf(payload, 'action');
  if (typeof action === 'string' && !TEXT_ACTIONS.has(action)) return [];
  const textPaths = Object.hasOwn(TEXT_PATHS, event) ? TEXT_PATHS[event]! : [];
  const slots = textPaths.flatMap((textPath) => readAt(payload, textPath.split('/'), ''));
  // The newest commit of a push is also in its list of commits.
  const seen = new Set<string>();
  return slots.filter(({ text }) => event !== 'push' || (!seen.has(text) && seen.add(text)));
}

function readAt(value: unknown, [step, ...rest]: readonly string[], path: string): TextSlot[] {
  if (step === undefined) {
    return typeof value === 'string' && value !== '' ? [{ path, role: 'document', text: value }] : [];
  }
  if (step !== '*') return readAt(memberOf(value, step), rest, `${path}/${step}`);
  return Array.isArray(value) ? value.flatMap((item, i) => readAt(item, rest, `${path}/${i}`)) : [];
}

/** Returns `owner/name` of a delivery's repository; null if it has none. */
export function repositoryOf(payload: unknown): string | null {
  const name = memberOf(memberOf(payload, 'repository'), 'full_name');
  return typeof name === 'string' && name !== '' ? name : null;
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Record<string, unknown>)[name]
    : undefined;
}
