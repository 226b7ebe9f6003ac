import { holdAFault } from '../hold-a-fault';

/** The time that a cluster manager takes to notice the loss of the primary and to promote the standby. */
const PROMOTION_AFTER_MS = 5_000;

function losePrimary(title: string, signal: 'SIGKILL' | 'SIGSTOP') {
  return holdAFault({
    title,
    minutes: 2,
    needs: { postgres: { standby: 'synchronous' } },
    perSecond: 10,
    seconds: [4, 25, 5],
    strike: (installation) => {
      const proxies = installation.proxies('postgres');
      const connections = proxies.reduce((sum, proxy) => sum + proxy.connectionCount, 0);
      installation.servers.standby!.replacePrimary(signal, PROMOTION_AFTER_MS);
      return connections;
    },
  });
}

export default {
  'primary-killed': losePrimary('the primary is killed, and its synchronous standby promoted', 'SIGKILL'),
  'primary-silent': losePrimary(
    'the primary falls silent with its connections open, and its synchronous standby is promoted',
    'SIGSTOP',
  ),
};
