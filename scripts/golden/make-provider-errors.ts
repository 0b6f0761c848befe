import { PROVIDER_ERRORS } from '../../apps/cloud/src/upstream/provider-error.ts';
import { markdownTable } from './markdown.ts';

/** Why a provider's whole answer did not arrive, as clients are told. */
export function makeProviderErrors(): string {
  const rows = Object.entries(PROVIDER_ERRORS).map(([reason, { status, text }]) => [
    `\`${reason}\``,
    String(status),
    `… ${text}.`,
  ]);
  return markdownTable(['reason', 'HTTP', 'message'], rows);
}
