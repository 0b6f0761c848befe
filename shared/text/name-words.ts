/** The words of an identifier, lower-case: `sendEmail`, `send_email` and `SendEMail` are read alike. */
export function nameWords(name: string): string[] {
  return name
    .slice(0, MAX_NAME)
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z\d]+/)
    .filter((word) => word !== '');
}

const MAX_NAME = 200;
