import { newId } from '../ids.ts';
import { type AllowedTexts, allowedTextTable, type TextScope } from '../model/allowed-texts.ts';
import { inSteps } from './list-steps.ts';
import type { RepositoryDeps } from './repository-deps.ts';

const MAX_LISTED = 500;
/** Length of the digest: 128 bits. */
const DIGEST_BYTES = 16;

export function createAllowedTexts({ db, vault, now }: RepositoryDeps): AllowedTexts {
  const ofScope = ({ organizationId, projectId }: TextScope) =>
    db
      .selectFrom('allowed_texts')
      .selectAll()
      .where('organization_id', '=', organizationId)
      .where('project_id', projectId === null ? 'is' : '=', projectId);
  return {
    keyOf({ organizationId, projectId }, role, text) {
      const digest = vault.lookupHash(
        JSON.stringify(['allowed-text', organizationId, projectId, role, text]),
      );
      return `${role}:${digest.subarray(0, DIGEST_BYTES).toString('base64url')}`;
    },
    async insert({ organizationId, projectId }, { textKey, threatTypes, eventId, approvedBy }) {
      const row = {
        id: newId('alt'),
        organization_id: organizationId,
        project_id: projectId,
        text_key: textKey,
        threat_types: JSON.stringify(threatTypes),
        event_id: eventId,
        approved_by: approvedBy,
        created_at_ms: now(),
      };
      await db.insertInto('allowed_texts').values(row).execute();
      return allowedTextTable.read(row);
    },
    async find(scope, textKeys) {
      const rows = await inSteps(textKeys, (step) =>
        ofScope(scope).where('text_key', 'in', step).orderBy('created_at_ms').execute(),
      );
      return rows.map(allowedTextTable.read);
    },
    async list(organizationId, { projectId } = {}) {
      const rows = await db
        .selectFrom('allowed_texts')
        .selectAll()
        .where('organization_id', '=', organizationId)
        .$if(projectId !== undefined, (query) => query.where('project_id', '=', projectId!))
        .orderBy('created_at_ms', 'desc')
        .orderBy('id')
        .limit(MAX_LISTED)
        .execute();
      return rows.map(allowedTextTable.read);
    },
    async remove(organizationId, allowedTextId) {
      const row = await db
        .deleteFrom('allowed_texts')
        .where('organization_id', '=', organizationId)
        .where('id', '=', allowedTextId)
        .returningAll()
        .executeTakeFirst();
      return allowedTextTable.readOrNull(row);
    },
    async removeOfEvent(organizationId, eventId) {
      const { numDeletedRows } = await db
        .deleteFrom('allowed_texts')
        .where('organization_id', '=', organizationId)
        .where('event_id', '=', eventId)
        .executeTakeFirstOrThrow();
      return Number(numDeletedRows);
    },
  };
}
