const PLACES = { tab: () => sessionStorage, device: () => localStorage }

/** How long something is kept: as long as the tab, or on the device. */
type Place = keyof typeof PLACES

/** Keeps something for the next time. @returns whether it was kept: a storage may be full, or forbidden. */
export function keep(place: Place, name: string, value: unknown): boolean {
  try {
    PLACES[place]().setItem(name, JSON.stringify(value))
    return true
  } catch {
    return false
  }
}

/** What was kept. It may be of another version, or damaged: what is no JSON counts as nothing. */
export function kept(place: Place, name: string): unknown {
  try {
    return JSON.parse(PLACES[place]().getItem(name) ?? 'null')
  } catch {
    return null
  }
}
