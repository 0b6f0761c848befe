import { readEnrollmentSource } from '../agent/enrollment/enrollment-source.ts';

/** The enrollment link among the arguments of a start; null if there is none. */
export function findLink(args: readonly string[]): string | null {
  return args.find((arg) => /^csg:/i.test(arg)) ?? null;
}

/**
 * The page of the window for a link. Any web page can contain such a link, so the window shows its server and the user
 * confirms; the link alone enrolls nothing.
 */
export function pageOfLink(link: string): string {
  try {
    const { server, token } = readEnrollmentSource({ link });
    return `#/enroll?${new URLSearchParams({ server, token })}`;
  } catch {
    return '#/enroll?error=link';
  }
}
