import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { type Clock, CLOCK, CONFIG, type Config } from '@portage/platform';

const ID_BYTES = 16;

/** Seconds for which a device is known after a login. */
export const DEVICE_SECONDS = 30 * 86_400;

/**
 * Recognises the devices from which operators have signed in. A device has a signed token in a cookie. It is no
 * credential: it only decides with which others the device shares the limits and the queue of password attempts.
 */
@Injectable()
export class OperatorDevices {
  private readonly key: Buffer;

  constructor(
    @Inject(CONFIG) { TOKEN_SECRET }: Pick<Config, 'TOKEN_SECRET'>,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {
    // Without the setting, which only the API needs, devices are known until the process ends.
    this.key = createHmac('sha256', TOKEN_SECRET ?? randomBytes(32))
      .update('portage operator device')
      .digest();
  }

  /**
   * The token of a device from which an operator has signed in.
   *
   * @param token what the device has; its id stays, so that logins make no further devices
   */
  issue(name: string, token: string | undefined): string {
    const id = this.idOf(name, token) ?? randomBytes(ID_BYTES).toString('base64url');
    const end = Math.floor(this.clock.now().getTime() / 1_000) + DEVICE_SECONDS;
    return `${id}.${end}.${this.sign(name, id, end).toString('base64url')}`;
  }

  /** The id of the device of a token; undefined if the token is not of this operator, or has ended. */
  idOf(name: string, token: string | undefined): string | undefined {
    const [, id, end, signature] = /^([\w-]{22})\.(\d{10})\.([\w-]{43})$/.exec(token ?? '') ?? [];
    if (id === undefined || end === undefined || signature === undefined) return undefined;
    if (!timingSafeEqual(this.sign(name, id, Number(end)), Buffer.from(signature, 'base64url')))
      return undefined;
    return Number(end) * 1_000 > this.clock.now().getTime() ? id : undefined;
  }

  private sign(name: string, id: string, end: number): Buffer {
    return createHmac('sha256', this.key).update(`${id} ${end} ${name}`).digest();
  }
}
