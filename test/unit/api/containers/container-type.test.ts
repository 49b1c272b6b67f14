import { expect } from 'chai'
import { containerType, type ContainerTraits } from '../../../../api/containers/container-type.ts'

const none: ContainerTraits = { label: undefined, service: '', name: '', image: '' }

describe('containerType', () => {
  const table: [string, Partial<ContainerTraits>, string][] = [
    ['the label wins', { label: 'worker', service: 'mongo', image: 'mongo:8' }, 'worker'],
    ['a label of no known type is ignored', { label: 'queen', service: 'api' }, 'api'],
    ['a label in other letters is ignored', { label: 'API', service: 'worker' }, 'worker'],
    ['a database by its service', { service: 'db', name: 'shop-db-1' }, 'infrastructure'],
    ['a database by its image', { name: 'brave_tesla', image: 'mongo:8.0' }, 'infrastructure'],
    [
      'a database by an image with registry and digest',
      { image: 'ghcr.io/acme/postgres@sha256:00ff' },
      'infrastructure',
    ],
    ['a message bus', { service: 'bus' }, 'infrastructure'],
    ['a message queue, in two words', { service: 'message-queue' }, 'infrastructure'],
    ['an object store, in two words', { service: 'object_store' }, 'infrastructure'],
    ['an object store by its product', { image: 'minio/minio:latest' }, 'infrastructure'],
    ['Temporal', { image: 'temporalio/auto-setup:1.29' }, 'infrastructure'],
    ['infrastructure before api', { service: 'api', image: 'redis:8' }, 'infrastructure'],
    ['infrastructure before worker', { name: 'worker-mongo' }, 'infrastructure'],
    ['api by its service', { service: 'api', name: 'troupe-api-1', image: 'troupe:1' }, 'api'],
    ['api by its image', { name: 'x1', image: 'acme/agents-API:2' }, 'api'],
    ['api before worker', { service: 'worker', name: 'api-worker' }, 'api'],
    ['worker by its service', { service: 'worker', image: 'troupe:1' }, 'worker'],
    ['worker by a number behind it', { name: 'troupe_worker_12' }, 'worker'],
    ['several workers', { service: 'gpu-workers' }, 'worker'],
    ['words, not parts of words', { service: 'rapid', name: 'networker', image: 'busybox' }, 'other'],
    ['words that meet only across two names', { service: 'object', name: 'store' }, 'other'],
    ['letters of any script', { service: 'дapi', name: 'apié' }, 'other'],
    ['nothing known', { name: 'brave_tesla', image: 'alpine:3' }, 'other'],
    ['no names at all', {}, 'other'],
  ]
  for (const [name, traits, type] of table) {
    it(name, () => expect(containerType({ ...none, ...traits })).to.equal(type))
  }
})
