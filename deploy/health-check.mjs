// node deploy/health-check.mjs <url> ...: exits with 0 if one of the URLs responds with 200 within 3 s, else with 1.
const answers = process.argv.slice(2).map(async (address) => {
  const { ok } = await fetch(address, { signal: AbortSignal.timeout(3_000) });
  if (!ok) throw new Error(`${address} is not ready.`);
});
process.exit(
  await Promise.any(answers).then(
    () => 0,
    () => 1,
  ),
);
