import { keeper } from './_keeper.ts'

export default keeper('keeper', { ttlSeconds: 3_600, scope: 'all' })
