import type { EmailSender } from '../email/email-sender.ts';
import { type SendEmailsDeps, sendEmails } from '../flows/accounts/send-emails.ts';
import { type CloseRequestsDeps, closeRequests } from '../flows/approvals/close-requests.ts';
import { type StampDeps, stampCheckpoints } from '../flows/audit/stamp-checkpoints.ts';
import { type VerifyDailyDeps, verifyDaily } from '../flows/audit/verify-daily.ts';
import type { DeviceChannel } from '../flows/devices/device-channel.ts';
import { type CheckAlertsDeps, checkAlerts } from '../flows/notifications/check-alerts.ts';
import type { SignalDeps } from '../flows/notifications/find-signals.ts';
import { type SendNotificationsDeps, sendNotifications } from '../flows/notifications/send-notifications.ts';
import { watchOrganizations } from '../flows/notifications/watch-organizations.ts';
import type { BatchRunner } from '../flows/scrape-batch/batch-runner.ts';
import { sendUsageAlerts, type UsageAlertDeps } from '../flows/usage-alerts/send-usage-alerts.ts';
import type { UsageMeter } from '../flows/usage-report/usage-meter.ts';
import type { WebhookDispatcher } from '../webhooks/outbound/webhook-dispatcher.ts';
import type { CallCounter } from '../webhooks/policy-endpoint/call-counter.ts';
import { type PruneDependencies, pruneRecords } from './prune-records.ts';
import { type Job, type JobLog, startJob } from './start-job.ts';

type SendEmailsParts = Omit<SendEmailsDeps, 'emailSender'> & {
  /** Null if no mail server is configured; emails then stay in the outbox. */
  readonly emailSender: EmailSender | null;
};
type ChannelPart = { readonly channel: Pick<DeviceChannel, 'poll'> };
type BatchesPart = { readonly batches: BatchRunner };
type CallsPart = { readonly policyCalls: Pick<CallCounter, 'flush'> };
type MeterPart = { readonly meter: Pick<UsageMeter, 'flush'> };
type DispatcherPart = { readonly dispatcher: WebhookDispatcher };

/** Dependencies of all jobs together. */
export type JobDependencies = PruneDependencies &
  CloseRequestsDeps &
  SendEmailsParts &
  UsageAlertDeps &
  SignalDeps &
  SendNotificationsDeps &
  CheckAlertsDeps &
  VerifyDailyDeps &
  StampDeps &
  ChannelPart &
  BatchesPart &
  CallsPart &
  MeterPart &
  DispatcherPart & { readonly log: JobLog };

const SECOND_MS = 1_000;

export const JOBS = {
  pruneRecords: {
    everyMs: 600 * SECOND_MS,
    run: pruneRecords,
    failure: 'old records could not be deleted',
    // Not earlier: it reads on a thread of its own, which would compete with the first answers.
    firstAfterMs: 5 * SECOND_MS,
    // Deleting can take long, and continues after the next start.
    stopWithinMs: 0,
  } satisfies Job<PruneDependencies>,

  /** Stores the expiry of requests and approvals. */
  closeRequests: {
    everyMs: SECOND_MS,
    async run(parts: CloseRequestsDeps) {
      while ((await closeRequests(parts)) > 0);
    },
    failure: 'the end of expired requests could not be stored',
  } satisfies Job<CloseRequestsDeps>,

  /** Sends decisions of any instance to devices within a second. Costs nothing while no device is connected. */
  notifyDevices: {
    everyMs: 300,
    run: ({ channel }: ChannelPart) => channel.poll(),
    failure: 'devices cannot be notified for now',
  } satisfies Job<ChannelPart>,

  /** Each email is claimed by one instance. */
  sendEmails: {
    everyMs: SECOND_MS,
    async run({ emailSender, ...parts }: SendEmailsParts, ending: AbortSignal) {
      if (emailSender === null) return;
      const isEnding = () => ending.aborted;
      while ((await sendEmails({ ...parts, emailSender }, isEnding)) > 0 && !isEnding());
    },
    failure: 'the outbox of emails could not be read',
    close: ({ emailSender }: SendEmailsParts) => emailSender?.close(),
    // A slow mail server must not delay a shutdown: emails in progress are sent again after their lease.
    stopWithinMs: 2 * SECOND_MS,
  } satisfies Job<SendEmailsParts>,

  /** Starts pages of batches. */
  runBatches: {
    everyMs: SECOND_MS,
    run: ({ batches }: BatchesPart) => batches.poll(),
    failure: 'pages of batches cannot be fetched for now',
    firstAfterMs: 0,
    close: ({ batches }: BatchesPart) => batches.close(),
  } satisfies Job<BatchesPart>,

  deliverWebhooks: {
    everyMs: 250,
    run: ({ dispatcher }: DispatcherPart) => dispatcher.poll(),
    failure: 'webhooks cannot be delivered for now',
    close: ({ dispatcher }: DispatcherPart) => dispatcher.close(),
  } satisfies Job<DispatcherPart>,

  /** Sends notifications within a minute. */
  watchOrganizations: {
    everyMs: 20 * SECOND_MS,
    run: watchOrganizations,
    failure: 'organizations cannot be watched for notifications for now',
  } satisfies Job<SignalDeps>,

  checkAlerts: {
    everyMs: 20 * SECOND_MS,
    run: checkAlerts,
    failure: 'alerts could not be checked for now',
  } satisfies Job<CheckAlertsDeps>,

  /** Detects a modified audit log within a day, even if no admin verifies it. */
  verifyAuditLogs: {
    everyMs: 600 * SECOND_MS,
    run: verifyDaily,
    failure: 'audit logs could not be verified',
    // Reading a long log takes minutes; it is read again the next day.
    stopWithinMs: 0,
  } satisfies Job<VerifyDailyDeps>,

  /** Timestamps checkpoints, which are written before; if the authority is unavailable, the next run retries. */
  stampCheckpoints: {
    everyMs: 60 * SECOND_MS,
    run: stampCheckpoints,
    failure: 'audit checkpoints could not be time-stamped',
    stopWithinMs: 2 * SECOND_MS,
  } satisfies Job<StampDeps>,

  storeUsage: {
    everyMs: 5 * SECOND_MS,
    run: ({ meter }: MeterPart) => meter.flush(),
    failure: 'usage could not be stored for now',
  } satisfies Job<MeterPart>,

  storePolicyCalls: {
    everyMs: 5 * SECOND_MS,
    run: ({ policyCalls }: CallsPart) => policyCalls.flush(),
    failure: 'calls of policy endpoints could not be counted for now',
    close: ({ policyCalls }: CallsPart) => policyCalls.flush(),
  } satisfies Job<CallsPart>,

  sendNotifications: {
    everyMs: 2 * SECOND_MS,
    run: sendNotifications,
    failure: 'notifications cannot be sent for now',
  } satisfies Job<SendNotificationsDeps>,

  /** Notifies accounts that crossed a threshold of their quota. */
  sendUsageAlerts: {
    everyMs: 2 * SECOND_MS,
    run: sendUsageAlerts,
    failure: 'accounts cannot be notified of their usage for now',
  } satisfies Job<UsageAlertDeps>,
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
