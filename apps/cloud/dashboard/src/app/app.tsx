import {
  Button,
  Center,
  Code,
  localStorageColorSchemeManager,
  MantineProvider,
  Stack,
  Text,
  Title,
} from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { Component, lazy, type ReactNode, Suspense } from 'react';
import { BrowserRouter } from 'react-router';
import { createQueryClient } from '../data/hooks.ts';
import { AppRoutes } from './routes.tsx';
import { theme } from './theme.ts';

const Notices = lazy(async () => ({ default: (await import('./notices.tsx')).Notices }));
const queries = createQueryClient();
const colorSchemes = localStorageColorSchemeManager({ key: 'csg-color-scheme' });
/** CSP nonce of this page load, required by the styles that the library inserts. */
const nonce = document.querySelector<HTMLElement>('meta[property="csp-nonce"]')?.nonce ?? '';
Object.assign(globalThis, { __webpack_nonce__: nonce });

export function App() {
  return (
    <MantineProvider
      theme={theme}
      defaultColorScheme="auto"
      colorSchemeManager={colorSchemes}
      getStyleNonce={() => nonce}
    >
      <Suspense>
        <Notices />
      </Suspense>
      <QueryClientProvider client={queries}>
        <BrowserRouter basename="/dashboard">
          <ErrorBoundary>
            <AppRoutes />
          </ErrorBoundary>
        </BrowserRouter>
      </QueryClientProvider>
    </MantineProvider>
  );
}

/** Shows an error page if a page fails to render. */
class ErrorBoundary extends Component<{ readonly children: ReactNode }, { error: Error | null }> {
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
