import { holdAFault, STRUCK } from '../hold-a-fault';

export default holdAFault({
  title: 'connections of an API and a worker to Redis fall silent',
  minutes: 2,
  backends: ['redis'],
  perSecond: 10,
  seconds: [4, 20, 3],
  strike: (installation) =>
    installation.proxies('redis', STRUCK).reduce((sum, proxy) => sum + proxy.silence('both'), 0),
});
