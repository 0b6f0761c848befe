import { escapeXml } from '../settings/escape-xml.ts';
import type { AgentProgram } from './agent-program.ts';

export const LAUNCHD_LABEL = 'com.content-security-agent.agent';

/** A property list, launchd.plist(5). `user` null: an agent of the user's own session. */
export function launchdPlist({ command, env, enrollmentFile }: AgentProgram, user: string | null): string {
  const settings = Object.entries(env).map(([name, value]) => `    ${key(name)}${string(value)}`);
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">',
    '<plist version="1.0">',
    '<dict>',
    `  ${key('Label')}${string(LAUNCHD_LABEL)}`,
    ...(user === null ? [] : [`  ${key('UserName')}${string(user)}`]),
    `  ${key('ProgramArguments')}`,
    '  <array>',
    ...command.map((part) => `    ${string(part)}`),
    '  </array>',
    `  ${key('EnvironmentVariables')}`,
    '  <dict>',
    ...settings,
    '  </dict>',
    `  ${key('RunAtLoad')}<true/>`,
    `  ${key('KeepAlive')}`,
    '  <dict>',
    `    ${key('PathState')}`,
    '    <dict>',
    `      ${key(enrollmentFile)}<true/>`,
    '    </dict>',
    '  </dict>',
    // `Background` would throttle every app that uses the proxy.
    `  ${key('ProcessType')}${string('Interactive')}`,
    // The watchdog puts the proxy setting back after the agent has died.
    `  ${key('AbandonProcessGroup')}<true/>`,
    '</dict>',
    '</plist>',
    '',
  ].join('\n');
}

function key(name: string): string {
  return `<key>${escapeXml(name)}</key>`;
}

function string(value: string): string {
  return `<string>${escapeXml(value)}</string>`;
}
