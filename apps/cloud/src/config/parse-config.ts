import { isSharedIssuer } from './is-shared-issuer.ts';
import type { PROVIDER_SETTINGS } from './provider-settings.ts';
import { SETTINGS } from './settings.ts';

type Settings = typeof SETTINGS;
export type Config = { readonly [Name in keyof Settings]: ReturnType<Settings[Name]['read']> } & {
  readonly [Name in keyof typeof PROVIDER_SETTINGS]: string | undefined;
};

export type ParsedConfig = { ok: true; config: Config } | { ok: false; problems: string[] };

/** Returns a frozen Config, or all problems as `NAME sentence`. An empty variable counts as unset. */
export function parseConfig(env: Readonly<Record<string, string | undefined>>): ParsedConfig {
  const problems: string[] = [];
  const values: Record<string, unknown> = {};
  for (const [name, setting] of Object.entries(SETTINGS)) {
    const text = env[setting.env];
    try {
      values[name] = setting.read(text === '' ? undefined : text);
    } catch (error) {
      problems.push(`${setting.env} ${(error as Error).message}`);
    }
  }
  const config = Object.freeze(values) as Config;
  problems.push(...combinationProblems(config));
  return problems.length > 0 ? { ok: false, problems } : { ok: true, config };
}

function combinationProblems(config: Config): string[] {
  const problems: string[] = [];
  // Processes that count separately would multiply the limits, and SQLite allows only one writer.
  if (config.workers > 1 && (config.databaseUrl === undefined || config.redisUrl === undefined)) {
    problems.push(`WORKERS above 1 requires DATABASE_URL and REDIS_URL, which the workers share`);
  }
  if (config.otelSpanBatch > config.otelSpanQueue) {
    problems.push('OTEL_BSP_MAX_EXPORT_BATCH_SIZE must not exceed OTEL_BSP_MAX_QUEUE_SIZE');
  }
  if ((config.auditTimestampUrl === undefined) !== (config.auditTimestampCaFile === undefined)) {
    problems.push('AUDIT_TIMESTAMP_URL and AUDIT_TIMESTAMP_CA_FILE must be set together');
  }
  if (config.oidcIssuer !== undefined) {
    if (config.oidcClientId === undefined) problems.push('OIDC_CLIENT_ID is required with OIDC_ISSUER');
    if (config.oidcAllowedDomains?.length === 0) {
      problems.push(
        'OIDC_ALLOWED_DOMAINS is required with OIDC_ISSUER: without a domain no account can sign in',
      );
    }
    if (config.oidcEmailTrust === 'tenant' && isSharedIssuer(config.oidcIssuer)) {
      problems.push(
        'OIDC_EMAIL_TRUST must be verified for this OIDC_ISSUER, which signs tokens for more than one company',
      );
    }
  }
  return problems;
}
