import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { SCAN_THREAD } from '../../apps/cloud/src/detection-workers/scan-thread.ts';
import { tempFolder } from './temp-folder.ts';

/** Scan threads that note what they send: `sent` is a message for each thread that was started and each task that ended. */
export function countedThreads(): { readonly threadFile: URL; sent(): number } {
  const file = path.join(tempFolder('threads'), 'sent');
  writeFileSync(file, '');
  // Noted before it is sent, so that nobody has a result that is not counted.
  const thread = `
    import { appendFileSync } from 'node:fs';
    import { parentPort } from 'node:worker_threads';
    const send = parentPort.postMessage.bind(parentPort);
    parentPort.postMessage = (message) => {
      appendFileSync(${JSON.stringify(file)}, 'x');
      send(message);
    };
    await import(${JSON.stringify(SCAN_THREAD.href)});`;
  return {
    threadFile: new URL(`data:text/javascript,${encodeURIComponent(thread)}`),
    sent: () => readFileSync(file, 'utf8').length,
  };
}
