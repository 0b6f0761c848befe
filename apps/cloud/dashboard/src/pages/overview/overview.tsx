import { lazy, Suspense } from 'react';
import { Page } from '../../parts/page.tsx';

const BarChart = lazy(async () => ({ default: (await import('../../parts/bar-chart.tsx')).BarChart }));

export function Overview() {
  return (
    <Page title="Overview">
      <Suspense>
        <BarChart label="Requests" ticks={[]} series={[]} />
      </Suspense>
    </Page>
  );
}
