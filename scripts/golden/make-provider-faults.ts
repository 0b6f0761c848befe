import { PROVIDER_ERRORS } from '../../apps/cloud/src/upstream/provider-error.ts';
import { markdownTable } from './markdown.ts';

/** Why a provider's whole answer did not arrive, as clients are told. */
export function makeProviderFaults(): string {
  const rows = Object.entries(PROVIDER_ERRORS).map(([reason, { status, text: says }]) => [
    `\`${reason}\``,
    String(status),
    `… ${says}.`,
  ]);
  return markdownTable(['reason', 'HTTP', 'message'], rows);
}
