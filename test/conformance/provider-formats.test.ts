import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  type ExtractedBody,
  formatOf,
  replacementsByPath,
  writeTexts,
} from '../../shared/providers/index.ts';
import { readRequest, readResponse } from '../../shared/providers/reading/read-body.ts';
import { readStream } from '../../shared/providers/reading/read-stream.ts';
import { compileRules, type Rules, type Words } from '../../shared/providers/reading/rules.ts';
import { FORMAT_TABLES, isWebApp, WORDS } from '../../shared/providers/registry.ts';
import type { FormatTable } from '../../shared/providers/tables.ts';
import { finish, parseStrictJsonText, type SlotRole, type TextSlot } from '../../shared/text/index.ts';
import { type Place, placesOf, plain } from '../support/canary-template.ts';
import { type Frame, SAMPLES, type Samples, spellFrames } from '../support/provider-samples.ts';

/** Promises of every registered provider, tested on the samples in its folder. */

const CANARY = 'words canary7x more';
/** Assembled here so that the repository contains no key-like text. */
const SECRET = `AKIA${'IOSFODNN7'}${'QWERTYU'}`;

const isSeen = ({ slots }: ExtractedBody, text: string): boolean =>
  slots.some((slot) => slot.text.includes(text));
/** The read values, without member names and without slots joined from others. */
const valuesOf = ({ slots }: ExtractedBody): Set<string> =>
  new Set(slots.filter(isValue).map(({ role, text }) => `${role}: ${text}`));
const isValue = ({ isKey, path }: TextSlot): boolean =>
  isKey !== true && !/^#stream:labels$|^#joined:.*~others$/.test(path);

/** Fails once, listing every place that does not hold. */
function forAll(places: readonly Place[], hold: (place: Place) => boolean): void {
  const wrong = places.filter((place) => !hold(place)).map(({ kind, pointer }) => `${kind} at ${pointer}`);
  assert.deepEqual(wrong, [], `${wrong.length} of ${places.length} do not hold`);
}

/** Known words as if every name, or none, were a provider's. */
const words = (isKnown: boolean): Words => {
  const names = new Set<string>();
  names.has = () => isKnown;
  return { ...WORDS, names };
};

for (const samples of SAMPLES) {
  const { endpoint, requests, response, frames, pieces } = samples;
  if (isWebApp(endpoint.format)) continue;
  const table: FormatTable = endpoint.format;
  const format = formatOf(endpoint);
  const stream = (list: readonly Frame[]): string => spellFrames(endpoint, list);

  describe(`every provider: ${endpoint.name}`, () => {
    it('reads every text of a response, every unknown member and its name', () => {
      forAll(placesOf(response), (place) => isSeen(format.readResponse(place.put(CANARY)), 'canary7x'));
    });

    it('reads every text of every frame of a stream', () => {
      for (const [i, frame] of frames.entries()) {
        forAll(placesOf(frame.data), (place) => {
          const changed = frames.with(i, { ...frame, data: place.put(CANARY) as Frame['data'] });
          return isSeen(format.readStream(stream(changed)), 'canary7x');
        });
      }
    });

    it('reads every text, unknown member and name of a request; changes no byte of an allowed body, and of a masked one only the masked value, if nobody signed it', () => {
      assert.ok(requests.length > 0, 'there is no sample of a request');
      for (const request of requests) {
        const source = JSON.stringify(plain(request), null, 1);
        assert.equal(writeTexts(source, new Map()), source);
        forAll(placesOf(request), (place) => {
          const sent = JSON.stringify(place.put(CANARY), null, 1);
          const { slots } = format.readRequest(parseStrictJsonText(sent));
          const masks = slots.flatMap(({ text }, index) => {
            const start = text.indexOf('canary7x');
            return start === -1 ? [] : [[index, [{ start, end: start + 8, text: '[MASK]' }]] as const];
          });
          const written = writeTexts(sent, replacementsByPath(slots, new Map(masks)));
          const isSigned = masks.some(([index]) => slots[index]!.signedBlock !== undefined);
          if (isSigned) return written === sent;
          return written === JSON.stringify(place.put('words [MASK] more'), null, 1);
        });
      }
    });

    it('builds a conversation with every text in one message, and only the developer’s own texts as the developer’s', () => {
      const hold = ({ messages, slots }: ExtractedBody): void => {
        const inMessages = messages.flatMap((message) => message.slots);
        assert.deepEqual(new Set(inMessages), new Set(slots));
        assert.equal(inMessages.length, slots.length);
      };
      for (const request of requests) {
        const reading = format.readRequest(plain(request));
        hold(reading);
        for (const { origin, position, role } of reading.messages) {
          const isDue = samples.isDevelopers(position.path) && role !== 'tool';
          assert.equal(origin === 'developer', isDue, `${role} at ${position.path} is ${origin}`);
        }
      }
      hold(format.readResponse(plain(response)));
      hold(format.readStream(stream(frames)));
    });

    it('an unknown member anywhere hides nothing from the reader, and raises no trust', () => {
      const hold = (before: ExtractedBody, after: ExtractedBody): boolean => {
        const now = valuesOf(after);
        return [...valuesOf(before)].every((value) => now.has(value));
      };
      const unknown = (places: readonly Place[]) =>
        places.filter(({ kind, isEncoded }) => kind !== 'value' && !isEncoded);
      for (const request of requests) {
        const before = format.readRequest(plain(request));
        forAll(unknown(placesOf(request)), (place) => hold(before, format.readRequest(place.put('a word'))));
      }
      const before = format.readResponse(plain(response));
      forAll(unknown(placesOf(response)), (place) => hold(before, format.readResponse(place.put('a word'))));
      const streamed = format.readStream(stream(frames));
      for (const [i, frame] of frames.entries()) {
        forAll(unknown(placesOf(frame.data)), (place) => {
          const changed = frames.with(i, { ...frame, data: place.put('a word') as Frame['data'] });
          return hold(streamed, format.readStream(stream(changed)));
        });
      }
    });

    it('knowing a name never weakens reading', () => {
      const [none, all] = [false, true].map((isKnown) => compileRules(table, FORMAT_TABLES, words(isKnown)));
      const same = (read: (rules: Rules) => ExtractedBody): void =>
        assert.deepEqual(valuesOf(read(all!)), valuesOf(read(none!)));
      for (const request of requests) same((rules) => finish(readRequest(plain(request) as Body, rules)));
      same((rules) => finish(readResponse(plain(response), rules)));
      same((rules) => finish(readStream(stream(frames), rules)));
    });

    for (const [name, { frame, opening }] of pieces) {
      it(`finds a secret that is split anywhere over two frames: ${name}`, () => {
        const readers = [false, true].map((isKnown) => compileRules(table, FORMAT_TABLES, words(isKnown)));
        const others = [...pieces]
          .filter(([other]) => other !== name)
          .map(([, other]) => [other.frame(' so ')]);
        for (let cut = 1; cut < SECRET.length; cut++) {
          const [start, end] = [SECRET.slice(0, cut), SECRET.slice(cut)];
          for (const first of [frame(start), ...(opening === null ? [] : [opening(start)])]) {
            // Other output of the model in between.
            for (const between of [[], ...others]) {
              const text = stream([first, ...between, frame(end)]);
              for (const rules of readers)
                assert.ok(isSeen(finish(readStream(text, rules)), SECRET), `split at ${cut}: ${text}`);
            }
          }
        }
      });
    }

    it('finds a secret that is split over two frames in an unknown member', () => {
      for (const { data } of frames) {
        const [first, second] = [SECRET.slice(0, 9), SECRET.slice(9)].map((piece) => ({
          data: { ...(data as object), x_unheard_of: piece, x_scene: { parts: [{ caption: piece }] } },
        }));
        const { slots } = format.readStream(stream([first!, second!]));
        const found = slots.filter(({ text }) => text.includes(SECRET));
        assert.ok(found.length >= 2, JSON.stringify(data));
      }
    });

    it('a member, a role and a type of another format is trusted no more than a user’s text', () => {
      for (const other of FORMAT_TABLES) {
        if (other === table) continue;
        for (const [where, body] of foreignBodies(samples, table, other)) {
          const { slots } = format.readRequest(body);
          const found = slots.filter(({ text }) => text === CANARY);
          assert.ok(found.length > 0, `${where} is not read`);
          for (const { role } of found) assert.ok(UNTRUSTED.has(role), `${where} is read as ${role}`);
        }
      }
    });

    it('a rejection contains its message as JSON, and a blocked stream ends with it in a frame', () => {
      const block = { message: 'Stopped: "injection" — ünïcode', eventId: 'evt_17' };
      const { status, contentType, body } = format.rejectionOf(block);
      assert.equal(status, 403);
      assert.match(contentType, /^application\/json/);
      assert.ok(body.includes(JSON.stringify(block.message)), body);
      JSON.parse(body);
      assert.ok(isSeen(format.readStream(format.streamBlockOf(block)), block.message));
    });
  });
}

type Body = Readonly<Record<string, unknown>>;

const UNTRUSTED: ReadonlySet<SlotRole> = new Set<SlotRole>(['user', 'tool_result', 'document', 'other']);

/** A's request with everything that only B has: top-level members, message roles, members and types of blocks. */
function* foreignBodies(
  { requests }: Samples,
  own: FormatTable,
  other: FormatTable,
): Generator<readonly [where: string, body: Body]> {
  const base = plain(requests[0]!) as Body;
  const conversation = own.request.conversation;
  const says = (message: object): Body => ({ ...base, [conversation]: [message] });
  for (const [name, { role, as }] of Object.entries(other.request.members)) {
    if (Object.hasOwn(own.request.members, name)) continue;
    if (role === undefined && as !== 'identifier' && as !== 'metadata') continue;
    yield [`the member ${name} of ${other.name}`, { ...base, [name]: CANARY }];
    yield [
      `items of ${name} of ${other.name}`,
      { ...base, [name]: [{ role: 'system', content: CANARY, text: CANARY }] },
    ];
  }
  for (const role of Object.keys(other.request.roles)) {
    if (Object.hasOwn(own.request.roles, role)) continue;
    yield [`the role ${role} of ${other.name}`, says({ role, content: CANARY })];
  }
  for (const type of Object.keys(other.blocks.types)) {
    if (Object.hasOwn(own.blocks.types, type)) continue;
    yield [`the type ${type} of ${other.name}`, says({ role: 'user', content: [{ type, text: CANARY }] })];
  }
  for (const name of Object.keys(other.blocks.members)) {
    if (Object.hasOwn(own.blocks.members, name)) continue;
    yield [
      `the block's member ${name} of ${other.name}`,
      says({ role: 'user', content: [{ [name]: CANARY }] }),
    ];
  }
}
