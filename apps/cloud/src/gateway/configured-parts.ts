import type { FastifyBaseLogger } from 'fastify';
import { readBuildInfo } from '../config/build-info.ts';
import { loadMasterKey, loadPreviousKeys } from '../config/master-key.ts';
import { type McpServerEntry, readMcpServers } from '../config/mcp-servers.ts';
import type { Config } from '../config/parse-config.ts';
import { readJsonFile } from '../config/read-json-file.ts';
import type { Clock, Timers } from '../flows/clock.ts';
import { openStorage } from '../storage/open-storage.ts';
import type { Storage } from '../storage/storage.ts';
import type { PrometheusMetric } from '../telemetry/metric-points.ts';
import type { Telemetry } from '../telemetry/telemetry.ts';
import { createProviders, type Provider } from '../upstream/providers.ts';

/** Parts that commands and the service share. This file imports no web server, so that commands start quickly. */
export const SYSTEM_CLOCK: Clock = { now: Date.now, elapsed: () => performance.now() };

export const SYSTEM_TIMERS: Timers = {
  after(ms, action) {
    const timer = setTimeout(action, ms);
    return () => clearTimeout(timer);
  },
};

/** Opens the storage of this configuration. */
export async function openConfiguredStorage(
  config: Config,
  log: FastifyBaseLogger,
  clock: Clock = SYSTEM_CLOCK,
): Promise<Storage> {
  return openStorage({
    ...(config.databaseUrl === undefined ? {} : { databaseUrl: config.databaseUrl }),
    databaseWaitMs: config.databaseWaitMs,
    idempotencyBudgetBytes: config.idempotencyBudgetBytes,
    dataDir: config.dataDir,
    masterKey: loadMasterKey({
      key: config.masterKey,
      file: config.masterKeyFile,
      dataDir: config.dataDir,
    }),
    previousKeys: loadPreviousKeys({ keys: config.previousMasterKeys, file: config.previousMasterKeysFile }),
    now: clock.now,
    log: (level, message, fields) => log[level](fields ?? {}, message),
  });
}

/** Reads the operator's MCP servers; throws one sentence if they are invalid. */
export function configuredMcpServers({ mcpServersFile: file }: Config): readonly McpServerEntry[] {
  return file === undefined ? [] : readMcpServers(readJsonFile('MCP_SERVERS_FILE', file));
}

/** Creates the model providers of this configuration; throws one sentence if they are invalid. */
export function configuredProviders(config: Config): readonly Provider[] {
  return createProviders({
    urlOf: (name) => config[`provider:${name}`],
    awsRegion: config.awsRegion,
    extra:
      config.providersFile === undefined ? undefined : readJsonFile('PROVIDERS_FILE', config.providersFile),
  });
}

/** Opens telemetry if a collector is configured; otherwise returns null without loading any OpenTelemetry package. */
export async function openConfiguredTelemetry(
  config: Config,
  log: FastifyBaseLogger,
  metrics: () => Promise<readonly PrometheusMetric[]>,
): Promise<Telemetry | null> {
  const addresses = [config.otlpEndpoint, config.otlpTracesEndpoint, config.otlpMetricsEndpoint];
  if (config.otelDisabled || addresses.every((address) => address === undefined)) return null;
  const { openTelemetry } = await import('../telemetry/open-telemetry.ts');
  return await openTelemetry(config, { version: readBuildInfo(config.commit).version, metrics, log });
}
