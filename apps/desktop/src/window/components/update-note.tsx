import { Alert, Button, Group, Text } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import type { AgentStatus } from '../../agent/control/control-messages.ts';
import type { UpdateState } from '../../bridge/window-bridge.ts';
import { invoke } from '../bridge.ts';

/** `wanted`: the version that the organization requires. */
export function UpdateNote(props: { readonly update: UpdateState; readonly wanted: AgentStatus['update'] }) {
  const { update, wanted } = props;
  if (update.kind !== 'ready' && wanted === null) {
    return update.kind === 'failed' ? <Text c="dimmed">{update.reason}</Text> : null;
  }
  return (
    <Alert
      role="status"
      color={wanted?.required === true ? 'orange' : 'blue'}
      icon={<IconDownload aria-hidden />}
      title={
        update.kind === 'ready'
          ? `Version ${update.version} is ready`
          : 'Your organization requests another version'
      }
    >
      <Group justify="space-between">
        <Text size="sm">{wanted?.sentence ?? 'It is installed when you quit the app, or now.'}</Text>
        {update.kind === 'ready' && (
          <Button size="xs" onClick={() => void invoke('install-update')}>
            Install now
          </Button>
        )}
      </Group>
    </Alert>
  );
}
