import Mocha from 'mocha'

/** The spec reporter, which also tells the parent process how many tests passed, failed and were skipped. */
class CountingReporter extends Mocha.reporters.Spec {
  constructor(runner: Mocha.Runner, options: Mocha.MochaOptions) {
    super(runner, options)
    runner.once('end', () => {
      const { passes, failures, pending } = this.stats
      process.send?.({ passed: passes, failed: failures, skipped: pending })
    })
  }
}

// Mocha requires its reporter, and wants the class itself.
export { CountingReporter as 'module.exports' }
