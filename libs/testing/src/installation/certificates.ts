import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The paths of an authority, and of a server's certificate and key. */
export interface Certificates {
  authority: string;
  certificate: string;
  key: string;
}

/**
 * Makes an authority with openssl, and a certificate of it.
 *
 * @param directory is created for the files
 * @param host of the certificate, such as `IP:127.0.0.1` or `DNS:localhost`
 */
export function createCertificates(directory: string, host: string): Certificates {
  mkdirSync(directory, { recursive: true });
  const openssl = (command: string) =>
    execFileSync('openssl', command.split(' '), { cwd: directory, stdio: ['ignore', 'pipe', 'pipe'] });
  const newKey = '-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes';
  openssl(`req -x509 ${newKey} -days 2 -subj /CN=authority -keyout ca.key -out ca.pem`);
  openssl(`req ${newKey} -subj /CN=server -keyout server.key -out server.csr`);
  writeFileSync(join(directory, 'names'), `subjectAltName=${host}`);
  const signedBy = '-CA ca.pem -CAkey ca.key -CAcreateserial -extfile names';
  openssl(`x509 -req -in server.csr -days 2 ${signedBy} -out server.pem`);
  const [authority = '', certificate = '', key = ''] = ['ca.pem', 'server.pem', 'server.key'].map((name) =>
    join(directory, name),
  );
  return { authority, certificate, key };
}
