// Loaded into the API before its own code (NODE_OPTIONS=--require). Measures how late a timer of the main thread fires,
// and how much CPU time the thread used meanwhile: the rest of the delay is the fault of a busy machine. Appends one
// line of JSON for each sample to EVENT_LOOP_SAMPLES.
const { appendFileSync, readFileSync } = require('node:fs');
const { isMainThread } = require('node:worker_threads');

const file = process.env.EVENT_LOOP_SAMPLES;
const INTERVAL_MS = 5;
const FLUSH_MS = 500;

/** CPU time of this thread in milliseconds, by the kernel's own count; the clock where the kernel has none. */
function threadCpuMs() {
  try {
    return Number(readFileSync('/proc/thread-self/schedstat', 'utf8').split(' ')[0]) / 1e6;
  } catch {
    return performance.now();
  }
}

function measure() {
  let samples = [];
  let last = performance.now();
  let cpu = threadCpuMs();
  let flushed = last;
  const sample = () => {
    const now = performance.now();
    const cpuNow = threadCpuMs();
    const delay = Math.max(0, now - last - INTERVAL_MS);
    samples.push([Date.now(), Math.round(delay * 100) / 100, Math.round((cpuNow - cpu) * 100) / 100]);
    cpu = cpuNow;
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
