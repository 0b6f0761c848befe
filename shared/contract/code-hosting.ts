import Type, { type Static } from 'typebox';
import { shape } from './fields.ts';
import { decisionSchema, threatTypeSchema } from './verdict.ts';

export const codeHostReplySchema = shape('CodeHostingResponse', {
  status: Type.Enum(['scanned', 'duplicate', 'ignored', 'pong'], {
    description: 'How the delivery was handled.',
  }),
  message: Type.Optional(Type.String()),
  decision: Type.Optional(decisionSchema),
  event_id: Type.Optional(Type.String({ description: 'The decision about the texts of the delivery.' })),
  threat_type: Type.Optional(threatTypeSchema),
});
export type CodeHostReply = Static<typeof codeHostReplySchema>;
