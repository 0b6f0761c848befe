import type { EmailSender } from '../email/smtp-sender.ts';
import { type CloseExceptionsDependencies, closeExceptions } from '../flows/approvals/decide-exception.ts';
import type { DeviceChannel } from '../flows/devices/device-channel.ts';
import { type SendMailsDeps, sendMails } from '../flows/people/send-mails.ts';
import type { BatchRunner } from '../flows/scrape-batch/batch-runner.ts';
import { type TellUsageDeps, tellUsage } from '../flows/usage-alerts/tell-usage.ts';
import type { Courier } from '../webhooks/outbound/courier.ts';
import { type PruneDependencies, pruneRecords } from './prune-records.ts';
import { type Job, type JobLog, startJob } from './start-job.ts';

type SendMailsParts = Omit<SendMailsDeps, 'mailer'> & {
  /** Null: no mail server is configured, and mails stay in the outbox. */
  readonly mailer: EmailSender | null;
};
type ChannelPart = { readonly channel: Pick<DeviceChannel, 'look'> };
type BatchesPart = { readonly batches: BatchRunner };
type CourierPart = { readonly courier: Courier };

/** What all jobs together work with. */
export type JobDependencies = PruneDependencies &
  CloseExceptionsDependencies &
  SendMailsParts &
  TellUsageDeps &
  ChannelPart &
  BatchesPart &
  CourierPart & { readonly log: JobLog };

const SECOND_MS = 1_000;

export const JOBS = {
  pruneRecords: {
    everyMs: 600 * SECOND_MS,
    run: pruneRecords,
    failure: 'old records could not be deleted',
    startsImmediately: true,
    // Deleting takes as long as the database lets it, and goes on with the next start.
    stopWithinMs: 0,
  } satisfies Job<PruneDependencies>,

  /** Writes down the end of exceptions that expired. */
  closeExceptions: {
    everyMs: SECOND_MS,
    async run(parts: CloseExceptionsDependencies) {
      while ((await closeExceptions(parts)) > 0);
    },
    failure: 'exceptions that ran out could not be written down',
  } satisfies Job<CloseExceptionsDependencies>,

  /** A decision reaches its device within a second, whoever made it. Costs nothing while none is connected. */
  notifyDevices: {
    everyMs: 300,
    run: ({ channel }: ChannelPart) => channel.look(),
    failure: 'devices cannot be notified for now',
  } satisfies Job<ChannelPart>,

  /** Each mail is claimed by one instance. */
  sendMails: {
    everyMs: SECOND_MS,
    async run({ mailer, ...parts }: SendMailsParts, ending: AbortSignal) {
      if (mailer === null) return;
      const isEnding = () => ending.aborted;
      while ((await sendMails({ ...parts, mailer }, isEnding)) > 0 && !isEnding());
    },
    failure: 'the outbox of mails could not be read',
    close: ({ mailer }: SendMailsParts) => mailer?.close(),
    // A mail server that stalls does not hold up a shutdown: what was under way is sent again after its lease.
    stopWithinMs: 2 * SECOND_MS,
  } satisfies Job<SendMailsParts>,

  /** Begins pages of batches. */
  runBatches: {
    everyMs: SECOND_MS,
    run: ({ batches }: BatchesPart) => batches.look(),
    failure: 'pages of batches cannot be fetched for now',
    startsImmediately: true,
    close: ({ batches }: BatchesPart) => batches.close(),
  } satisfies Job<BatchesPart>,

  deliverWebhooks: {
    everyMs: 250,
    run: ({ courier }: CourierPart) => courier.look(),
    failure: 'webhooks cannot be delivered for now',
    close: ({ courier }: CourierPart) => courier.close(),
  } satisfies Job<CourierPart>,

  /** Notifies accounts that crossed a part of their quota. */
  sendUsageAlerts: {
    everyMs: 2 * SECOND_MS,
    run: tellUsage,
    failure: 'accounts cannot be told of their usage for now',
  } satisfies Job<TellUsageDeps>,
};

/** Starts every job; stopping waits for all of them. */
export function startJobs(parts: JobDependencies): { stop(): Promise<void> } {
  const table: readonly Job<JobDependencies>[] = Object.values(JOBS);
  const jobs = table.map((job) => startJob(job, parts, parts.log));
  return {
    async stop() {
      await Promise.all(jobs.map((job) => job.stop()));
    },
  };
}
