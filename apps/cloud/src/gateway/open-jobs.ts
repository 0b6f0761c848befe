import type { Plans } from '@csg/shared/contract';
import type { EmailSender } from '../email/email-sender.ts';
import type { CheckpointStamper } from '../flows/audit/stamp-checkpoints.ts';
import type { DeviceChannel } from '../flows/devices/device-channel.ts';
import type { Links } from '../flows/links.ts';
import type { BatchRunner } from '../flows/scrape-batch/batch-runner.ts';
import type { UsageMeter } from '../flows/usage-report/usage-meter.ts';
import { startJobs } from '../jobs/job-table.ts';
import type { Storage } from '../storage/storage.ts';
import type { EndpointClient } from '../webhooks/outbound/endpoint-client.ts';
import { createWebhookDispatcher } from '../webhooks/outbound/webhook-dispatcher.ts';
import type { CallCounter } from '../webhooks/policy-endpoint/call-counter.ts';
import type { Opening } from './opening.ts';

export interface JobParts {
  readonly storage: Storage;
  readonly meter: UsageMeter;
  readonly policyCalls: CallCounter;
  readonly sender: EndpointClient;
  readonly batches: BatchRunner;
  readonly channel: DeviceChannel;
  readonly plans: Plans;
  readonly links: Links;
  readonly timestampAuthority: CheckpointStamper | null;
}

/** Starts all background work. */
export async function openJobs(opening: Opening, parts: JobParts, publicUrl: () => string): Promise<void> {
  const { log, clock, metrics, closing } = opening;
  const { auditAddressDays } = opening.config;
  const emailSender = await openMailer(opening, publicUrl);
  const dispatcher = createWebhookDispatcher({ ...parts, clock, log, observeDelivery: metrics.delivered });
  const jobs = startJobs({
    ...{ ...parts, emailSender, dispatcher, clock, log, auditAddressDays },
    observeEmail: metrics.emailed,
  });
  closing.defer(() => jobs.stop());
}

/** Loaded only if configured, like the limits in Redis. */
async function openMailer(
  { config, closing }: Opening,
  publicUrl: () => string,
): Promise<EmailSender | null> {
  if (config.smtpUrl === undefined) return null;
  const { createSmtpSender } = await import('../email/smtp-sender.ts');
  // Default for MAIL_FROM: the host name of the public address.
  const from = config.emailFrom ?? `gateway@${URL.parse(publicUrl())?.hostname ?? 'localhost'}`;
  const emailSender = createSmtpSender({ url: config.smtpUrl, from });
  closing.defer(() => emailSender.close());
  return emailSender;
}
