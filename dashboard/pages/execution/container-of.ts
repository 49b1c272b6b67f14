/** Characters of an id by which Docker names a container's host. */
const HOST_CHARACTERS = 12

/** The container in which a worker runs; undefined for one outside of containers. @param worker - as its events name it: `<process>@<host>` */
export function containerOf<Container extends { id: string }>(
  worker: unknown,
  containers: readonly Container[],
): Container | undefined {
  const host = typeof worker === 'string' ? worker.slice(worker.indexOf('@') + 1) : ''
  return host.length < HOST_CHARACTERS ? undefined : containers.find(({ id }) => id.startsWith(host))
}
