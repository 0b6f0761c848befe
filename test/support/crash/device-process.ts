/**
 * The part of the agent that stores decisions until the service has them: its real journal, upload and client, in a
 * process that can be killed.
 */
import path from 'node:path';
import { createEventUpload } from '../../../apps/desktop/src/agent/service/event-upload.ts';
import { createServiceClient } from '../../../apps/desktop/src/cloud-client/service-client.ts';
import { openJournal } from '../../../apps/desktop/src/journal/open-journal.ts';

export type DeviceCommand =
  | { readonly order: 'decide'; readonly ids: readonly string[] }
  /** Requests a message when nothing is pending any more. */
  | { readonly order: 'drain' };
export type DeviceReply = { readonly acknowledged: string } | { readonly drained: true };

const [folder, url, apiKey] = process.argv.slice(2) as [string, string, string];
const journal = openJournal({
  file: path.join(folder, 'journal.sqlite'),
  maxEvents: 10_000,
  nowMs: Date.now(),
});
const client = createServiceClient({ url, apiKey, deadlineMs: 10_000 });
const say = (word: DeviceReply): void => void process.send?.(word);
let isAsked = false;
function answerIfDrained(): void {
  if (!isAsked || journal.waiting() > 0) return;
  isAsked = false;
  say({ drained: true });
}
const upload = createEventUpload({
  journal: {
    next: journal.next,
    forget(ids) {
      journal.forget(ids);
      answerIfDrained();
    },
  },
  send: client.sendEvents,
  firstPauseMs: 20,
  longestPauseMs: 100,
});

process.on('message', (message: DeviceCommand) => {
  if (message.order === 'drain') {
    isAsked = true;
    answerIfDrained();
  }
  if (message.order !== 'decide') return;
  for (const id of message.ids) {
    journal.add({ event_id: id, decision: 'block', threat_type: 'secret_leak', confidence: 1 });
    say({ acknowledged: id });
  }
  upload.flush();
});
process.channel?.ref();
upload.flush();
