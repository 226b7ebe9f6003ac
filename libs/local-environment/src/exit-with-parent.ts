// Loaded before a service that a developer's command started: when that command is gone, the service stops too.
process.once('disconnect', () => {
  process.kill(process.pid, 'SIGTERM');
});
// The channel is there to be watched, not to keep the process alive.
process.channel?.unref();
