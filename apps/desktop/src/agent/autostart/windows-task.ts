import { escapeXml } from '../settings/escape-xml.ts';
import type { AgentProgram } from './agent-program.ts';

export const TASK_NAME = 'Content Security Agent';

/**
 * A task of the Task Scheduler schema 1.2: runs at the user's logon, and every minute in case the agent has ended; a
 * running instance is left alone. A task has no environment of its own: it gets the user's settings.
 */
export function windowsTask({ command, user }: AgentProgram): string {
  const [program = '', ...args] = command;
  // Without `--headless` a console window would stay open.
  const windowless = ['--headless', program, ...args].map(quoted).join(' ');
  return [
    '<?xml version="1.0" encoding="UTF-16"?>',
    '<Task version="1.2" xmlns="http://schemas.microsoft.com/windows/2004/02/mit/task">',
    '  <RegistrationInfo>',
    `    <Description>${escapeXml(TASK_NAME)}</Description>`,
    '  </RegistrationInfo>',
    '  <Triggers>',
    '    <LogonTrigger>',
    '      <Enabled>true</Enabled>',
    '      <Repetition>',
    '        <Interval>PT1M</Interval>',
    '      </Repetition>',
    `      <UserId>${escapeXml(user)}</UserId>`,
    '    </LogonTrigger>',
    '  </Triggers>',
    '  <Principals>',
    '    <Principal id="Author">',
    `      <UserId>${escapeXml(user)}</UserId>`,
    '      <LogonType>InteractiveToken</LogonType>',
    '      <RunLevel>LeastPrivilege</RunLevel>',
    '    </Principal>',
    '  </Principals>',
    '  <Settings>',
    '    <MultipleInstancesPolicy>IgnoreNew</MultipleInstancesPolicy>',
    '    <DisallowStartIfOnBatteries>false</DisallowStartIfOnBatteries>',
    '    <StopIfGoingOnBatteries>false</StopIfGoingOnBatteries>',
    '    <StartWhenAvailable>true</StartWhenAvailable>',
    '    <ExecutionTimeLimit>PT0S</ExecutionTimeLimit>',
    '    <Priority>5</Priority>',
    '  </Settings>',
    '  <Actions Context="Author">',
    '    <Exec>',
    '      <Command>conhost.exe</Command>',
    `      <Arguments>${escapeXml(windowless)}</Arguments>`,
    '    </Exec>',
    '  </Actions>',
    '</Task>',
    '',
  ].join('\r\n');
}

/** A path cannot contain a quotation mark on Windows. */
function quoted(value: string): string {
  return /\s/.test(value) ? `"${value}"` : value;
}
