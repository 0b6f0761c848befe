import { PROVIDER_FAULTS } from '../../apps/cloud/src/upstream/provider-fault.ts';
import { markdownTable } from './markdown.ts';

/** Why a provider's whole answer did not arrive, as clients are told. */
export function makeProviderFaults(): string {
  const rows = Object.entries(PROVIDER_FAULTS).map(([reason, { status, says }]) => [
    `\`${reason}\``,
    String(status),
    `… ${says}.`,
  ]);
  return markdownTable(['reason', 'HTTP', 'message'], rows);
}
