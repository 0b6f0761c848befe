import { HOST_TAG } from '@csg/shared/contract';
import { hostName } from '@csg/shared/detection';

const HOST = /^[A-Za-z0-9_.:[\]-]{1,200}$/;

/** Adds the host that a request goes to as a tag, instead of a client's own tag of that name. */
export function withHostTag(tags: readonly string[], host: string | undefined): readonly string[] {
  if (host === undefined || !HOST.test(host)) return tags;
  return [...tags.filter((tag) => !tag.startsWith(HOST_TAG)), `${HOST_TAG}${hostName(host)}`].sort();
}
