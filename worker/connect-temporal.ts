import { NativeConnection } from '@temporalio/worker'
import { required, type Config } from '../config.ts'
import { temporalCredentials } from '../temporal.ts'

/** Opens the worker's connection, which its client shares. */
export async function connectTemporal(config: Config): Promise<NativeConnection> {
  return NativeConnection.connect({
    address: required(config, 'TEMPORAL_ADDRESS'),
    ...(await temporalCredentials(config)),
  })
}
