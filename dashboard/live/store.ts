import { useSyncExternalStore } from 'react'

/** A value that changes outside of React. */
export class Store<State> {
  state: State
  readonly #listeners = new Set<() => void>()

  constructor(state: State) {
    this.state = state
  }

  set(state: State): void {
    this.state = state
    for (const listener of this.#listeners) listener()
  }

  update(change: Partial<State>): void {
    this.set({ ...this.state, ...change })
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }
}

/** The state of a store, kept up to date. */
export function useStore<State>(store: Store<State>): State {
  return useSyncExternalStore(store.subscribe, () => store.state)
}
