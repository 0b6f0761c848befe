import { Button, Center, Code, Stack, Text, Title } from '@mantine/core';
import { Component, type ReactNode } from 'react';

/** A page that broke says so; the rest of the dashboard is a reload away. */
export class ErrorBoundary extends Component<{ readonly children: ReactNode }, { error: Error | null }> {
  override state: { error: Error | null } = { error: null };

  static getDerivedStateFromError(error: Error) {
    return { error };
  }

  override render(): ReactNode {
    const { error } = this.state;
    if (error === null) return this.props.children;
    // After an update of the gateway the files of the old dashboard are gone.
    const isOld = /dynamically imported module|Importing a module script/.test(error.message);
    return (
      <Center mih="60vh" p="md">
        <Stack align="center" ta="center" role="alert">
          <Title order={1}>{isOld ? 'The dashboard was updated' : 'This page broke'}</Title>
          <Text c="dimmed">
            {isOld
              ? 'Load it again to go on.'
              : 'Nothing was changed by it. Load it again; if it stays, tell whoever runs this gateway:'}
          </Text>
          {!isOld && <Code>{error.message}</Code>}
          <Button onClick={() => location.reload()}>Load again</Button>
        </Stack>
      </Center>
    );
  }
}
