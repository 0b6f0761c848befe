/** The same certificate, however its lines are broken. */
export function pemMatches(one: string, other: string): boolean {
  return bare(one) === bare(other);
}

function bare(pem: string): string {
  return pem.replace(/-----[^-]+-----|\s/g, '');
}
