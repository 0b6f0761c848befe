import { Text, TextInput, type TextInputProps } from '@mantine/core';

/** Two fields for the ends of a span, kept in the address of the page as `from` and `to`. */
export function FromToFields(props: {
  readonly type: 'date' | 'datetime-local';
  readonly params: URLSearchParams;
  readonly onChange: (name: 'from' | 'to', value: string) => void;
  readonly w?: TextInputProps['w'];
}) {
  return (['from', 'to'] as const).map((name) => {
    const label = name === 'from' ? 'From' : 'To';
    return (
      <TextInput
        key={name}
        aria-label={label}
        type={props.type}
        size="xs"
        w={props.w}
        leftSection={
          <Text size="xs" c="dimmed">
            {label}
          </Text>
        }
        leftSectionWidth={46}
        value={fieldValue(props.params.get(name) ?? '')}
        onChange={(event) => props.onChange(name, event.currentTarget.value)}
      />
    );
  });
}

/** Links of the service name times in UTC; the fields show them, and times that people chose, as those of the reader. */
function fieldValue(time: string): string {
  if (!time.endsWith('Z') || Number.isNaN(Date.parse(time))) return time;
  const at = new Date(time);
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, -1);
}
