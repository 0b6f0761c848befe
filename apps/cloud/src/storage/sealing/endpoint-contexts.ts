import { ownEndpointId } from '@csg/shared/contract';
import type { Database } from '../schema.ts';
import { SEAL_CONTEXTS } from './seal-contexts.ts';

type Named = Pick<Database['endpoints'], 'id' | 'kind' | 'organization_id' | 'project_id'>;

/** The first webhook of a project was once stored with the project, and is still sealed under the project's name. */
const webhookName = ({ id, project_id: projectId }: Named): string =>
  projectId !== null && id === ownEndpointId('webhook', projectId) ? projectId : id;

/** What an address is bound to: named as when each kind had a table of its own. */
export function addressContext(row: Named): string {
  switch (row.kind) {
    case 'webhook':
      return SEAL_CONTEXTS.webhookUrl(webhookName(row));
    case 'policy':
      return SEAL_CONTEXTS.policyWebhook(row.project_id ?? row.id);
    case 'notification':
      return SEAL_CONTEXTS.notificationTarget(row.id);
    case 'audit':
      return SEAL_CONTEXTS.auditTarget(row.organization_id);
    default:
      return SEAL_CONTEXTS.endpoint(row.id);
  }
}

export function secretContext(row: Named): string {
  return row.kind === 'notification'
    ? SEAL_CONTEXTS.notificationSecret(row.id)
    : SEAL_CONTEXTS.webhookSecret(webhookName(row));
}
