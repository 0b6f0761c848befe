/**
 * Identifiers that are given out together with a secret that has no form of its own beside a length. `id` is a kind of
 * `kinds.ts`, or a literal in lower case; `secret` are forms as there, where Y stands for base64 of either sign.
 */
export interface Pair {
  readonly id: string;
  readonly secret: readonly string[];
}

const BASE64_40 = ['{Y40}'];

/** Identifiers that are kinds of keys themselves. */
export const PAIRS_OF_KINDS: ReadonlyMap<string, readonly string[]> = new Map([
  ...['aws-access-key', 'aws-temporary-key', 'aws-sts-service', 'aws-context'].map(
    (id) => [id, BASE64_40] as const,
  ),
  ['gcp-hmac-service', BASE64_40],
  ['gcp-hmac-user', BASE64_40],
  ['spaces-key', ['{Y43}']],
  ['spaces-key-later', ['{Y43}']],
  ['alibaba', ['{A30}']],
  ['tencent', ['{A32}']],
  ['scaleway', ['{H8}-{H4}-{H4}-{H4}-{H12}']],
  ['twilio-account', ['{H32}']],
  ['twilio-key', ['{A32}']],
  ['razorpay-live', ['{A24}']],
  ['razorpay-test', ['{A24}']],
]);

/** Identifiers and addresses that are no secrets, by their literal. */
export const PAIRS_OF_LITERALS: readonly Pair[] = [
  ...['.core.windows.net', '.documents.azure.com'].map((id) => ({ id, secret: ['{Y86}=='] })),
  ...['.servicebus.windows.net', '.azure-devices.net'].map((id) => ({ id, secret: ['{Y43}='] })),
  ...['.cognitiveservices.azure.com', '.openai.azure.com'].map((id) => ({ id, secret: ['{H32}'] })),
  { id: '.r2.cloudflarestorage.com', secret: ['{H64}'] },
  { id: '.digitaloceanspaces.com', secret: ['{Y43}'] },
  ...['.wasabisys.com', '.linodeobjects.com', '.vultrobjects.com', '.your-objectstorage.com'].map((id) => ({
    id,
    secret: BASE64_40,
  })),
  { id: '.apps.googleusercontent.com', secret: ['{W24}'] },
  ...['iv1.', 'iv23li', 'ov23li'].map((id) => ({ id, secret: ['{H40}'] })),
  { id: '0oa', secret: ['{W40}', '{W64}'] },
  { id: '3mvg9', secret: ['{X64}'] },
];

/** Words for an identifier; what a word for a secret beside it introduces is its secret, whatever lies between them. */
export const IDENTIFIER_WORDS: readonly string[] = [
  ...['client_id', 'client id', 'client-id', 'clientid', 'consumer_key', 'consumer key', 'consumerkey'],
  ...['access_key_id', 'access key id', 'accesskeyid', 'account_sid', 'account sid', 'accountsid'],
  ...['app_id', 'app id', 'application id', 'key_id', 'key id', 'keyid'],
];

/** Calls and commands that take a user's name and the password as neighbours. */
export const POSITIONAL: readonly { readonly literal: string; readonly pattern: RegExp }[] = [
  ...['jdbc:', 'mysql:host', 'pgsql:host', 'sqlsrv:'].map((literal) => ({
    literal,
    pattern:
      /[^"'\n]{1,300}["']\s{0,9},\s{0,9}["'][^"'\n]{1,80}["']\s{0,9},\s{0,9}["']([^"'\n\\]{3,100})(?=["'])/y,
  })),
  ...['mysqli(', 'mysqli_connect(', 'mysql.connect('].map((literal) => ({
    literal,
    pattern:
      /[\w.]{1,20}\(\s{0,9}["'][^"'\n]{1,200}["']\s{0,9},\s{0,9}["'][^"'\n]{1,80}["']\s{0,9},\s{0,9}["']([^"'\n\\]{3,100})(?=["'])/iy,
  })),
  {
    literal: 'mc alias set',
    pattern:
      /mc alias set ["']?[\w.-]{1,60}["']? ["']?https?:\/\/\S{1,200} ["']?[\w+/-]{3,128}["']? ["']?([\w+/=-]{8,128})/iy,
  },
  { literal: 'mysql -', pattern: /mysql (?:-[^\n|;]{0,120} )?-p["']?([^\s"'$]{4,64})/iy },
  {
    literal: 'sqlplus ',
    pattern: /sqlplus (?:-\S{1,10} ){0,3}["']?[\w$#]{1,60}\/["']?([^\s"'@/]{3,64})(?=["']?@)/iy,
  },
  { literal: 'sshpass -p', pattern: /sshpass -p ?["']?([^\s"'$]{4,64})/iy },
];
