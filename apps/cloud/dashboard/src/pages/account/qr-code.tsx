import { Center } from '@mantine/core';
import { QRCodeSVG } from 'qrcode.react';

/** Dark on light in both themes, because some cameras cannot read inverted codes. */
export function QrCode(props: { readonly text: string; readonly label: string }) {
  return (
    <Center>
      <QRCodeSVG
        value={props.text}
        size={184}
        marginSize={3}
        bgColor="#ffffff"
        fgColor="#000000"
        role="img"
        aria-label={props.label}
      />
    </Center>
  );
}
