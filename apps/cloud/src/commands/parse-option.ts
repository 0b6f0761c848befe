import {
  PERMISSIONS,
  type Permission,
  PLAN_NAMES,
  type PlanName,
  type SubscriptionStatus,
} from '@csg/shared/contract';
import { InvalidArgumentError } from 'commander';

/** Option parsers for the command line: they return the value, or throw one sentence about what is accepted. */
export function parsePlan(text: string): PlanName {
  const plan = PLAN_NAMES.find((name) => name === text.toLowerCase());
  if (plan === undefined) throw new InvalidArgumentError(`Enter one of ${PLAN_NAMES.join(', ')}.`);
  return plan;
}

/** Subscription states that an operator can set; `trialing` starts automatically. */
export const SETTABLE_STATUSES = ['active', 'past_due', 'canceled', 'none'] as const;

export function parseStatus(text: string): SubscriptionStatus {
  const status = SETTABLE_STATUSES.find((name) => name === text.toLowerCase());
  if (status === undefined) throw new InvalidArgumentError(`Enter one of ${SETTABLE_STATUSES.join(', ')}.`);
  return status;
}

export function parsePermissions(text: string): Permission[] {
  return text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .map((part) => {
      const permission = PERMISSIONS.find((name) => name === part);
      if (permission === undefined)
        throw new InvalidArgumentError(
          `Enter one or more of ${PERMISSIONS.join(', ')}, separated by commas.`,
        );
      return permission;
    });
}

export function parseModels(text: string): string[] {
  const models = text.split(',').map((part) => part.trim());
  if (models.some((model) => model === '' || model.length > 200))
    throw new InvalidArgumentError('Enter model names of 1 to 200 characters, separated by commas.');
  return models;
}

export function parseCount(text: string): number {
  const count = Number(text);
  if (!/^\d+$/.test(text.trim()) || !Number.isSafeInteger(count))
    throw new InvalidArgumentError('Enter a whole number.');
  return count;
}

export function parsePositive(text: string): number {
  const count = parseCount(text);
  if (count === 0) throw new InvalidArgumentError('Enter a whole number of at least 1.');
  return count;
}

export function parseAmount(text: string): number {
  const amount = Number(text);
  if (text.trim() === '' || !Number.isFinite(amount) || amount < 0) {
    throw new InvalidArgumentError('Enter an amount in US dollars, such as 500.');
  }
  return amount;
}

const UNIT_MS: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Parses `30m`, `24h`, `7d` to milliseconds. */
export function parseDuration(text: string): number {
  const [, amount, unit] = /^(\d{1,9})([smhd])$/.exec(text.trim()) ?? [];
  if (amount === undefined || unit === undefined) {
    throw new InvalidArgumentError('Enter a duration such as 30m, 24h or 7d.');
  }
  return Number(amount) * (UNIT_MS[unit] as number);
}

/** Parses an ISO 8601 time to Unix milliseconds; a duration is relative to now. */
export function parseMoment(text: string): number {
  if (/^\d+[smhd]$/.test(text)) return Date.now() + parseDuration(text);
  const ms = Date.parse(text);
  if (Number.isNaN(ms))
    throw new InvalidArgumentError('Enter a time such as 2027-01-31T00:00:00Z, or a duration such as 24h.');
  return ms;
}

/** Parses one of the given names. */
export function parseOneOf<T extends string>(names: readonly T[]): (text: string) => T {
  return (text) => {
    const found = names.find((name) => name === text.toLowerCase());
    if (found === undefined) throw new InvalidArgumentError(`Enter one of ${names.join(', ')}.`);
    return found;
  };
}
