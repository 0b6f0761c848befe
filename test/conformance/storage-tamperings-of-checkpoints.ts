import { NOON } from './storage-engines.ts';
import {
  A,
  B,
  fileLines,
  head,
  isOfA,
  ofA,
  signAs,
  type Tampering,
  toLine,
} from './storage-tampering-tools.ts';

export const TAMPERINGS_OF_CHECKPOINTS: readonly Tampering[] = [
  {
    name: 'the head deleted',
    act: (_r, t) => void t.heads.splice(t.heads.indexOf(head(t)), 1),
    seq: 60,
    reason: 'head_changed',
  },
  {
    name: "another chain's head",
    act: (_r, t) => {
      const other = t.heads.find((one) => one.organization_id === B)!;
      Object.assign(head(t), { seq: other.seq, hash: other.hash, seal: other.seal });
      return undefined;
    },
  },
  {
    name: 'a checkpoint without signature',
    act: (_r, t) => {
      ofA(t)[0]!.signature = '';
      return undefined;
    },
    seq: 20,
    reason: 'checkpoint_forged',
  },
  {
    name: 'a checkpoint signed with another key',
    act: (_r, t) => {
      const c = ofA(t)[1]!;
      c.hash = 'ab'.repeat(32);
      signAs(Buffer.alloc(32, 1), c);
      return undefined;
    },
    seq: 40,
    reason: 'checkpoint_forged',
  },
  {
    name: 'a checkpoint with another spelling of its signature',
    act: (_r, t) => {
      ofA(t)[0]!.signature += '=';
      return undefined;
    },
    reason: 'checkpoint_forged',
  },
  {
    name: 'a checkpoint that names another row',
    act: (_r, t) => {
      ofA(t)[1]!.seq = 39;
      return undefined;
    },
    reason: 'checkpoint_forged',
  },
  {
    name: 'an old checkpoint under a new number',
    act: (_r, t) => {
      t.checkpoints.push({ ...ofA(t)[0]!, number: 3 });
      return undefined;
    },
    reason: 'checkpoint_forged',
  },
  {
    name: "another chain's checkpoint",
    act: (_r, t) => {
      const other = t.checkpoints.find((c) => c.organization_id === B)!;
      t.checkpoints.push({ ...other, organization_id: A, number: 3 });
      return undefined;
    },
    reason: 'checkpoint_forged',
  },
  {
    name: 'the first checkpoint taken out of the database',
    act: (_r, t) => void t.checkpoints.splice(t.checkpoints.indexOf(ofA(t)[0]!), 1),
    reason: 'checkpoint_missing',
  },
  {
    name: 'all checkpoints taken out of the database',
    act: (_r, t) => {
      for (const c of ofA(t)) t.checkpoints.splice(t.checkpoints.indexOf(c), 1);
      return undefined;
    },
    reason: 'checkpoint_missing',
  },
  {
    name: 'the last checkpoint taken out of the file',
    act: (_r, _t, f) => {
      const lines = fileLines(f);
      lines.splice(lines.findLastIndex(isOfA), 1);
      f.text = `${lines.join('\n')}\n`;
      return undefined;
    },
    seq: 40,
    reason: 'checkpoint_missing',
  },
  {
    name: 'an old copy of the file',
    act: (_r, _t, f) => {
      f.text = `${fileLines(f).slice(0, 2).join('\n')}\n`;
      return undefined;
    },
    reason: 'checkpoint_missing',
  },
  {
    name: 'an old checkpoint replayed in the file',
    act: (_r, _t, f) => {
      f.text += `${fileLines(f).find(isOfA)}\n`;
      return undefined;
    },
    reason: 'checkpoint_replayed',
  },
  {
    name: 'a checkpoint line with another algorithm',
    act: (_r, _t, f) => {
      f.text = f.text.replace('"algorithm":"Ed25519"', '"algorithm":"none"');
      return undefined;
    },
    reason: 'checkpoint_missing',
  },
  {
    name: 'a checkpoint line with a member more',
    act: (_r, _t, f) => {
      f.text = f.text.replace('"type":"checkpoint"', '"type":"checkpoint","x":1');
      return undefined;
    },
    reason: 'checkpoint_missing',
  },
  {
    name: 'a checkpoint from another file',
    act: (_r, t, f) => {
      const c = {
        organization_id: A,
        number: 3,
        seq: 40,
        hash: 'ab'.repeat(32),
        at_ms: NOON,
        file_id: 'ckf_other',
        key_id: '',
        signature: '',
      };
      signAs(t.seed, c);
      f.text += `${toLine(c)}\n`;
      return undefined;
    },
    reason: 'checkpoint_replayed',
  },
  {
    name: 'rows, head and checkpoints set back to an old copy',
    act: (_r, t) => {
      t.restoreOld(20);
      return undefined;
    },
    seq: 21,
    reason: 'tail_missing',
  },
  {
    name: 'rows and head set back to just before the row that a checkpoint vouches for',
    act: (_r, t) => {
      t.restoreOld(39);
      return undefined;
    },
    seq: 40,
    reason: 'tail_missing',
  },
];
