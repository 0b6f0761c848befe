import { PROVIDER_ERRORS } from '../../apps/cloud/src/upstream/provider-error.ts';
import { markdownTable } from './markdown.ts';

/** Returns the reasons for incomplete provider responses, as reported to clients. */
export function makeProviderErrors(): string {
  const rows = Object.entries(PROVIDER_ERRORS).map(([reason, { status, text }]) => [
    `\`${reason}\``,
    String(status),
    `… ${text}.`,
  ]);
  return markdownTable(['reason', 'HTTP', 'message'], rows);
}
