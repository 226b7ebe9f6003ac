// Loaded into the API before its own code (NODE_OPTIONS=--require). Measures how late a timer of the main thread fires,
// and for how much of that time the thread was ready to run but had no CPU: other processes of a busy machine are not
// the API's fault. Appends one line of JSON for each sample to EVENT_LOOP_SAMPLES.
const { appendFileSync, readFileSync } = require('node:fs');
const { isMainThread } = require('node:worker_threads');

const file = process.env.EVENT_LOOP_SAMPLES;
const INTERVAL_MS = 5;
const FLUSH_MS = 500;

/** Milliseconds that this thread has waited for a CPU, by the kernel's own count; 0 where it has none. */
function waitedForCpu() {
  try {
    return Number(readFileSync('/proc/thread-self/schedstat', 'utf8').split(' ')[1]) / 1e6;
  } catch {
    return 0;
  }
}

function measure() {
  let samples = [];
  let last = performance.now();
  let waited = waitedForCpu();
  let flushed = last;
  const sample = () => {
    const now = performance.now();
    const waitedNow = waitedForCpu();
    const delay = Math.max(0, now - last - INTERVAL_MS);
    samples.push([Date.now(), Math.round(delay * 100) / 100, Math.round((waitedNow - waited) * 100) / 100]);
    waited = waitedNow;
    if (now - flushed > FLUSH_MS) {
      appendFileSync(file, samples.map((one) => `${JSON.stringify(one)}\n`).join(''));
      samples = [];
      flushed = now;
    }
    last = performance.now();
    setTimeout(sample, INTERVAL_MS).unref();
  };
  setTimeout(sample, INTERVAL_MS).unref();
}

if (isMainThread && file) measure();
