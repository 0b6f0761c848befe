import { Button, Card, Group, Text } from '@mantine/core';
import { IconAlertTriangleFilled, IconCircleCheckFilled, IconInfoCircle } from '@tabler/icons-react';
import { useState } from 'react';
import type { Finding } from '../../agent/control/control-messages.ts';
import type { ProtectionView } from '../../bridge/protection-view.ts';
import { invoke } from '../bridge.ts';
import { ErrorAlert, Loaded } from '../components/loaded.tsx';
import { Page } from '../components/page.tsx';
import { iconColor } from '../components/state-icon.tsx';
import { useBridgeQuery } from '../use-bridge-query.ts';

const FINDING_STATES = {
  ok: { icon: IconCircleCheckFilled, color: 'teal', label: 'OK' },
  note: { icon: IconInfoCircle, color: 'blue', label: 'Note' },
  fault: { icon: IconAlertTriangleFilled, color: 'red', label: 'Problem' },
} as const;
const RANK = { fault: 0, note: 1, ok: 2 } as const;

/** All requirements of protection, problems first. Checked again when the state changes. */
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
      title="Diagnostics"
      about="All requirements for protection, and how to fix problems."
      action={
        <Button size="xs" variant="default" onClick={refetch}>
          Check again
        </Button>
      }
    >
      <Loaded read={read}>{(findings) => <Findings findings={findings} />}</Loaded>
      <Card>
        <Group justify="space-between">
          <div>
            <Text size="sm" fw={550}>
              Diagnostics file for your administrator
            </Text>
            <Text size="xs" c="dimmed" aria-live="polite">
              {saved === null
                ? 'Contains these findings, no secrets and none of your texts.'
                : `Saved as ${saved}`}
            </Text>
          </div>
          <Button size="xs" variant="default" onClick={save}>
            Save…
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
