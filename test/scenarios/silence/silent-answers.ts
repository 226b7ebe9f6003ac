import { holdAFault, STRUCK } from '../hold-a-fault';

export default holdAFault({
  title: 'connections of an API and a worker to PostgreSQL carry no answers',
  minutes: 2,
  perSecond: 10,
  seconds: [4, 20, 3],
  strike: (installation) =>
    installation.proxies('postgres', STRUCK).reduce((sum, proxy) => sum + proxy.silence('to-client'), 0),
});
