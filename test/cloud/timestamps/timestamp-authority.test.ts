import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import {
  createTimestampAuthority,
  type TimestampAuthority,
} from '../../../apps/cloud/src/timestamps/timestamp-authority.ts';
import { TimestampError } from '../../../apps/cloud/src/timestamps/timestamp-error.ts';
import {
  noOpenssl,
  startTimestampAuthority,
  type TestTimestampAuthority,
} from '../../support/timestamp-authority.ts';

const LINE = '{"type":"checkpoint","number":7}\n';

describe('time stamps of an authority', { skip: noOpenssl }, () => {
  let server: TestTimestampAuthority;
  let authority: TimestampAuthority;
  before(async () => {
    server = await startTimestampAuthority();
    authority = createTimestampAuthority({ ...server, now: Date.now });
  });
  after(async () => {
    await authority?.close();
    await server?.close();
  });

  const rejects = async (pattern: RegExp, of = authority) => {
    await assert.rejects(of.stamp(LINE), (error) => {
      assert.ok(error instanceof TimestampError, String(error));
      assert.match(error.message, pattern);
      return true;
    });
  };
  const respond = async (status: number, body: string | Buffer, run: () => Promise<void>) => {
    server.override = (_request, response) => response.writeHead(status).end(body);
    await run();
    server.override = null;
  };

  test('are verified here and by openssl, over the exact bytes', async () => {
    // The authority states whole seconds.
    const beganMs = Date.now() - 1_000;
    const { token, atMs } = await authority.stamp(LINE);
    assert.ok(atMs >= beganMs && atMs <= Date.now());
    assert.equal(await authority.verify(LINE, token), atMs);
    await assert.rejects(authority.verify(`${LINE} `, token), TimestampError);
    server.write('line', LINE);
    server.write('token', Buffer.from(token, 'base64'));
    const files = ['-data', 'line', '-in', 'token', '-token_in', '-CAfile', 'ca.pem'];
    assert.match(server.openssl('ts', '-verify', ...files), /OK/);
  });

  test('are rejected from another authority, if changed, and for another request', async () => {
    const other = await startTimestampAuthority();
    const mixed = createTimestampAuthority({ ...other, url: server.url, now: Date.now });
    await rejects(/could not be verified/, mixed);
    await mixed.close();
    await other.close();

    await authority.stamp(LINE);
    const earlier = server.lastReply!;
    await respond(200, earlier, () => rejects(/another request/));
    const { token } = await authority.stamp(LINE);
    const changed = Buffer.from(token, 'base64');
    changed[changed.length - 5]! ^= 1;
    await assert.rejects(authority.verify(LINE, changed.toString('base64')), TimestampError);
    await assert.rejects(authority.verify(LINE, 'bm8='), TimestampError);
  });

  test('are an error with a reason if the authority declines, is down, or sends nonsense or too much', async () => {
    const strict = await startTimestampAuthority('sha512');
    const declined = createTimestampAuthority({ ...strict, now: Date.now });
    await rejects(/declined with status 2/, declined);
    await strict.close();
    await rejects(/could not be reached/, declined);
    await declined.close();
    await respond(500, 'no', () => rejects(/status 500/));
    await respond(200, 'not DER at all', () => rejects(/not a time stamp/));
    await respond(200, '', () => rejects(/not a time stamp/));
    await respond(200, Buffer.alloc(100_000, 48), () => rejects(/too large/));
  });

  test('are rejected if the clock is far off, and so is a file without certificates', async () => {
    const late = createTimestampAuthority({ ...server, now: () => Date.now() + 3_600_000 });
    await rejects(/3[56]\d\d s from the clock/, late);
    await late.close();
    assert.throws(
      () => createTimestampAuthority({ ...server, certificates: 'nothing', now: Date.now }),
      TimestampError,
    );
  });
});
