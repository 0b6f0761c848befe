import type { Plans } from '@csg/shared/contract';
import type { EmailSender } from '../email/smtp-sender.ts';
import type { DeviceChannel } from '../flows/devices/device-channel.ts';
import type { Links } from '../flows/links.ts';
import type { BatchRunner } from '../flows/scrape-batch/batch-runner.ts';
import { startJobs } from '../jobs/job-table.ts';
import type { Storage } from '../storage/storage.ts';
import { createCourier } from '../webhooks/outbound/courier.ts';
import type { WebhookSender } from '../webhooks/outbound/webhook-sender.ts';
import type { Opening } from './opening.ts';

export interface JobParts {
  readonly storage: Storage;
  readonly sender: WebhookSender;
  readonly batches: BatchRunner;
  readonly channel: DeviceChannel;
  readonly plans: Plans;
  readonly links: Links;
}

/** Starts everything that happens without a request. */
export async function openJobs(opening: Opening, parts: JobParts, publicUrl: () => string): Promise<void> {
  const { log, clock, metrics, closing } = opening;
  const mailer = await openMailer(opening, publicUrl);
  const courier = createCourier({ ...parts, clock, log, observeDelivery: metrics.delivered });
  const jobs = startJobs({ ...parts, mailer, courier, clock, log, observeMail: metrics.emailed });
  closing.defer(() => jobs.stop());
}

/** Loaded only where it is configured, like the limits in Redis. */
async function openMailer(
  { config, closing }: Opening,
  publicUrl: () => string,
): Promise<EmailSender | null> {
  if (config.smtpUrl === undefined) return null;
  const { createSmtpSender } = await import('../email/smtp-sender.ts');
  // Without MAIL_FROM: the name people reach the service at.
  const from = config.emailFrom ?? `gateway@${URL.parse(publicUrl())?.hostname ?? 'localhost'}`;
  const mailer = createSmtpSender({ url: config.smtpUrl, from });
  closing.defer(() => mailer.close());
  return mailer;
}
