import { PLAN_NAMES, PLANS, type Plan, type PlanName, type Plans } from '@csg/shared/contract';

const NUMBER_OR_NULL = ['monthly', 'spendCapUsd', 'keys', 'keysPerProject', 'projects'];
const NUMBER = ['perMinute', 'overageUsdPer1000'];

/** Applies an operator's overrides (`{"free": {"monthly": 20000}}`) to the plans; throws one sentence if invalid. */
export function overridePlans(value: unknown): Plans {
  if (!isObject(value)) throw new Error('The plans file must contain a JSON object keyed by plan name.');
  const plans: Record<PlanName, Plan> = { ...PLANS };
  for (const [name, row] of Object.entries(value)) {
    const plan = PLAN_NAMES.find((known) => known === name);
    if (plan === undefined)
      throw new Error(`The plans file names the unknown plan "${name}". Plans: ${PLAN_NAMES.join(', ')}.`);
    if (!isObject(row)) throw new Error(`The plans file must contain an object for ${name}.`);
    for (const [field, given] of Object.entries(row)) {
      if (!isValid(field, given))
        throw new Error(`The plans file sets ${name}.${field} to an invalid value.`);
    }
    plans[plan] = { ...plans[plan], ...(row as Partial<Plan>) };
  }
  return plans;
}

function isValid(field: string, given: unknown): boolean {
  if (field === 'quota') return given === 'hard' || given === 'soft';
  if (NUMBER_OR_NULL.includes(field)) return given === null || isAmount(given);
  return NUMBER.includes(field) && isAmount(given);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isAmount(value: unknown): boolean {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0;
}
