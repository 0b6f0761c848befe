import { createHash, X509Certificate } from 'node:crypto';
import { escapeXml } from '../settings/escape-xml.ts';

const NAME = 'Content Security Agent';
const IDENTIFIER = 'com.content-security-agent.certificate';

/**
 * Returns a macOS configuration profile for device management that contains the root certificate of this computer and
 * makes Firefox follow the system's list
 * (https://mozilla.github.io/policy-templates/#certificates--importenterpriseroots). The same certificate gives the
 * same profile, so that a renewed one replaces it.
 */
export function configurationProfile(pem: string): string {
  const der = new X509Certificate(pem).raw;
  const certificate = payload('com.apple.security.root', `${IDENTIFIER}.root`, [
    ...entry('PayloadCertificateFileName', 'content-security-agent.cer'),
    '<key>PayloadContent</key>',
    `<data>${der.toString('base64')}</data>`,
  ]);
  const firefox = payload('org.mozilla.firefox', `${IDENTIFIER}.firefox`, [
    '<key>EnterprisePoliciesEnabled</key>',
    '<true/>',
    '<key>Certificates</key>',
    '<dict>',
    '<key>ImportEnterpriseRoots</key>',
    '<true/>',
    '</dict>',
  ]);
  const profile = payload('Configuration', IDENTIFIER, [
    ...entry('PayloadDescription', `Applications trust the certificate of ${NAME} on this computer.`),
    '<key>PayloadScope</key>',
    '<string>System</string>',
    '<key>PayloadContent</key>',
    '<array>',
    ...certificate,
    ...firefox,
    '</array>',
  ]);
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">',
    '<plist version="1.0">',
    ...profile,
    '</plist>',
    '',
  ].join('\n');

  function payload(type: string, identifier: string, more: readonly string[]): readonly string[] {
    return [
      '<dict>',
      ...entry('PayloadType', type),
      '<key>PayloadVersion</key>',
      '<integer>1</integer>',
      ...entry('PayloadIdentifier', identifier),
      ...entry('PayloadUUID', uuidOf(identifier, der)),
      ...entry('PayloadDisplayName', NAME),
      ...more,
      '</dict>',
    ];
  }
}

function entry(key: string, value: string): readonly string[] {
  return [`<key>${key}</key>`, `<string>${escapeXml(value)}</string>`];
}

/** RFC 9562, version 8 (custom). */
function uuidOf(identifier: string, der: Uint8Array): string {
  const hex = createHash('sha256').update(identifier).update(der).digest('hex').toUpperCase();
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-A${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
