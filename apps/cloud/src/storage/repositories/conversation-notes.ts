import type { TextScope } from '../model/allowed-texts.ts';
import type { ConversationNotes } from '../model/conversation-notes.ts';
import { inSteps } from './list-steps.ts';
import type { RepositoryDeps } from './repository-deps.ts';

/** Length of the digest: 128 bits. */
const DIGEST_BYTES = 16;
/** Rows in one statement: SQLite limits the number of parameters. */
const MAX_ROWS = 100;

export function createConversationNotes({ db, vault, now }: RepositoryDeps): ConversationNotes {
  async function find({ organizationId }: TextScope, keys: readonly string[], sinceMs = 0) {
    const rows = await inSteps(keys, (step) =>
      db
        .selectFrom('conversation_notes')
        .select(['note_key', 'value'])
        .where('organization_id', '=', organizationId)
        .where('note_key', 'in', step)
        .where('at_ms', '>=', sinceMs)
        .execute(),
    );
    return new Map(rows.map(({ note_key, value }) => [note_key, value]));
  }
  return {
    keyOf({ organizationId, projectId }, kind, parts) {
      const digest = vault.lookupHash(
        JSON.stringify(['conversation-note', kind, organizationId, projectId, ...parts]),
      );
      return `${kind}:${digest.subarray(0, DIGEST_BYTES).toString('base64url')}`;
    },
    async hasAny({ organizationId, projectId }, kind) {
      const row = await db
        .selectFrom('conversation_notes')
        .select('note_key')
        .where('organization_id', '=', organizationId)
        .where('project_id', projectId === null ? 'is' : '=', projectId)
        // From the colon after the kind to the next character.
        .where('note_key', '>=', `${kind}:`)
        .where('note_key', '<', `${kind};`)
        .limit(1)
        .executeTakeFirst();
      return row !== undefined;
    },
    find,
    async keep(scope, notes) {
      const rows = [...notes].map(([note_key, value]) => ({
        ...{ note_key, value, at_ms: now() },
        organization_id: scope.organizationId,
        project_id: scope.projectId,
      }));
      for (let at = 0; at < rows.length; at += MAX_ROWS) {
        await db
          .insertInto('conversation_notes')
          .values(rows.slice(at, at + MAX_ROWS))
          .onConflict((conflict) => conflict.columns(['organization_id', 'note_key']).doNothing())
          .execute();
      }
      return await find(scope, [...notes.keys()]);
    },
    async prune(beforeMs) {
      await db.deleteFrom('conversation_notes').where('at_ms', '<', beforeMs).execute();
    },
  };
}
