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
      ? `You are past this month's ${limit} requests`
      : `${alert}% of this month's ${limit} requests are used`;
  return emailText(
    'usage_alert',
    subject,
    `${used} of ${limit} requests were made in ${facts.month} (plan ${data.plan}, months of UTC).`,
    consequenceOf(alert, data, facts.isHard),
    `Usage and plan: ${facts.planLink}`,
  );
}

function consequenceOf(alert: UsageAlert, data: OverageData, isHard: boolean): string {
  if (alert === 'overage') {
    const past = `${number(data.overage)} request${data.overage === 1 ? '' : 's'} past the quota so far`;
    return data.amount_usd > 0
      ? `${past}: ${data.amount_usd.toFixed(2)} US dollars. Requests continue.`
      : `${past}. Requests continue.`;
  }
  if (!isHard) return 'Requests continue past the quota, up to your spending limit.';
  return alert === '100'
    ? 'Further requests of applications are rejected until the next month. Enrolled devices stay protected.'
    : 'When the quota is used up, requests of applications are refused until the next month.';
}

function number(value: number): string {
  return value.toLocaleString('en-US');
}
