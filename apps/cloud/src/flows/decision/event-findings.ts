import type { Verdict } from '@csg/shared/decision';
import type { Flow } from '@csg/shared/flow-control';
import { firstOfEach, recordableText, type TextSlot } from '@csg/shared/text';
import type { EventFinding } from '../../storage/storage.ts';
import type { TextKeyOf } from './allowed-texts.ts';

/** Returns the findings in the texts and, for each flow, the argument and the source of its value. */
export function eventFindings(
  slots: readonly TextSlot[],
  verdict: Verdict,
  textKeyOf: TextKeyOf,
): EventFinding[] {
  // As for nearly all texts.
  if (verdict.findings.length === 0 && verdict.flows === undefined && verdict.policyFlows === undefined)
    return [];
  const found = firstOfEach(verdict.findings, ({ rule }) => rule, MAX_FINDINGS).map(
    (finding): EventFinding => {
      const slot = slots[finding.slot];
      const isActedOn = verdict.decision !== 'allow' && finding.reportOnly !== true;
      const textKey = isActedOn ? textKeyOf(finding) : undefined;
      return {
        rule: finding.rule,
        type: finding.type,
        path: slot?.path ?? '',
        role: slot?.role ?? 'other',
        start: finding.start,
        end: finding.end,
        confidence: finding.confidence,
        ...(finding.reportOnly === true && { reportOnly: true }),
        ...(finding.isWithheld === true && { isWithheld: true }),
        ...(textKey !== undefined && { textKey }),
      };
    },
  );
  return [
    ...found,
    ...flowFindings(verdict).slice(0, MAX_FLOW_FINDINGS),
    ...policyFindings(verdict).slice(0, MAX_FLOW_FINDINGS),
  ];
}

/** Returns the arguments that carry values from a source, followed by the source. */
function flowFindings({ decision, flows = [] }: Verdict): EventFinding[] {
  const reported = decision === 'block' ? {} : { reportOnly: true };
  const rest = { start: 0, end: 0, confidence: 1, ...reported };
  const bySource = Map.groupBy(flows, ({ source, threatType }) => `${source.path} ${threatType}`);
  return [...bySource.values()].flatMap((group): EventFinding[] => {
    const [{ source, threatType: type }] = group as [Flow, ...Flow[]];
    const byRow = new Map<string, EventFinding>();
    for (const { kind, callPath, argument, toolName } of group) {
      const rule = `flow_control.${kind}`;
      const path = `${callPath}#${argument}`;
      byRow.set(`${rule} ${path}`, { rule, type, path, role: 'tool_call', ...rest, ...toolOf(toolName) });
    }
    return [
      ...byRow.values(),
      {
        rule: 'flow_control.source',
        type,
        path: source.path,
        role: 'tool_result',
        ...rest,
        ...toolOf(source.tool),
      },
    ];
  });
}

/** Returns, for each call that matches a policy, the argument and the source of its value. */
function policyFindings({ decision, policyFlows = [] }: Verdict): EventFinding[] {
  const rest = { type: 'custom_policy', start: 0, end: 0, confidence: 1 } as const;
  return policyFlows.flatMap(({ policyId, handling, callPath, value, toolName }): EventFinding[] => {
    const rule = `policy:${policyId}:flow`;
    const reported = decision === 'block' && handling !== 'report' ? {} : { reportOnly: true };
    const call = { ...rest, role: 'tool_call', ...reported, ...toolOf(toolName) } as const;
    if (value === null) return [{ ...call, rule: `${rule}.calls`, path: callPath }];
    return [
      { ...call, rule: `${rule}.${value.kind}`, path: `${callPath}#${value.argument}` },
      {
        ...{ rule: `${rule}.source`, path: value.source.path, role: 'tool_result' as const },
        ...{ ...rest, ...reported, ...toolOf(value.source.tool) },
      },
    ];
  });
}

function toolOf(name: string | null): { readonly tool?: string } {
  const tool = name === null ? null : recordableText(name);
  return tool === null ? {} : { tool };
}

/** As many as storage keeps. */
const MAX_FINDINGS = 100;
const MAX_FLOW_FINDINGS = 100;
