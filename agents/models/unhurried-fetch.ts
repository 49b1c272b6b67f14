import { fetch as undiciFetch, getGlobalDispatcher } from 'undici'

/**
 * Creates a `fetch` without time limits of its own, on the process's connections (and its proxy, if Node has one). The
 * standard one gives up after 300 seconds without a byte, but a model may think longer in silence. The caller enforces
 * its own limits.
 * @param limitMs - for the headers, and between two parts of the body; 0: none.
 */
export function unhurriedFetch(limitMs = 0): typeof fetch {
  const dispatcher = getGlobalDispatcher().compose(
    (dispatch) => (options, handler) =>
      dispatch({ ...options, headersTimeout: limitMs, bodyTimeout: limitMs }, handler),
  )
  return ((input: Parameters<typeof undiciFetch>[0], init: Parameters<typeof undiciFetch>[1]) =>
    undiciFetch(input, { ...init, dispatcher })) as typeof fetch
}
