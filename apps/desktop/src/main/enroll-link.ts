import { readEnrollmentSource } from '../agent/enrollment/enrollment-source.ts';

/** The link that the system handed over, among the arguments of a start; null: none. */
export function findLink(args: readonly string[]): string | null {
  return args.find((arg) => /^csg:/i.test(arg)) ?? null;
}

/**
 * The page of the window for a link. A link can come from any web page: the window shows where it leads and a person
 * decides; nothing is enrolled by the link alone.
 */
export function pageOfLink(link: string): string {
  try {
    const { server, token } = readEnrollmentSource({ link });
    return `#/enroll?${new URLSearchParams({ server, token })}`;
  } catch {
    return '#/enroll?fault=link';
  }
}
