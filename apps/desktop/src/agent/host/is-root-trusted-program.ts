/**
 * Runs as a program of its own, because a process reads the computer's roots only once. Takes the SHA-256 fingerprint
 * of a root and prints as JSON whether programs of this computer trust it.
 */
import { X509Certificate } from 'node:crypto';
import { getCACertificates } from 'node:tls';

const wanted = process.argv[2];
const isThere = getCACertificates('system').some((pem) => new X509Certificate(pem).fingerprint256 === wanted);
process.stdout.write(JSON.stringify(isThere));
