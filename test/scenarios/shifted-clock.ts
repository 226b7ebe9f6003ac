import { existsSync } from 'node:fs';

const LIBFAKETIME = '/usr/lib/x86_64-linux-gnu/faketime/libfaketimeMT.so.1';

/**
 * The environment of a process whose clock differs from that of the machine. The monotonic clock, on which timers run,
 * stays as it is. Without libfaketime only the dates of JavaScript are shifted.
 */
export function shiftedClock(seconds: number): NodeJS.ProcessEnv {
  if (existsSync(LIBFAKETIME)) {
    const FAKETIME = `${seconds < 0 ? '' : '+'}${seconds}`;
    return { LD_PRELOAD: LIBFAKETIME, FAKETIME, DONT_FAKE_MONOTONIC: '1' };
  }
  const shifted = `
    const Real=Date,shift=${seconds * 1_000};
    globalThis.Date=class extends Real{
      constructor(...given){given.length>0?super(...given):super(Real.now()+shift)}
      static now(){return(Real.now()+shift)}
    }`.replaceAll(/\n\s*/g, '');
  return { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(shifted)}` };
}
