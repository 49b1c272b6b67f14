import { container, type Container } from '../../contracts/containers.ts'

const types = container.shape.type.options

/** The properties that determine the type of a container. */
export interface ContainerTraits {
  /** The label `troupe.type`, if present. */
  label: string | undefined
  service: string
  name: string
  image: string
}

// Matches whole words only: "mongo-express" contains the word "mongo", but "tablets" does not contain "table".
const infrastructureWords = new Set(
  [
    'database db mongo mongodb mongod postgres postgresql pgbouncer postgis mysql mariadb percona sqlite sqlserver mssql',
    'oracle cassandra scylla scylladb cockroach cockroachdb clickhouse couchdb couchbase dynamodb elasticsearch',
    'opensearch influxdb timescaledb neo4j qdrant milvus weaviate chroma chromadb pgvector',
    'redis valkey keydb dragonfly memcached cache',
    'bus mq broker messaging kafka redpanda rabbitmq rabbit nats pulsar activemq artemis mosquitto emqx zookeeper etcd',
    'storage objectstore blobstore s3 minio versitygw seaweedfs ceph localstack azurite',
    'temporal temporalio',
  ].flatMap((words) => words.split(' ')),
)
const infrastructurePhrases = ['object store', 'blob store', 'message queue']

/**
 * The type of a container: the label if it is one of the four types, otherwise decided by the words in the names of the
 * service, the container and the image. Infrastructure takes precedence over api, and api over worker.
 */
export function containerType({ label, service, name, image }: ContainerTraits): Container['type'] {
  const labelled = types.find((type) => type === label)
  if (labelled !== undefined) return labelled
  const names = [service, name, image].map(wordsOf)
  const words = new Set(names.flat())
  if (names.some(tellsInfrastructure)) return 'infrastructure'
  if (words.has('api')) return 'api'
  if (words.has('worker') || words.has('workers')) return 'worker'
  return 'other'
}

function wordsOf(name: string): string[] {
  return name
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')
}

function tellsInfrastructure(words: string[]): boolean {
  const text = ` ${words.join(' ')} `
  return (
    words.some((word) => infrastructureWords.has(word)) ||
    infrastructurePhrases.some((phrase) => text.includes(` ${phrase} `))
  )
}
