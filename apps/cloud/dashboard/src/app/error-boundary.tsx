import { Button, Center, Code, Stack, Text, Title } from '@mantine/core';
import { Component, type ReactNode } from 'react';

/** Shows an error page if a page fails to render. */
export class ErrorBoundary extends Component<{ readonly children: ReactNode }, { error: Error | null }> {
  override state: { error: Error | null } = { error: null };

  static getDerivedStateFromError(error: Error) {
    return { error };
  }

  override render(): ReactNode {
    const { error } = this.state;
    if (error === null) return this.props.children;
    // After an update of the gateway, the files of the previous dashboard no longer exist.
    const isOld = /dynamically imported module|Importing a module script/.test(error.message);
    return (
      <Center mih="60vh" p="md">
        <Stack align="center" ta="center" role="alert">
          <Title order={1}>{isOld ? 'The dashboard was updated' : 'Something went wrong'}</Title>
          <Text c="dimmed">
            {isOld
              ? 'Reload the page to continue.'
              : 'No data was changed. Reload the page. If the problem persists, report this error to the operator:'}
          </Text>
          {!isOld && <Code>{error.message}</Code>}
          <Button onClick={() => location.reload()}>Reload page</Button>
        </Stack>
      </Center>
    );
  }
}
