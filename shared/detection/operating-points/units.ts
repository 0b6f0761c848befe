import { point } from './point.ts';

/** From which share of its lines a text has a format; what an order needs of its unit. */
export const UNIT = {
  cells: point(0.7, 'lines with as many cells as the first', 'no record'),
  yamlLines: point(0.7, 'lines that YAML could have', 'no record'),
  codeLines: point(0.4, 'lines that look like code', 'no record'),
  pythonLines: point(0.15, 'lines that only Python has, in code', 'no record'),
  records: point(0.4, 'lines that begin a message or a record of a log', 'no record'),
  speakers: point(0.3, 'different names before a colon, of all', 'no record'),
  speech: point(0.6, 'lines with a name and words after it', 'no record'),
  manual: point(0.6, 'units with orders before the finding', 'no record'),
  frames: point(0.2, 'English function words, of the words', 'no record'),
} as const;
