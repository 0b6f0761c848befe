import type { Evidence } from '@csg/shared/contract';
import { csvLine } from '../../wire/csv.ts';

/** Returns one CSV line for each control, with its figures, for audits. */
export function evidenceCsv({ figures, frameworks, from, to, generated_at }: Evidence): string {
  const byId = new Map(figures.map((figure) => [figure.id, figure]));
  const head = ['framework', 'edition', 'control', 'title', 'coverage', 'statement', 'evidence'];
  const span = [from, to, generated_at];
  const lines = frameworks.flatMap(({ name, edition, controls }) =>
    controls.map(({ id, title, coverage, statement, figures: ids }) => {
      const shown = ids.flatMap((one) => byId.get(one) ?? []);
      const evidence = shown.map(({ label, value }) => `${label}: ${value}`).join('; ');
      return csvLine([name, edition, id, title, coverage, statement, evidence, ...span]);
    }),
  );
  return [csvLine([...head, 'from', 'to', 'generated_at']), ...lines].join('');
}
