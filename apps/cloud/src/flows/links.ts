/** Addresses in the dashboard that answers point people to. */
export interface Links {
  /** Where people and programs reach the service. */
  service(): string;
  event(eventId: string): string;
  plan(): string;
  onDemand(): string;
  /** Where a directory (SCIM) finds the service. */
  scim(): string;
  /** Where an identity provider sends people back to. */
  ssoCallback(): string;
  /** Where members of an organization begin to sign in. */
  ssoStart(organizationId: string): string;
  /** A page of the dashboard, such as `members`. */
  page(page: string): string;
  /** The same with a one-time token, behind the `#`: no server and no log on the way is told it. */
  oneTime(page: string, token: string): string;
}

/** `base` is asked each time: with PORT=0 it is known only once the service listens. */
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
