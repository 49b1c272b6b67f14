// Preloaded by every npm script (--import). npm forwards signals, but when npm itself is killed, its script would keep
// running and hold the port. Does nothing outside npm, where processes may outlive their parent.
const POLL_MS = 500

if (process.env.npm_lifecycle_event !== undefined) {
  const parent = process.ppid
  setInterval(() => {
    if (process.ppid !== parent) process.kill(process.pid, 'SIGTERM')
  }, POLL_MS).unref()
}
