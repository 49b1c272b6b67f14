import { DryMongoBinary } from 'mongodb-memory-server-core'
import { MongoBinaryDownloadUrl } from 'mongodb-memory-server-core/lib/util/MongoBinaryDownloadUrl.js'

/**
 * Where MongoDB keeps the mongod build for this system. The package knows which distributions there are builds for, and
 * obeys its MONGOMS_* variables (a mirror, another version). We take only the address from it: its own download does not
 * check certificates and tries again where a network is closed.
 */
export async function mongodArchiveUrl(): Promise<string> {
  return new MongoBinaryDownloadUrl(await DryMongoBinary.generateOptions()).getDownloadUrl()
}
