import { DryMongoBinary } from 'mongodb-memory-server-core'
import { MongoBinaryDownloadUrl } from 'mongodb-memory-server-core/lib/util/MongoBinaryDownloadUrl.js'

/**
 * URL of the mongod build for this system. The package knows the builds of all distributions and supports
 * MONGOMS_* variables (a mirror, another version). Only its URL is used: its own download does not
 * check certificates and retries in networks without internet access.
 */
export async function mongodArchiveUrl(): Promise<string> {
  return new MongoBinaryDownloadUrl(await DryMongoBinary.generateOptions()).getDownloadUrl()
}
