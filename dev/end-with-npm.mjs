// Preloaded by every npm script (--import): npm passes signals on, but when npm itself is killed nobody tells its script,
// which would go on holding the port. Outside npm there is no such parent, and processes may well outlive theirs.
const POLL_MS = 500

if (process.env.npm_lifecycle_event !== undefined) {
  const parent = process.ppid
  setInterval(() => {
    if (process.ppid !== parent) process.kill(process.pid, 'SIGTERM')
  }, POLL_MS).unref()
}
