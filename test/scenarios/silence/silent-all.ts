import { holdAFault } from '../hold-a-fault';

export default holdAFault({
  title: 'connections of all programs to PostgreSQL fall silent, as when its address moves',
  minutes: 2,
  perSecond: 10,
  seconds: [4, 20, 3],
  strike: (installation) =>
    installation.proxies('postgres').reduce((sum, proxy) => sum + proxy.silence('both'), 0),
});
