/** Commands that only look, or work on what is in the folder: whoever names them, they have no effect on others. */
const HARMLESS = new Set(
  `ls ll dir cd pwd cat head tail less more grep egrep fgrep rg ag find fd wc sort uniq cut tr diff cmp file stat du df
  which where whereis type echo printf date whoami id uname env printenv ps top free uptime history tree awk sed jq yq
  basename dirname realpath readlink test true false sleep clear man help mkdir touch cp mv ln tar unzip zip gunzip
  make cmake ninja cargo go rustc gcc g++ clang javac java mvn gradle gradlew tsc eslint prettier biome jest vitest
  mocha pytest tox ruff black mypy flake8 pylint phpunit rspec dotnet swift flutter dart ctest bazel export set source
  import from def class return if for while else elif try except print with pass const let var function async await
  select explain describe show pragma`.split(/\s+/),
);
/** Of tools that do both: what only looks, builds or tests. */
const HARMLESS_STEPS =
  /^(?:git push(?: -u)?(?: origin(?: [\w./-]+)?)?$|git (?:status|diff|log|show|branch|add|commit|checkout|switch|stash|fetch|pull|blame|rev-parse|ls-files|merge|rebase|restore|init|config --get|remote(?: -v)?$)|npm (?:test|t|ci|start|run|ls|list|view|outdated|(?:install|i)$)|npx (?:tsc|jest|vitest|eslint|prettier|biome)|(?:pnpm|yarn|bun) (?:test|run|install$|build|dev|start|lint)|(?:pnpm|yarn|bun)$|pip3? (?:list|show|freeze|install -[re])|python3? (?:-m (?:pytest|unittest|venv|pip install -[re])|[\w./-]+\.py)|node [\w./-]+\.[cm]?[jt]s|docker (?:ps|images|logs|build|compose)|docker-compose|kubectl (?:get|describe|logs)|conda (?:activate|list|env)|poetry (?:install|run)|uv (?:sync|run))\b/;
/** Code that reaches beyond itself. */
const REACHING =
  /\b(?:os\.(?:system|popen|remove|unlink)|subprocess|child_process|requests\.(?:get|post|put|patch|delete)|urlopen|fetch\(|axios[.(]|socket\.|smtplib|shutil\.rmtree|eval\(|exec\(|execSync|Invoke-WebRequest|Start-Process|insert into|update \w+ set|delete from|drop (?:table|database|user)|alter (?:table|user)|grant )/i;
/** Commands that change or reach what lies outside of the folder, in whatever text they stand. */
const EFFECTIVE =
  /^(?:curl|wget|ncat?|netcat|telnet|ftp|sftp|scp|rsync|ssh|mail|sendmail|mutt|rm|rmdir|shred|dd|mkfs\S*|kill|pkill|killall|chmod|chown|useradd|usermod|passwd|visudo|crontab|at|systemctl|service|iptables|ufw|reboot|shutdown|powershell|pwsh|iwr|iex|invoke-\w+|certutil|reg|schtasks|net user|base64|openssl|gpg|eval|git (?:push|clone|remote (?:add|set-url)|config)|(?:npm|pnpm|yarn) (?:publish|add|install [\w@])|pip3? install [\w@]|(?:apt|apt-get|brew|gem|cargo|conda|dnf|yum) install|docker (?:run|push|exec|login)|kubectl (?:apply|delete|exec|create)|aws|gcloud|az|gh|terraform|vercel|heroku|twine|su|(?:ba|z)?sh -c|python3? -c|node -e|perl -e|ruby -e|printenv|tee)(?= |$)/;
const MIN_COMMAND = 4;

/**
 * The steps of a shell command or of code that do something to others, in one spelling. A single line is a command,
 * whatever it is; of several lines, which may be code or a file, only those that are known to reach further.
 */
export function commandsIn(text: string): string[] {
  const whole = text.replaceAll('\\\n', ' ').trim();
  const isLine = !whole.includes('\n');
  const found = new Set<string>();
  for (const step of whole.split(/\n|&&|\|\||[;|]/)) {
    const command = toCommand(step);
    if (command.length >= MIN_COMMAND && hasEffect(command, isLine)) found.add(command);
  }
  return [...found];
}

export const toCommand = (text: string): string => text.trim().replace(/\s+/g, ' ').toLowerCase();

function hasEffect(command: string, isLine: boolean): boolean {
  const bare = command.replace(/^[!$>] ?/, '').replace(/^(?:\w+=\S* )*(?:sudo |time |nohup |env )*/, '');
  if (REACHING.test(command) || EFFECTIVE.test(bare)) return !HARMLESS_STEPS.test(bare);
  if (!isLine || !bare.includes(' ') || / = |: /.test(bare)) return false;
  const [first = ''] = bare.split(' ');
  if (!/^[a-z./~][\w./@~-]*$/.test(first)) return false;
  return !HARMLESS.has(first.slice(first.lastIndexOf('/') + 1)) && !HARMLESS_STEPS.test(bare);
}

/** Hosts that a command connects to, written without a scheme. */
export function hostsIn(command: string): string[] {
  const found =
    command.match(
      /\b(?:curl|wget|ncat?|netcat|ssh|scp|rsync|ping|nslookup|dig|telnet|ftp)\b[^\n;|&]{1,2000}/g,
    ) ?? [];
  return found.flatMap((part) => part.split(/[\s'"=]+/).slice(1)).filter((token) => token.includes('.'));
}
