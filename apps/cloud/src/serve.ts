import cluster from 'node:cluster';
import type { FastifyBaseLogger } from 'fastify';
import type { Config } from './config/parse-config.ts';
import { runWorkers } from './run-workers.ts';

/** Serves until a signal: in this process or, with WORKERS, in as many worker processes, which this one supervises. */
export async function serve(config: Config, log: FastifyBaseLogger): Promise<void> {
  if (cluster.isPrimary && config.workers > 1) return await runWorkers(config.workers, log);
  // Loaded here: a process that only supervises needs no web server.
  const { runGateway } = await import('./run-gateway.ts');
  await runGateway(config, log);
}
