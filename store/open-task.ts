/** A task of a batch that its range has to run: one that waits for something long goes on under a workflow of its own. */
export const OPEN_TASK = { completed_at: null, detached: { $ne: true } }
