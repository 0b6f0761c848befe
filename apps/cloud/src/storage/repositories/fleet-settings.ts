import type { FleetSettings, FleetSettingsStore } from '../model/fleet-settings.ts';
import { toStorableText } from '../stored-values.ts';
import { inSteps } from './list-steps.ts';
import { omitUndefined, type RepositoryDeps } from './repository-deps.ts';

const DEFAULTS: FleetSettings = {
  mode: 'enforce',
  extraHosts: [],
  bypassHosts: [],
  blockedTools: [],
  fleet: null,
  forceUpdateMode: 'off',
  pinnedChannel: null,
  minVersionOverride: null,
};

export function createFleetSettings({ db, now }: RepositoryDeps): FleetSettingsStore {
  const get = async (organizationId: string): Promise<FleetSettings> => {
    const row = await db
      .selectFrom('fleet_settings')
      .select('settings')
      .where('organization_id', '=', organizationId)
      .executeTakeFirst();
    return row === undefined ? DEFAULTS : { ...DEFAULTS, ...(JSON.parse(row.settings) as FleetSettings) };
  };
  return {
    get,
    async set(organizationId, change) {
      const changed = { ...(await get(organizationId)), ...omitUndefined(change) };
      const columns = { settings: toStorableText(JSON.stringify(changed)), updated_at_ms: now() };
      await db
        .insertInto('fleet_settings')
        .values({ organization_id: organizationId, ...columns })
        .onConflict((conflict) => conflict.column('organization_id').doUpdateSet(columns))
        .execute();
      return changed;
    },
    async revokedSince(organizationIds, sinceMs) {
      const rows = await inSteps(organizationIds, (step) =>
        db
          .selectFrom('devices')
          .select('id')
          .where('organization_id', 'in', step)
          .where('revoked_at_ms', 'is not', null)
          .where('revoked_at_ms', '>=', sinceMs)
          .execute(),
      );
      return rows.map((row) => row.id);
    },
  };
}
