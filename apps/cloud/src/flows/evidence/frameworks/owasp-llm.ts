import type { Framework } from '../framework.ts';

export const OWASP_LLM: Framework = {
  id: 'owasp-llm',
  name: 'OWASP Top 10 for LLM Applications',
  edition: '2025',
  source: 'https://genai.owasp.org/llm-top-10/',
  controls: [
    {
      id: 'LLM01',
      title: 'Prompt Injection',
      coverage: 'addressed',
      statement:
        'Prompts, documents, tool results and responses are scanned for instructions that try to take control; policies block, redact or report them.',
      figures: [
        'prompt_injection',
        'indirect_prompt_injection',
        'instruction_override',
        'jailbreak',
        'hidden_content',
        'blocked',
      ],
    },
    {
      id: 'LLM02',
      title: 'Sensitive Information Disclosure',
      coverage: 'addressed',
      statement:
        'Personal data and secrets are recognized in both directions and redacted, masked or blocked. Records contain no text.',
      figures: ['pii_leak', 'secret_leak', 'data_exfiltration', 'redacted'],
    },
    {
      id: 'LLM03',
      title: 'Supply Chain',
      coverage: 'partial',
      statement:
        'Tool definitions of MCP servers are pinned, and the models in use are listed. Where models and packages come from is not examined.',
      figures: ['models', 'unsafe_tool_call'],
    },
    {
      id: 'LLM04',
      title: 'Data and Model Poisoning',
      coverage: 'partial',
      statement:
        'Retrieved content is scanned when it reaches a prompt. Training data never passes this service.',
      figures: ['indirect_prompt_injection', 'hidden_content'],
    },
    {
      id: 'LLM05',
      title: 'Improper Output Handling',
      coverage: 'partial',
      statement:
        'Responses are scanned for scripts and for links that carry data out. Applications still have to encode what they display.',
      figures: ['malicious_script', 'data_exfiltration'],
    },
    {
      id: 'LLM06',
      title: 'Excessive Agency',
      coverage: 'addressed',
      statement:
        'Tool calls are held to allow lists, traced to the origin of their arguments, and held for a person where a project requires it.',
      figures: ['unsafe_tool_call', 'reviews_held', 'reviews_decided'],
    },
    {
      id: 'LLM07',
      title: 'System Prompt Leakage',
      coverage: 'addressed',
      statement: 'Attempts to read the system prompt and responses that repeat it are recognized.',
      figures: ['system_prompt_leak'],
    },
    {
      id: 'LLM08',
      title: 'Vector and Embedding Weaknesses',
      coverage: 'partial',
      statement:
        'Texts sent to embedding endpoints are scanned. The store of vectors and its permissions are outside.',
      figures: ['indirect_prompt_injection'],
    },
    {
      id: 'LLM09',
      title: 'Misinformation',
      coverage: 'outside',
      statement: 'Whether a response is true is not examined.',
      figures: [],
    },
    {
      id: 'LLM10',
      title: 'Unbounded Consumption',
      coverage: 'addressed',
      statement: 'Requests and tokens are limited by address, key and plan, and usage is counted by model.',
      figures: ['rejected', 'provider_calls', 'models'],
    },
  ],
};
