import { localStorageColorSchemeManager, MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import { BrowserRouter } from 'react-router';
import { createQueryClient } from '../data/hooks.ts';
import { ErrorBoundary } from './error-boundary.tsx';
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
