import { readLeafTexts } from '@csg/shared/providers';
import { parseStrictJsonText } from '@csg/shared/text';
import { type FieldText, type MessageTexts, protobufTexts } from './protobuf-texts.ts';

/** One message of a body in protobuf, or of a stream of Connect or gRPC. `text`: what comes last in a stream. */
export interface FramedMessage {
  readonly codec: 'proto' | 'json' | 'text';
  readonly bytes: Uint8Array;
}

const utf8 = new TextDecoder('utf-8');

/** Null: it is not what it says it is. */
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
