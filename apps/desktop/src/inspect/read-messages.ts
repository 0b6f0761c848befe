import { readLeafTexts } from '@csg/shared/providers';
import { parseStrictJsonText } from '@csg/shared/text';
import { type FieldText, type MessageTexts, protobufTexts } from './protobuf-texts.ts';

/** One message of a body in protobuf, or of a Connect or gRPC stream. `text`: the last message of a stream. */
export interface FramedMessage {
  readonly codec: 'proto' | 'json' | 'text';
  readonly bytes: Uint8Array;
}

const utf8 = new TextDecoder('utf-8');

/** Returns null if the message does not match its codec. */
export function messageTexts({ codec, bytes }: FramedMessage): MessageTexts | null {
  if (codec === 'proto') return protobufTexts(bytes);
  const source = utf8.decode(bytes);
  const whole: FieldText[] = source === '' ? [] : [{ path: '#text', text: source }];
  if (codec === 'text') return { texts: whole, hasBytes: false };
  try {
    const { slots } = readLeafTexts(parseStrictJsonText(source), 'user', () => source);
    return { texts: slots, hasBytes: false };
  } catch {
    return { texts: whole, hasBytes: false };
  }
}
