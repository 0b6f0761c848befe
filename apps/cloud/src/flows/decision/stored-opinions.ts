import type { OpinionStore, PassageOpinion, TextOpinions } from '../../detection-workers/second-opinion.ts';
import type { Storage } from '../../storage/storage.ts';
import { type TextsInConversation, textPositions } from '../agent/text-positions.ts';
import type { Principal } from '../authenticate-key.ts';

export interface OpinionDeps {
  readonly storage: Pick<Storage, 'conversationNotes'>;
  readonly log: { error(fields: object, message: string): void };
}

/**
 * Stores a classifier's results for the texts of a conversation under keyed digests of each text and what precedes it,
 * so that they stay the same in later turns, on every instance and after a restart, even without a response. Only
 * positions and likelihoods are stored, never text.
 */
export function storedOpinions(
  { storage: { conversationNotes }, log }: OpinionDeps,
  principal: Principal,
  texts: TextsInConversation,
): OpinionStore {
  const { slots } = texts.conversation;
  const placeOf = textPositions(principal, texts);
  const keyOf = (slot: number): string =>
    conversationNotes.keyOf(principal, 'opinion', [placeOf(slot), slots[slot]!.role, slots[slot]!.text]);

  async function read(
    asked: readonly number[],
    notes: (keys: ReadonlyMap<number, string>) => Promise<ReadonlyMap<string, string>>,
  ): Promise<TextOpinions | null> {
    const keys = new Map(asked.map((slot) => [slot, keyOf(slot)]));
    try {
      const values = await notes(keys);
      const known = [...keys].filter(([, key]) => values.has(key));
      return new Map(known.map(([slot, key]) => [slot, fromNote(values.get(key)!)]));
    } catch (err) {
      log.error(
        { err, project_id: principal.projectId },
        'opinions of the classifier cannot be read or stored',
      );
      return null;
    }
  }

  return {
    find: (asked) => read(asked, (keys) => conversationNotes.find(principal, [...keys.values()])),
    keep: (opinions) =>
      read([...opinions.keys()], (keys) =>
        conversationNotes.keep(
          principal,
          new Map([...keys].map(([slot, key]) => [key, toNote(opinions.get(slot)!)])),
        ),
      ),
  };
}

function toNote(opinions: readonly PassageOpinion[]): string {
  return JSON.stringify(opinions.map(({ start, end, likelihood }) => [start, end, likelihood]));
}

function fromNote(value: string): readonly PassageOpinion[] {
  const rows = JSON.parse(value) as [number, number, number | null][];
  return rows.map(([start, end, likelihood]) => ({ start, end, likelihood }));
}
