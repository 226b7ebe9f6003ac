import type { LookupAddress } from 'node:dns';
import { Resolver } from 'node:dns/promises';
import { isIP, type LookupFunction } from 'node:net';
import { type AllowedNetworks, isPermittedAddress } from './address-check';

/** Resolves a host name to all its addresses. @throws Error if it has none */
export type ResolveName = (name: string) => Promise<readonly string[]>;

/** The host name has no address, or one that webhooks are not sent to. */
export class AddressRefused extends Error {
  override readonly name = 'AddressRefused';
}

/** Time for an answer of a name server, and how often it is asked. Their product is below the time of an attempt. */
const RESOLVER_OPTIONS = { timeout: 2_000, tries: 2 };

/**
 * Resolves names with the name servers of the system and without its threads, of which slow name servers could occupy
 * all. Search domains and /etc/hosts are not used, so that a name means the same as on the internet.
 *
 * @param servers name servers instead of those of the system, as `address:port`
 */
export async function resolveWithDns(name: string, servers?: readonly string[]): Promise<readonly string[]> {
  const resolver = new Resolver(RESOLVER_OPTIONS);
  if (servers) resolver.setServers(servers);
  const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
  return answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
}

/**
 * A `lookup` for connections: the addresses that it returns are those that it has checked, so no answer of a name server
 * can change between check and connection. A name with any refused address is refused as a whole.
 */
export function checkedLookup(allowed: AllowedNetworks, resolve: ResolveName): LookupFunction {
  return (name, options, callback) => {
    findAddresses(name, allowed, resolve).then(
      (addresses) => {
        const wanted = addresses.filter(({ family }) => !options.family || options.family === family);
        const [first] = wanted;
        if (!first) callback(new AddressRefused(name), []);
        else if (options.all) callback(null, wanted);
        else callback(null, first.address, first.family);
      },
      (error: unknown) => {
        callback(error instanceof AddressRefused ? error : new AddressRefused(name, { cause: error }), []);
      },
    );
  };
}

async function findAddresses(
  name: string,
  allowed: AllowedNetworks,
  resolve: ResolveName,
): Promise<LookupAddress[]> {
  const addresses = await resolve(name);
  if (addresses.length === 0 || !addresses.every((address) => isPermittedAddress(address, allowed)))
    throw new AddressRefused(name);
  return addresses.map((address) => ({ address, family: isIP(address) }));
}
