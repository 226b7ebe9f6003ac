import { isIP } from 'node:net';
import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config, PortageError } from '@portage/platform';
import type { FastifyRequest } from 'fastify';

type HostHeaders = Pick<FastifyRequest, 'headers' | 'host'> & { raw: { rawHeaders: readonly string[] } };

/**
 * Refuses requests for host names that this service does not have. A web page can give a name of its own the address of
 * this service and then read its answers as its own (DNS rebinding). Such a page has a name with a dot, so addresses,
 * `localhost` and names without a dot are always accepted; any other name must be in PUBLIC_HOSTS.
 */
@Injectable()
export class HostCheck {
  private readonly names: ReadonlySet<string>;
  private readonly suffixes: readonly string[];
  /** The header that was accepted last, because nearly all requests have the same. */
  private acceptedHeader: string | undefined;

  constructor(@Inject(CONFIG) { PUBLIC_HOSTS = [] }: Pick<Config, 'PUBLIC_HOSTS'>) {
    this.names = new Set(PUBLIC_HOSTS);
    this.suffixes = PUBLIC_HOSTS.filter((host) => host.startsWith('*.')).map((host) => host.slice(1));
  }

  /** The reason to refuse a request; undefined if there is none. */
  refusalOf(request: HostHeaders): PortageError | undefined {
    // Node drops a second Host header, and a proxy in front of this service may have used it.
    if (countHosts(request.raw.rawHeaders) > 1)
      return new PortageError('parse_error', 'The request has more than one Host header.');
    const { host } = request.headers;
    // `request.host` is the name that a trusted proxy forwarded. A page can set that header, but not Host.
    if (this.isAccepted(host) && (request.host === host || this.isAccepted(request.host))) return undefined;
    return new PortageError(
      'forbidden',
      'This service is not published under the host name of the request. Its operator lists host names in PUBLIC_HOSTS.',
    );
  }

  private isAccepted(header: string | undefined): boolean {
    // Only requests of HTTP/1.0 may lack the header, and no browser sends them.
    if (header === undefined || header === '' || header === this.acceptedHeader) return true;
    const name = nameOf(header);
    const isAccepted = name !== undefined && this.isPublic(name);
    if (isAccepted) this.acceptedHeader = header;
    return isAccepted;
  }

  private isPublic(name: string): boolean {
    return (
      !name.includes('.') ||
      name.endsWith('.localhost') ||
      isIP(name) !== 0 ||
      this.names.has(name) ||
      this.suffixes.some((suffix) => name.endsWith(suffix))
    );
  }
}

/** The name in a Host header, without port, brackets of IPv6 and the dot of an absolute name. Undefined if malformed. */
function nameOf(header: string): string | undefined {
  const match = /^(?:\[([^\]]*)\]|([^:]*))(?::\d*)?$/.exec(header);
  return match?.[1] ?? match?.[2]?.toLowerCase().replace(/\.$/, '');
}

function countHosts(rawHeaders: readonly string[]): number {
  let count = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] as string;
    if (name.length === 4 && name.toLowerCase() === 'host') count += 1;
  }
  return count;
}
