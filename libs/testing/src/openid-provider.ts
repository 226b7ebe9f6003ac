import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { REPOSITORY } from './built-programs';

/** An OpenID provider on this machine, which signs everyone in with the claims of the test. */
export class OpenIdProvider {
  private constructor(private readonly child: ChildProcess) {}

  /** @param issuer the address of the provider, as `OPERATOR_OIDC_ISSUER` names it */
  static async start(issuer: string): Promise<OpenIdProvider> {
    const program = join(REPOSITORY, 'test', 'openid-provider', 'provider.mjs');
    const child = spawn(process.execPath, [program, new URL(issuer).port], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    await once(child.stdout, 'data');
    return new OpenIdProvider(child);
  }

  /** Sets the claims of the next ID tokens. */
  async claim(claims: Record<string, unknown>): Promise<void> {
    this.child.stdin!.write(`${JSON.stringify(claims)}\n`);
    await once(this.child.stdout!, 'data');
  }

  async stop(): Promise<void> {
    const ended = once(this.child, 'exit');
    this.child.stdin!.end();
    await ended;
  }
}
