/** Addresses in responses and emails that lead people to this service. */
export interface Links {
  /** Base address of the service for people and programs. */
  service(): string;
  event(eventId: string): string;
  plan(): string;
  onDemand(): string;
  /** Base address for a directory (SCIM). */
  scim(): string;
  /** Address to which an identity provider redirects. */
  ssoCallback(): string;
  /** Address where members of an organization start to sign in. */
  ssoStart(organizationId: string): string;
  /** A page of the dashboard, such as `members`. */
  page(page: string): string;
  /** The same page with a one-time token in the fragment, so that no server or log on the way receives it. */
  oneTime(page: string, token: string): string;
}

/** `base` is called each time: with PORT=0 it is known only once the service listens. */
export function createLinks(base: () => string): Links {
  return {
    service: () => base(),
    event: (eventId) => `${base()}/dashboard/events/${eventId}`,
    plan: () => `${base()}/dashboard/plan`,
    onDemand: () => `${base()}/dashboard/plan#on-demand`,
    scim: () => `${base()}/scim/v2`,
    ssoCallback: () => `${base()}/dashboard/sso/callback`,
    ssoStart: (organizationId) => `${base()}/dashboard/sso/start?organization=${organizationId}`,
    page: (page) => `${base()}/dashboard/${page}`,
    oneTime: (page, token) => `${base()}/dashboard/${page}#token=${token}`,
  };
}
