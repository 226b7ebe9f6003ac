import type { FaultProxy } from '@portage/testing/installation';
import { holdAFault } from '../hold-a-fault';

/** The faults of one proxy. */
const FAULTS: readonly ((proxy: FaultProxy) => number)[] = [
  (proxy) => proxy.silence('both'),
  (proxy) => proxy.silence('to-client'),
  (proxy) => proxy.silence('to-server'),
  (proxy) => proxy.reset(),
  (proxy) => {
    proxy.refuse();
    return 1;
  },
  (proxy) => {
    proxy.loseAnswers(0.05);
    return proxy.connectionCount;
  },
  (proxy) => {
    proxy.delay(100);
    return proxy.connectionCount;
  },
  (proxy) => {
    proxy.dribble(200);
    return proxy.connectionCount;
  },
];

/** The seed chooses a fault for every connection between a program and a server. */
export default holdAFault({
  title: 'each program has another fault of the network',
  minutes: 2,
  perSecond: 8,
  seconds: [4, 12, 4],
  affectsNewConnections: true,
  strike: (installation, { random }) =>
    installation
      .proxies()
      .map((proxy) => FAULTS[Math.floor(random() * FAULTS.length)]!(proxy))
      .reduce((sum, count) => sum + count, 0),
});
