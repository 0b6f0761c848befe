/** A typical program. It takes its prompts as arguments, and prints `[status, text]` for each. */

export interface Tool {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** The version of HTTP that its requests use. */
  readonly httpVersion: '1.1' | '2.0';
}

export interface NodeProgram {
  /** For example `Node 22`. */
  readonly name: string;
  readonly file: string;
  /** The folder in which its packages are resolved. */
  readonly cwd: string;
  /** Since 22.21 and 24.5 Node's own fetch uses the environment's proxy. */
  readonly ownFetchKnowsProxy: boolean;
}

/** How a Node program reaches the proxy. Tools use undici if Node does not support it. */
const TRANSPORTS = {
  'own fetch': { httpVersion: '1.1', setUp: 'const send = fetch;' },
  undici: {
    httpVersion: '1.1',
    setUp: `import { EnvHttpProxyAgent, fetch as viaUndici } from 'undici';
      const dispatcher = new EnvHttpProxyAgent({ allowH2: false, requestTls: { allowH2: false } });
      const send = (url, init) => viaUndici(url, { ...init, dispatcher });`,
  },
  'undici, HTTP/2': {
    httpVersion: '2.0',
    setUp: `import { EnvHttpProxyAgent, fetch as viaUndici } from 'undici';
      const dispatcher = new EnvHttpProxyAgent({ allowH2: true, requestTls: { allowH2: true } });
      const send = (url, init) => viaUndici(url, { ...init, dispatcher });`,
  },
} as const;

const CLIENTS = {
  fetch: `
    const ask = async (content) => {
      const answer = await send('https://api.openai.com/v1/chat/completions', {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: 'Bearer sk-test' },
        body: JSON.stringify({ model: 'm', messages: [{ role: 'user', content }] }),
      });
      return [answer.status, await answer.text()];
    };`,
  openai: `
    import OpenAI from 'openai';
    const client = new OpenAI({ apiKey: 'sk-test', maxRetries: 0, fetch: send });
    const ask = (content) =>
      client.chat.completions.create({ model: 'm', messages: [{ role: 'user', content }] })
        .then((done) => [200, done.choices[0].message.content], ({ status, message }) => [status, message]);`,
  anthropic: `
    import Anthropic from '@anthropic-ai/sdk';
    const client = new Anthropic({ apiKey: 'sk-ant-test', maxRetries: 0, fetch: send });
    const ask = (content) =>
      client.messages.create({ model: 'm', max_tokens: 9, messages: [{ role: 'user', content }] })
        .then((done) => [200, done.content[0].text], ({ status, message }) => [status, message]);`,
} as const;

const LAST = `
  const responses = [];
  for (const prompt of process.argv.slice(1)) responses.push(await ask(prompt));
  console.log(JSON.stringify(responses));
  process.exit(0);`;

export function nodeTools({ name, file, cwd, ownFetchKnowsProxy }: NodeProgram): Tool[] {
  return Object.entries(TRANSPORTS)
    .filter(([transport]) => ownFetchKnowsProxy || transport !== 'own fetch')
    .flatMap(([transport, { httpVersion, setUp }]) =>
      Object.entries(CLIENTS).map(([client, program]) => ({
        name: `${name}, ${client}, ${transport}`,
        command: file,
        args: ['--input-type=module', '-e', `${setUp}${program}${LAST}`, '--'],
        cwd,
        env: { NODE_USE_ENV_PROXY: '1' },
        httpVersion,
      })),
    );
}

const PYTHON = `
import json, sys, urllib.error, urllib.request
def ask(content):
    body = json.dumps({'model': 'm', 'messages': [{'role': 'user', 'content': content}]}).encode()
    headers = {'content-type': 'application/json'}
    request = urllib.request.Request('https://api.openai.com/v1/chat/completions', body, headers)
    try:
        with urllib.request.urlopen(request) as answer: return [answer.status, answer.read().decode()]
    except urllib.error.HTTPError as error: return [error.code, error.read().decode()]
print(json.dumps([ask(prompt) for prompt in sys.argv[1:]]))
`;

export function pythonTool(cwd: string): Tool {
  return {
    name: 'Python, urllib',
    command: 'python3',
    args: ['-c', PYTHON],
    cwd,
    env: {},
    httpVersion: '1.1',
  };
}

/** Its JSON is handwritten, because Java has no JSON library. */
export const JAVA = `
import java.net.*;
import java.net.http.*;
public class Ask {
  static String quote(String text) {
    return '"' + text.replace("\\\\", "\\\\\\\\").replace("\\"", "\\\\\\"").replace("\\n", "\\\\n") + '"';
  }
  public static void main(String[] args) throws Exception {
    var version = HttpClient.Version.valueOf(System.getProperty("version"));
    var proxy = URI.create(System.getenv("HTTPS_PROXY"));
    var client = HttpClient.newBuilder().version(version)
      .proxy(ProxySelector.of(new InetSocketAddress(proxy.getHost(), proxy.getPort()))).build();
    var output = new StringBuilder();
    for (String prompt : args) {
      var body = "{\\"model\\":\\"m\\",\\"messages\\":[{\\"role\\":\\"user\\",\\"content\\":" + quote(prompt) + "}]}";
      var request = HttpRequest.newBuilder(URI.create("https://api.openai.com/v1/chat/completions"))
        .header("Content-Type", "application/json").POST(HttpRequest.BodyPublishers.ofString(body)).build();
      var answer = client.send(request, HttpResponse.BodyHandlers.ofString());
      output.append(output.isEmpty() ? "[" : ",").append("[" + answer.statusCode() + "," + quote(answer.body()) + "]");
    }
    System.out.println(output.append("]"));
  }
}
`;

/** `cwd` contains `Ask.java` and `trust.p12`. */
export function javaTools(cwd: string): Tool[] {
  const trust = ['-Djavax.net.ssl.trustStore=trust.p12', '-Djavax.net.ssl.trustStorePassword=changeit'];
  return (['1.1', '2.0'] as const).map((httpVersion) => ({
    name: `Java, HttpClient, HTTP/${httpVersion[0]}`,
    command: 'java',
    args: [...trust, `-Dversion=HTTP_${httpVersion === '2.0' ? '2' : '1_1'}`, 'Ask.java'],
    cwd,
    env: {},
    httpVersion,
  }));
}
