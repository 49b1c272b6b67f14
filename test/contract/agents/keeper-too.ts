import { keeper } from './_keeper.ts'

export default keeper('keeper-too', { scope: 'all' })
