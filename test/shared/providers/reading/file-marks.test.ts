import assert from 'node:assert/strict';
import { it } from 'node:test';
import { fileMarkIn } from '../../../../shared/providers/reading/file-marks.ts';

it('fileMarkIn decides by the first bytes, and for archives by the last', () => {
  assert.equal(fileMarkIn('letter\n%PDF-1.7', ''), 'pdf');
  assert.equal(fileMarkIn('PK\x03\x04', ''), 'zip');
  assert.equal(fileMarkIn('\x89PNG', 'more PK\x05\x06 and a comment'), 'zip');
  assert.equal(fileMarkIn('\x1f\x8b\x08', ''), 'gzip');
  assert.equal(fileMarkIn('\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1', ''), 'ole');
  assert.equal(fileMarkIn('a letter on PK and PDF', 'and its end'), null);
});
