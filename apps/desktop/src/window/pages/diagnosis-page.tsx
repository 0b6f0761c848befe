import { Button, Card, Group, Text } from '@mantine/core';
import { IconAlertTriangleFilled, IconCircleCheckFilled, IconInfoCircle } from '@tabler/icons-react';
import { useState } from 'react';
import type { Finding } from '../../agent/control/control-messages.ts';
import type { ProtectionView } from '../../bridge/protection-view.ts';
import { invoke } from '../bridge.ts';
import { ErrorAlert, Loaded } from '../parts/loaded.tsx';
import { Page } from '../parts/page.tsx';
import { iconColor } from '../parts/state-icon.tsx';
import { useBridgeQuery } from '../use-read.ts';

const FINDING_STATES = {
  ok: { icon: IconCircleCheckFilled, color: 'teal', label: 'In order' },
  note: { icon: IconInfoCircle, color: 'blue', label: 'Good to know' },
  fault: { icon: IconAlertTriangleFilled, color: 'red', label: 'Wrong' },
} as const;
const RANK = { fault: 0, note: 1, ok: 2 } as const;

/** Everything that protection needs, what is wrong first. Looked at again when the state changes. */
export function DiagnosisPage({ view }: { readonly view: ProtectionView }) {
  const [read, refetch] = useBridgeQuery(() => invoke('diagnose'), view.title);
  const [saved, setSaved] = useState<string | null>(null);
  const [error, setError] = useState<string | null>(null);
  const save = (): void => {
    invoke('save-diagnostics').then(
      (file) => {
        setSaved(file);
        setError(null);
      },
      (error: Error) => setError(error.message),
    );
  };
  return (
    <Page
      title="Diagnosis"
      about="Everything that the protection needs, and what to do where something is missing."
      action={
        <Button size="xs" variant="default" onClick={refetch}>
          Look again
        </Button>
      }
    >
      <Loaded read={read}>{(findings) => <Findings findings={findings} />}</Loaded>
      <Card>
        <Group justify="space-between">
          <div>
            <Text size="sm" fw={550}>
              A file for your administrator
            </Text>
            <Text size="xs" c="dimmed" aria-live="polite">
              {saved === null
                ? 'Holds what stands here. No secret and nothing you wrote.'
                : `Saved as ${saved}`}
            </Text>
          </div>
          <Button size="xs" variant="default" onClick={save}>
            Save …
          </Button>
        </Group>
      </Card>
      {error !== null && <ErrorAlert message={error} />}
    </Page>
  );
}

function Findings({ findings }: { readonly findings: readonly Finding[] }) {
  const sorted = [...findings].sort((a, b) => RANK[a.state] - RANK[b.state]);
  return (
    <Card padding={0}>
      <ul className="rows" aria-label="Findings">
        {sorted.map(({ name, state, sentence }) => {
          const { icon: Icon, color, label } = FINDING_STATES[state];
          return (
            <li key={`${name} ${sentence}`} className="row">
              <Icon size={20} role="img" aria-label={label} style={{ color: iconColor(color) }} />
              <div>
                <Text size="sm" fw={550}>
                  {name.slice(0, 1).toUpperCase() + name.slice(1)}
                </Text>
                <Text size="xs" c="dimmed">
                  {sentence}
                </Text>
              </div>
            </li>
          );
        })}
      </ul>
    </Card>
  );
}
