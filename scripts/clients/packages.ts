/** What `npm run clients` installs: the packages as people use them today. */
export const PACKAGES = {
  openai: '7.57.0',
  '@anthropic-ai/sdk': '1.11.0',
  '@google/genai': '3.1.0',
  ai: '7.0.173',
  '@ai-sdk/openai': '4.0.118',
  '@ai-sdk/anthropic': '4.0.105',
  '@ai-sdk/google': '4.0.121',
  '@ai-sdk/azure': '4.0.85',
} as const;
