import type { OverageData } from '@csg/shared/contract';
import type { UsageAlert } from '../../storage/storage.ts';
import { type EmailText, emailText } from '../accounts/email-texts.ts';

/** Email to the owner of an account. */
export function usageAlertEmail(
  alert: UsageAlert,
  data: OverageData,
  facts: { readonly month: string; readonly isHard: boolean; readonly planLink: string },
): EmailText {
  const used = number(data.current_usage);
  const limit = number(data.monthly_limit);
  const subject =
    alert === 'overage'
      ? `You have exceeded this month's quota of ${limit} requests`
      : `${alert}% of this month's quota of ${limit} requests is used`;
  return emailText(
    'usage_alert',
    subject,
    `Requests in ${facts.month} (UTC): ${used} of ${limit}, plan ${data.plan}.`,
    consequenceOf(alert, data, facts.isHard),
    `Usage and plan: ${facts.planLink}`,
  );
}

function consequenceOf(alert: UsageAlert, data: OverageData, isHard: boolean): string {
  if (alert === 'overage') {
    const past = `${number(data.overage)} request${data.overage === 1 ? '' : 's'} above the quota so far`;
    return data.amount_usd > 0
      ? `${past}: ${data.amount_usd.toFixed(2)} US dollars. Requests are still allowed.`
      : `${past}. Requests are still allowed.`;
  }
  if (!isHard) return 'Requests above the quota are allowed, up to your spending limit if you have one.';
  return alert === '100'
    ? 'Further requests of applications are rejected until next month. Enrolled devices stay protected.'
    : 'Once the quota is used up, requests of applications are rejected until next month.';
}

function number(value: number): string {
  return value.toLocaleString('en-US');
}
