import type { TextSlot } from '@csg/shared/text';
import type { EventFinding } from '../storage/storage.ts';
import type { ExceptedVerdict } from './approvals/apply-exceptions.ts';

/** What was found in the texts, and two entries for each flow: the argument, and the text that its value comes from. */
export function eventFindings(slots: readonly TextSlot[], verdict: ExceptedVerdict): EventFinding[] {
  const found = verdict.findings.map((finding): EventFinding => {
    const slot = slots[finding.slot];
    const isActedOn = verdict.decision !== 'allow' && finding.reportOnly !== true;
    const textKey = isActedOn ? verdict.textKeyOf?.(finding) : undefined;
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
  });
  const isReported = verdict.decision !== 'block';
  const flows = (verdict.flows ?? []).flatMap((flow): EventFinding[] => {
    const rest = {
      type: flow.threatType,
      start: 0,
      end: 0,
      confidence: 1,
      ...(isReported && { reportOnly: true }),
    };
    return [
      {
        rule: `flow_control.${flow.kind}`,
        path: `${flow.callPath}#${flow.argument}`,
        role: 'tool_call',
        ...rest,
      },
      { rule: 'flow_control.source', path: flow.source.path, role: 'tool_result', ...rest },
    ];
  });
  return [...found, ...flows.slice(0, MAX_FLOW_FINDINGS)];
}

const MAX_FLOW_FINDINGS = 100;
