/** Returns the words of an identifier, in lower case: the same for `sendEmail`, `send_email` and `SendEMail`. */
export function nameWords(name: string): string[] {
  return name
    .slice(0, MAX_NAME)
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z\d]+/)
    .filter((word) => word !== '');
}

const MAX_NAME = 200;
