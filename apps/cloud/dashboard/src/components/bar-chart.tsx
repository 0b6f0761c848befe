import {
  Anchor,
  Box,
  Center,
  SegmentedControl,
  Table,
  Text,
  useComputedColorScheme,
  useMantineTheme,
} from '@mantine/core';
import { BarController, BarElement, CategoryScale, Chart, Legend, LinearScale, Tooltip } from 'chart.js';
import { useEffect, useRef, useState } from 'react';
import { Link, useNavigate } from 'react-router';
import { countText } from '../data/format.ts';
import styles from './bar-chart.module.css';

Chart.register(BarController, BarElement, CategoryScale, LinearScale, Tooltip, Legend);

export interface BarSeries {
  readonly name: string;
  /** Name of a theme color. */
  readonly color: string;
  readonly values: readonly number[];
}

/** Stacked bars over time, with the same data as a table. */
export function BarChart(props: {
  /** The measured quantity, with its unit and period. */
  readonly label: string;
  /** One per bar. */
  readonly ticks: readonly string[];
  readonly series: readonly BarSeries[];
  readonly height?: number;
  /** Returns the page with the events of a bar; keyboard users find the same links in the table. */
  readonly linkOf?: (index: number) => string;
}) {
  const { label, ticks, series, height = 240, linkOf } = props;
  const [view, setView] = useState('chart');
  return (
    <Box>
      <SegmentedControl
        size="xs"
        value={view}
        onChange={setView}
        data={[
          { value: 'chart', label: 'Chart' },
          { value: 'table', label: 'Table' },
        ]}
        aria-label={`Show ${label} as`}
        className={styles.toggle}
      />
      <Box h={height} style={{ overflow: 'auto', clear: 'both' }}>
        {series.every(({ values }) => values.every((value) => value === 0)) ? (
          <Center h="100%">
            <Text size="sm" c="dimmed">
              No data for this period
            </Text>
          </Center>
        ) : view === 'chart' ? (
          <Bars label={label} ticks={ticks} series={series} linkOf={linkOf} />
        ) : (
          <Table stickyHeader aria-label={label} verticalSpacing={4}>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>Time</Table.Th>
                {series.map(({ name }) => (
                  <Table.Th key={name} ta="right">
                    {name}
                  </Table.Th>
                ))}
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {ticks.map((tick, index) => (
                <Table.Tr key={tick}>
                  <Table.Td>
                    {linkOf === undefined ? (
                      tick
                    ) : (
                      <Anchor component={Link} to={linkOf(index)} size="sm" underline="always">
                        {tick}
                      </Anchor>
                    )}
                  </Table.Td>
                  {series.map(({ name, values }) => (
                    <Table.Td key={name} ta="right">
                      {countText(values[index] ?? 0)}
                    </Table.Td>
                  ))}
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        )}
      </Box>
    </Box>
  );
}

function Bars(props: {
  readonly label: string;
  readonly ticks: readonly string[];
  readonly series: readonly BarSeries[];
  readonly linkOf: ((index: number) => string) | undefined;
}) {
  const { label, ticks, series, linkOf } = props;
  const navigate = useNavigate();
  const canvas = useRef<HTMLCanvasElement>(null);
  const chart = useRef<Chart<'bar'>>(null);
  const theme = useMantineTheme();
  const isDark = useComputedColorScheme('light') === 'dark';

  useEffect(() => {
    if (canvas.current === null) return;
    const text = isDark ? theme.colors.dark[1] : theme.colors.gray[7];
    const line = isDark ? theme.colors.dark[5] : theme.colors.gray[2];
    chart.current = new Chart(canvas.current, {
      type: 'bar',
      data: { labels: [], datasets: [] },
      options: {
        animation: false,
        maintainAspectRatio: false,
        font: { family: theme.fontFamily },
        interaction: { mode: 'index', intersect: false },
        scales: {
          x: {
            stacked: true,
            grid: { display: false },
            border: { color: line },
            ticks: { color: text, maxRotation: 0, autoSkipPadding: 24 },
          },
          y: {
            stacked: true,
            beginAtZero: true,
            grid: { color: line },
            border: { display: false },
            ticks: { color: text, precision: 0, maxTicksLimit: 5 },
          },
        },
        plugins: {
          legend: {
            align: 'start',
            labels: {
              color: text,
              boxWidth: 10,
              boxHeight: 10,
              usePointStyle: true,
              pointStyle: 'rectRounded',
            },
          },
          tooltip: { itemSort: (a, b) => b.datasetIndex - a.datasetIndex },
        },
      },
    });
    return () => {
      chart.current?.destroy();
      chart.current = null;
    };
  }, [isDark, theme]);

  useEffect(() => {
    if (chart.current === null) return;
    chart.current.data = {
      labels: [...ticks],
      datasets: series.map(({ name, color, values }) => ({
        label: name,
        data: [...values],
        backgroundColor: theme.colors[color]?.[isDark ? 5 : 6] ?? color,
        maxBarThickness: 34,
        borderRadius: 2,
      })),
    };
    chart.current.update();
  }, [ticks, series, isDark, theme]);

  const totals = series.map(
    ({ name, values }) => `${name} ${countText(values.reduce((sum, value) => sum + value, 0))}`,
  );
  return (
    <canvas
      ref={canvas}
      role="img"
      aria-label={`${label}: ${totals.join(', ')}`}
      style={linkOf === undefined ? undefined : { cursor: 'pointer' }}
      onClick={({ nativeEvent }) => {
        const [bar] =
          chart.current?.getElementsAtEventForMode(nativeEvent, 'index', { intersect: false }, false) ?? [];
        if (bar !== undefined && linkOf !== undefined) navigate(linkOf(bar.index));
      }}
    />
  );
}
