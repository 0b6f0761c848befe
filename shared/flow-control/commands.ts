import { pausing, type Steps } from '../text/index.ts';

/** Commands that only read, or work within the folder: they have no effect on others, whatever their source. */
const HARMLESS = new Set(
  `ls ll dir cd pwd cat head tail less more grep egrep fgrep rg ag find fd wc sort uniq cut tr diff cmp file stat du df
  which where whereis type echo printf date whoami id uname env printenv ps top free uptime history tree awk sed jq yq
  basename dirname realpath readlink test true false sleep clear man help mkdir touch cp mv ln tar unzip zip gunzip
  make cmake ninja cargo go rustc gcc g++ clang javac java mvn gradle gradlew tsc eslint prettier biome jest vitest
  mocha pytest tox ruff black mypy flake8 pylint phpunit rspec dotnet swift flutter dart ctest bazel export set source
  import from def class return if for while else elif try except print with pass const let var function async await
  select explain describe show pragma`.split(/\s+/),
);
/** Read-only, build and test subcommands of tools that can also do more. */
const HARMLESS_STEPS =
  /^(?:git push(?: -u)?(?: origin(?: [\w./-]+)?)?$|git (?:status|diff|log|show|branch|add|commit|checkout|switch|stash|fetch|pull|blame|rev-parse|ls-files|merge|rebase|restore|init|config --get|remote(?: -v)?$)|npm (?:test|t|ci|start|run|ls|list|view|outdated|(?:install|i)$)|npx (?:tsc|jest|vitest|eslint|prettier|biome)|(?:pnpm|yarn|bun) (?:test|run|install$|build|dev|start|lint)|(?:pnpm|yarn|bun)$|pip3? (?:list|show|freeze|install -[re])|python3? (?:-m (?:pytest|unittest|venv|pip install -[re])|[\w./-]+\.py)|node [\w./-]+\.[cm]?[jt]s|docker (?:ps|images|logs|build|compose)|docker-compose|kubectl (?:get|describe|logs)|conda (?:activate|list|env)|poetry (?:install|run)|uv (?:sync|run))\b/;
/** Code with effects outside itself. */
const REACHING =
  /\b(?:os\.(?:system|popen|remove|unlink)|subprocess|child_process|requests\.(?:get|post|put|patch|delete)|urlopen|fetch\(|axios[.(]|socket\.|smtplib|ftplib|paramiko|telnetlib|http\.client|gethostbyname|shutil\.rmtree|eval\(|exec\(|execSync|Invoke-WebRequest|Start-Process|insert into|update \w+ set|delete from|drop (?:table|database|user)|alter (?:table|user)|grant )/i;
/** Commands that change or reach something outside the folder, in any text. */
const EFFECTIVE =
  /^(?:curl|wget|nc|ncat|netcat|telnet|ftp|sftp|scp|rsync|ssh|mail|sendmail|mutt|rm|rmdir|shred|dd|mkfs\S*|kill|pkill|killall|chmod|chown|useradd|usermod|passwd|visudo|crontab|at (?:-f|now|noon|midnight|tomorrow|\d\S*)|systemctl|service|iptables|ufw|reboot|shutdown|powershell|pwsh|iwr|iex|invoke-\w+|certutil|reg|schtasks|net user|base64|openssl|gpg|eval|git (?:push|clone|remote (?:add|set-url)|config)|(?:npm|pnpm|yarn) (?:publish|add|install [\w@])|pip3? install [\w@]|(?:apt|apt-get|brew|gem|cargo|conda|dnf|yum) install|docker (?:run|push|exec|login)|kubectl (?:apply|delete|exec|create)|aws|gcloud|az|gh|terraform|vercel|heroku|twine|su|(?:ba|z)?sh -c|python3? -c|node -e|perl -e|ruby -e|printenv|tee)(?= |$)/;
/** The same within a sentence, with what stands behind it. */
const IN_PROSE = new RegExp(`(?<![\\w./-])${EFFECTIVE.source.slice(1)} [^\\n;|"'\`]{2,200}`, 'g');
/** Files with access to other systems: reading them is the first step of exfiltration. */
const KEY_FILE = /(?:^|[\s"'=/\\])\.(?:ssh|aws|gnupg|kube|netrc|git-credentials)\b/;
/** An environment variable that redirects one command to another address. */
const ELSEWHERE = /^(?:\w+=\S* )*\w+=[a-z]{2,10}:\/\/\S+ /;
const MIN_COMMAND = 4;

/**
 * Returns the commands or code steps with an effect on others, normalized. A single line is always a command; of
 * several lines, which may be code or a file, only those known to have further effects.
 */
export function* commandsIn(text: string): Steps<string[]> {
  const whole = text.replaceAll('\\\n', ' ').trim();
  const isLine = !whole.includes('\n');
  const found = new Set<string>();
  yield* pausing(whole.split(/\n|&&|\|\||[;|]/), (step) => {
    const command = toCommand(step);
    if (command.length >= MIN_COMMAND && hasEffect(command, isLine)) found.add(command);
  });
  return [...found];
}

/** Returns the commands in prose, each with the words behind it. */
export const programsIn = (text: string): readonly string[] => text.match(IN_PROSE) ?? [];

const ASSIGNED = /(?:^|[\s;&])([A-Za-z_]\w{0,40})=(["']?)([^\s;"'&|$]{1,200})\2/g;
/** Quotes within or around a part of a word: `c"u"rl`, `exam''ple`. */
const QUOTED_PART = /(?<=[\w.@/:-])(["'])([\w.@/:-]{0,100})\1|(["'])([\w.@/:-]{1,100})\3(?=[\w.@/:-])/g;

/** Returns a text as a shell reads it: words whose parts are quoted or come from a variable are one. */
export function asRun(text: string): string {
  let plain = text.replace(
    QUOTED_PART,
    (_, _quote, within?: string, _other?, before?: string) => within ?? before ?? '',
  );
  if (!plain.includes('$')) return plain;
  for (const [, name = '', , value = ''] of [...plain.matchAll(ASSIGNED)].slice(0, MAX_ASSIGNED))
    plain = plain.replaceAll(`\${${name}}`, value).replace(new RegExp(`\\$${name}(?!\\w)`, 'g'), () => value);
  return plain;
}

const MAX_ASSIGNED = 20;

const toCommand = (text: string): string => text.trim().replace(/\s+/g, ' ').toLowerCase();

const QUOTES = /(?<![\p{L}\d])["'`]+|["'`]+(?![\p{L}\d])/gu;
const SILENT = / -(?:q|y|quiet|yes|silent|assume-yes|no-input)(?= |$)/g;
const SHORT_OPTIONS = /(?: -[a-z]{1,3})+(?= |$)/g;

/** Normalizes a command or name: quotes, dashes and the order of short options are irrelevant. */
export function phraseOf(text: string): string {
  const plain = toCommand(text.replace(QUOTES, ' '))
    .replaceAll(' --', ' -')
    .replaceAll(' =', '=')
    .replaceAll('= ', '=');
  if (!plain.includes(' -')) return plain;
  return plain
    .replace(SILENT, '')
    .replace(SHORT_OPTIONS, (options) => ` -${[...options.replace(/ -/g, '')].sort().join('')}`);
}

/** Removes the prompt before a command, its environment settings, and wrappers such as sudo. */
export const bareCommand = (command: string): string =>
  command.replace(/^[!$>] ?/, '').replace(/^(?:\w+=\S* )*(?:sudo |time |nohup |env )*/, '');

function hasEffect(command: string, isLine: boolean): boolean {
  const bare = bareCommand(command);
  if (REACHING.test(command) || EFFECTIVE.test(bare)) return !HARMLESS_STEPS.test(bare);
  if (KEY_FILE.test(bare) || ELSEWHERE.test(command)) return true;
  if (!isLine || !bare.includes(' ') || / = |: /.test(bare)) return false;
  const [first = ''] = bare.split(' ');
  if (!/^[a-z./~][\w./@~-]*$/.test(first)) return false;
  return !HARMLESS.has(first.slice(first.lastIndexOf('/') + 1)) && !HARMLESS_STEPS.test(bare);
}

/** Converts short repository addresses, `git@host:path`, to host and path. */
export function repositoriesIn(text: string): string[] {
  if (!text.includes('git@')) return [];
  return [...text.matchAll(/\bgit@([\w.-]{1,253}):([\w./-]{1,200})/g)].map(
    ([, host, path]) => `${host}/${path}`,
  );
}

/** Code that connects to a host named in one of its strings. */
const CONNECTING_CODE =
  /\b(?:ftplib|paramiko|telnetlib|smtplib|http\.client|gethostbyname|socket\.|net\.connect|dns\.)/i;
export const FILE_NAME =
  /\.(?:csv|tsv|json|jsonl|txt|md|py|[cm]?[jt]sx?|sh|log|ya?ml|toml|xml|html?|pdf|docx?|xlsx?|png|jpe?g|zip|gz|db|env|pem)$/i;

/** Returns the hosts that a command connects to, without a scheme; repositories (`git@host:path`) with their path. */
export function hostsIn(command: string): string[] {
  const connecting =
    command.match(
      /\b(?:curl|wget|nc|ncat|netcat|ssh|scp|rsync|ping|nslookup|dig|telnet|ftp)\b[^\n;|&]{1,2000}/g,
    ) ?? [];
  const sockets = command.match(/(?<=\/dev\/(?:tcp|udp)\/)[^/\s]{1,253}/g) ?? [];
  const numbers = command.match(/(?<![\d.])\d{1,3}(?:\.\d{1,3}){3}(?![\d.])/g) ?? [];
  const literals = CONNECTING_CODE.test(command)
    ? [...command.matchAll(/["']\.?((?:[\w-]{1,63}\.){1,6}[a-z]{2,24})["']/gi)].map(([, host = '']) => host)
    : [];
  return [
    ...connecting.flatMap((part) => part.split(/[\s'"=]+/).slice(1)).filter((token) => token.includes('.')),
    ...sockets,
    ...numbers,
    ...literals.filter((host) => !FILE_NAME.test(host)),
    ...repositoriesIn(command),
  ];
}
