import { MessageChannel, receiveMessageOnPort } from 'node:worker_threads';
import { Piscina } from 'piscina';
import type { AuditReport, VerifyProgress } from '../model/audit.ts';
import { StorageError } from '../storage-error.ts';
import type { VerifyJob, VerifyResult, VerifySource } from './verify-worker.ts';

export interface VerifyThread {
  /** Verifies a chain on a thread with a connection of its own; one chain after the other. */
  verify(organizationId: string, onProgress?: (progress: VerifyProgress) => void): Promise<AuditReport>;
  /** Ends the thread; a run under way rejects. */
  close(): Promise<void>;
}

export function createVerifyThread(source: VerifySource): VerifyThread {
  let pool: Piscina<VerifyJob, VerifyResult> | undefined;

  function startPool(): Piscina<VerifyJob, VerifyResult> {
    pool ??= new Piscina({
      filename: new URL('./verify-worker.ts', import.meta.url).href,
      name: 'verifyInThread',
      minThreads: 0,
      maxThreads: 1,
      idleTimeout: 10_000,
      // Otherwise an idle thread would sleep without closing its port.
      atomics: 'disabled',
      // Gives the event loop priority on a shared core. Only Linux has a priority per thread.
      ...(process.platform === 'linux' ? { niceIncrement: 5 } : {}),
    });
    return pool;
  }

  return {
    async verify(organizationId, onProgress) {
      const { port1, port2 } = new MessageChannel();
      port1.on('message', (progress: VerifyProgress) => onProgress?.(progress));
      port1.unref();
      try {
        const job = { source, organizationId, port: port2 };
        const result = await startPool().run(job, { transferList: [port2] });
        // The result comes through another port, and can overtake progress that was sent before it.
        for (let left = receiveMessageOnPort(port1); left !== undefined; left = receiveMessageOnPort(port1))
          onProgress?.(left.message as VerifyProgress);
        if ('report' in result) return result.report;
        throw new StorageError(result.failed.code, result.failed.message);
      } finally {
        port1.close();
      }
    },
    async close() {
      await pool?.destroy();
    },
  };
}
