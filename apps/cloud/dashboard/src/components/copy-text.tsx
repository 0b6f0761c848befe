import { ActionIcon, Alert, Code, CopyButton, Group, Text, Tooltip } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';

/** A value with a copy button. */
export function CopyText(props: {
  readonly value: string;
  readonly label: string;
  readonly block?: boolean;
}) {
  return (
    <Group gap={6} wrap="nowrap" align="center">
      <Code
        block={props.block ?? false}
        style={{ overflowWrap: 'anywhere', whiteSpace: props.block ? 'pre-wrap' : 'normal', minWidth: 0 }}
      >
        {props.value}
      </Code>
      <CopyButton value={props.value} timeout={1500}>
        {({ copied, copy }) => (
          <Tooltip label={copied ? 'Copied' : `Copy ${props.label}`}>
            <ActionIcon
              variant="subtle"
              color={copied ? 'teal' : 'gray'}
              onClick={copy}
              aria-label={copied ? 'Copied' : `Copy ${props.label}`}
            >
              {copied ? <IconCheck size={16} /> : <IconCopy size={16} />}
            </ActionIcon>
          </Tooltip>
        )}
      </CopyButton>
    </Group>
  );
}

/** A secret that is shown only once. */
export function ShownOnce(props: { readonly value: string; readonly label: string; readonly about: string }) {
  return (
    <Alert color="teal" title={`Your ${props.label}`}>
      <Text size="sm" mb="xs">
        {props.about}
      </Text>
      <CopyText value={props.value} label={props.label} block />
    </Alert>
  );
}
