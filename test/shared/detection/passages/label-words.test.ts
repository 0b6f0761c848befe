import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  announcesDocument,
  beginsDocument,
  endsDocument,
  isLikelyLabel,
  isOwnLabel,
  isSureLabel,
  resumes,
} from '../../../../shared/detection/passages/label-words.ts';

test('labels of documents differ from labels of instructions', () => {
  for (const label of [
    'Context',
    'Retrieved passages',
    'Document 2 of 3',
    'Search results',
    'Relevant excerpts (top 3)',
  ]) {
    assert.ok(isSureLabel(label) && isLikelyLabel(label), label);
    assert.ok(!isOwnLabel(label) && !resumes(label), label);
  }
  for (const label of ['Email', 'Customer review', 'Attachment 1'])
    assert.ok(isLikelyLabel(label) && !isSureLabel(label), label);
  for (const label of ['Rules', 'Output format', 'Question', 'Your task']) {
    assert.ok(isOwnLabel(label) && resumes(label), label);
    assert.ok(!isLikelyLabel(label), label);
  }
  assert.ok(!isLikelyLabel(`Context ${'context '.repeat(40)}`), 'a label is short');
});

test('a sentence announces a document only if it ends with one', () => {
  for (const line of [
    'Here is the article:',
    'Answer from the following documents:',
    'The customer sent this email:',
    'Context information is below.',
    'Answer the question based on the context below:',
  ])
    assert.ok(announcesDocument(line), line);
  for (const line of [
    'The document has the following properties:',
    'Write an email with these parts:',
    'Look at the page and answer.',
  ])
    assert.ok(!announcesDocument(line), line);
});

test('recognizes begin and end marks', () => {
  assert.ok(beginsDocument('BEGIN DOCUMENT') && beginsDocument('start of the retrieved context'));
  assert.ok(endsDocument('END DOCUMENT') && endsDocument('end of context'));
  assert.ok(!beginsDocument('begin the work') && !endsDocument('end the answer with a full stop'));
});
