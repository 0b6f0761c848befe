import { SegmentedControl } from '@mantine/core';
import { useState } from 'react';
import type { RecentDecision } from '../../agent/control/control-messages.ts';
import { DecisionRows } from '../parts/decision-rows.tsx';
import { Empty } from '../parts/empty.tsx';
import { Page } from '../parts/page.tsx';

export function DecisionsPage(props: { readonly decisions: readonly RecentDecision[] }) {
  const [shown, setShown] = useState('changed');
  const decisions = props.decisions.filter(({ done }) => shown === 'all' || done !== 'forwarded');
  return (
    <Page
      title="Decisions"
      about="What was decided since the agent started. What you wrote is not kept."
      action={
        <SegmentedControl
          aria-label="Which decisions"
          size="xs"
          value={shown}
          onChange={setShown}
          data={[
            { value: 'changed', label: 'Stopped or masked' },
            { value: 'all', label: 'All' },
          ]}
        />
      }
    >
      {decisions.length > 0 ? (
        <DecisionRows decisions={decisions} />
      ) : (
        <Empty title={shown === 'all' ? 'Nothing was decided yet' : 'Nothing was stopped or masked'}>
          When a message to an AI tool is stopped, it stands here with the reason, and you can ask for an
          exception.
        </Empty>
      )}
    </Page>
  );
}
