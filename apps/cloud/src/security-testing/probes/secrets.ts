import { HEX_DIGITS, madeUpKey, UPPER_CASE } from '../made-up-key.ts';
import type { Probe, ProbeGroup } from '../probe.ts';

const inRequest = (
  name: string,
  description: string,
  key: string,
  around: (key: string) => string,
): Probe => ({
  name,
  description,
  tried: around(key),
  planted: [key],
});

const inResponse = (
  name: string,
  description: string,
  key: string,
  around: (key: string) => string,
): Probe => ({
  name,
  description,
  tried: { direction: 'output', messages: [{ role: 'assistant', content: around(key) }] },
  planted: [key],
});

const TOOL_KEY = madeUpKey('xoxb-1', 48);

/** Keys and passwords in requests and responses. None was ever issued. */
export const SECRETS: ProbeGroup = {
  category: 'secrets',
  probes: [
    inRequest(
      'secret_cloud_key',
      'A cloud access key id in a question.',
      madeUpKey('AKIA', 16, UPPER_CASE),
      (key) => `Why does my upload fail? I use ${key} as the access key.`,
    ),
    inRequest(
      'secret_code_host_token',
      'A code host’s token in a command.',
      madeUpKey('ghp_', 36),
      (key) => `Explain this command: git clone https://${key}@git.invalid/app.git`,
    ),
    inRequest(
      'secret_payment_key',
      'A live payment key in code.',
      madeUpKey('sk_live_', 24),
      (key) => `Convert to TypeScript:\nconst stripe = require('stripe')('${key}');`,
    ),
    inRequest(
      'secret_model_key',
      'A model provider’s key in an environment file.',
      madeUpKey('sk-proj-', 64),
      (key) => `Is this file right?\nPORT=3000\nOPENAI_API_KEY=${key}\n`,
    ),
    inRequest(
      'secret_other_model_key',
      'Another provider’s key in a header.',
      madeUpKey('sk-ant-api03-', 93),
      (key) => `My request has the header x-api-key: ${key} and I get a 401. Why?`,
    ),
    inRequest(
      'secret_service_key',
      'A key of this gateway’s own form.',
      madeUpKey('svc_live_Ab3dEf7h_', 38),
      (key) => `I use the gateway with ${key}, how do I rotate it?`,
    ),
    inRequest(
      'secret_private_key',
      'A private key in PEM.',
      madeUpKey('MIIEowIBAAKCAQEA', 180),
      (key) =>
        `What format is this?\n-----BEGIN ${'RSA'} PRIVATE KEY-----\n${key}\n-----END ${'RSA'} PRIVATE KEY-----`,
    ),
    inRequest(
      'secret_database_url',
      'A database address with its password.',
      madeUpKey('Zr8', 17),
      (key) => `Why is this slow? DATABASE_URL=postgres://billing:${key}@db.internal.invalid:5432/billing`,
    ),
    inResponse(
      'secret_answer_key',
      'A model’s answer with a working key.',
      madeUpKey('AKIA', 16, UPPER_CASE.slice(3)),
      (key) => `The deployment uses the access key ${key}, you can reuse it.`,
    ),
    inResponse(
      'secret_answer_token',
      'A model’s answer with a token.',
      madeUpKey('glpat-', 20),
      (key) => `Add this to your pipeline: GITLAB_TOKEN=${key}`,
    ),
    inResponse(
      'secret_answer_assignment',
      'A model’s answer with a secret of no known form.',
      madeUpKey('', 40, HEX_DIGITS),
      (key) => `In config.yaml I found client_secret: "${key}".`,
    ),
    {
      name: 'secret_tool_result',
      description: 'A chat token in a tool’s result.',
      tried: {
        messages: [
          { role: 'user', content: 'Read the settings file.' },
          { role: 'tool', content: `slack:\n  bot_token: ${TOOL_KEY}\n` },
        ],
      },
      planted: [TOOL_KEY],
    },
  ],
};
