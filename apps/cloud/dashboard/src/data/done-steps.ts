/** First steps that the service does not record are stored in the browser. */
const STORED = 'csg-first-steps';

export function hasDoneStep(step: string): boolean {
  return stored().includes(step);
}

export function noteStep(step: string): void {
  if (!hasDoneStep(step)) localStorage.setItem(STORED, [...stored(), step].join(' '));
}

function stored(): string[] {
  return (localStorage.getItem(STORED) ?? '').split(' ');
}
