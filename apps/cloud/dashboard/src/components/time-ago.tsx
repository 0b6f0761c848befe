import { Text } from '@mantine/core';
import { useSyncExternalStore } from 'react';
import { agoText, timeText } from '../data/format.ts';

const TICK_MS = 15_000;

const listeners = new Set<() => void>();
let nowMs = Date.now();
setInterval(() => {
  nowMs = Date.now();
  for (const listener of listeners) listener();
}, TICK_MS);

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Relative time, updated while visible; the exact time on hover. */
export function TimeAgo(props: { readonly at: string | null | undefined; readonly never?: string }) {
  const now = useSyncExternalStore(subscribe, () => nowMs);
  if (props.at == null) {
    return (
      <Text span inherit c="dimmed">
        {props.never ?? 'never'}
      </Text>
    );
  }
  // A record can be newer than the last tick.
  const text = agoText(props.at, Math.max(now, Math.min(Date.parse(props.at), Date.now())));
  return (
    // A native tooltip, because hundreds of the library's tooltips would take longer to build than the page.
    <time dateTime={props.at} title={timeText(props.at)}>
      {text}
    </time>
  );
}
