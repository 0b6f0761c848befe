import { SegmentedControl } from '@mantine/core';
import { useState } from 'react';
import type { RecentDecision } from '../../agent/control/control-messages.ts';
import { DecisionRows } from '../components/decision-rows.tsx';
import { Empty } from '../components/empty.tsx';
import { Page } from '../components/page.tsx';

export function DecisionsPage(props: { readonly decisions: readonly RecentDecision[] }) {
  const [shown, setShown] = useState('changed');
  const decisions = props.decisions.filter(({ done }) => shown === 'all' || done !== 'forwarded');
  return (
    <Page
      title="Decisions"
      about="Decisions since the agent started. Your texts are not stored."
      action={
        <SegmentedControl
          aria-label="Filter decisions"
          size="xs"
          value={shown}
          onChange={setShown}
          data={[
            { value: 'changed', label: 'Blocked or redacted' },
            { value: 'all', label: 'All' },
          ]}
        />
      }
    >
      {decisions.length > 0 ? (
        <DecisionRows decisions={decisions} />
      ) : (
        <Empty title={shown === 'all' ? 'No decisions yet' : 'Nothing was blocked or redacted'}>
          When a message to an AI tool is blocked, it appears here with the reason, and you can request an
          exception.
        </Empty>
      )}
    </Page>
  );
}
