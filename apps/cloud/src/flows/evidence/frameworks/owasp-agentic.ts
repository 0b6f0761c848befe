import type { Framework } from '../framework.ts';

export const OWASP_AGENTIC: Framework = {
  id: 'owasp-agentic',
  name: 'OWASP Top 10 for Agentic Applications',
  edition: '2026',
  source: 'https://genai.owasp.org/resource/owasp-top-10-for-agentic-applications-for-2026/',
  controls: [
    {
      id: 'ASI01',
      title: 'Agent Goal Hijack',
      coverage: 'addressed',
      statement:
        'Tool results, pages and files are scanned for instructions before an agent reads them; flow control holds calls that untrusted data caused.',
      figures: ['indirect_prompt_injection', 'instruction_override', 'prompt_injection'],
    },
    {
      id: 'ASI02',
      title: 'Tool Misuse and Exploitation',
      coverage: 'addressed',
      statement: 'Tool calls are compared with lists and rules of the project before the agent runs them.',
      figures: ['unsafe_tool_call', 'reviews_held', 'reviews_decided'],
    },
    {
      id: 'ASI03',
      title: 'Identity and Privilege Abuse',
      coverage: 'partial',
      statement:
        'Each agent has a key with permissions, limits and an expiry; provider credentials stay with the gateway. Permissions inside the tools are outside.',
      figures: ['keys', 'rejected', 'secret_leak'],
    },
    {
      id: 'ASI04',
      title: 'Agentic Supply Chain Vulnerabilities',
      coverage: 'partial',
      statement:
        'Tool definitions of MCP servers are pinned: a changed definition is held until it is accepted.',
      figures: ['unsafe_tool_call'],
    },
    {
      id: 'ASI05',
      title: 'Unexpected Code Execution',
      coverage: 'partial',
      statement:
        'Scripts in responses and calls of tools that run commands are recognized. There is no sandbox for what an agent runs.',
      figures: ['malicious_script', 'unsafe_tool_call'],
    },
    {
      id: 'ASI06',
      title: 'Memory and Context Poisoning',
      coverage: 'partial',
      statement:
        'The whole conversation is scanned with each request, so stored content is examined when it returns. An agent’s own memory is outside.',
      figures: ['indirect_prompt_injection', 'hidden_content'],
    },
    {
      id: 'ASI07',
      title: 'Insecure Inter-Agent Communication',
      coverage: 'partial',
      statement:
        'MCP messages in both directions are scanned. Channels that do not pass the gateway are not seen.',
      figures: ['indirect_prompt_injection'],
    },
    {
      id: 'ASI08',
      title: 'Cascading Failures',
      coverage: 'partial',
      statement: 'Limits by key and the review of tool calls bound what a failing agent can cause.',
      figures: ['rejected', 'reviews_held'],
    },
    {
      id: 'ASI09',
      title: 'Human-Agent Trust Exploitation',
      coverage: 'partial',
      statement:
        'Reviewers see the tool, its arguments and the event that caused a request; people never approve their own requests.',
      figures: ['requests_decided', 'reviews_decided'],
    },
    {
      id: 'ASI10',
      title: 'Rogue Agents',
      coverage: 'partial',
      statement:
        'Keys and devices can be revoked within a second, and every decision about an agent is recorded.',
      figures: ['decisions', 'keys', 'devices'],
    },
  ],
};
