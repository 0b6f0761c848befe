/** Stored as `ACCESS_KEY_ID:SECRET_ACCESS_KEY[:REGION]`. */
export interface AmazonCredential {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** null: the configured region. It becomes part of a host name. */
  readonly region: string | null;
}

const FORM = /^([\w.-]{1,128}):([^:\s]{1,256})(?::([a-z]{2}(?:-[a-z]{1,12}){1,3}-\d{1,2}))?$/;
/** What to do about a damaged one. */
export const AMAZON_FORM =
  'An Amazon credential is ACCESS_KEY_ID:SECRET_ACCESS_KEY or ACCESS_KEY_ID:SECRET_ACCESS_KEY:REGION.';
const ACCESS_KEY = /^(?:AKIA|ASIA)\w+:/;

/** null: not such a credential, for example an API key of Bedrock, which is sent as a bearer token. */
export function parseAmazonCredential(text: string): AmazonCredential | null {
  const [, accessKeyId, secretAccessKey, region = null] = FORM.exec(text) ?? [];
  return accessKeyId === undefined || secretAccessKey === undefined
    ? null
    : { accessKeyId, secretAccessKey, region };
}

/** True for an access key that is not written in that form, or whose region cannot exist. */
export function isDamagedAmazonCredential(text: string): boolean {
  return ACCESS_KEY.test(text) && parseAmazonCredential(text) === null;
}
