import { keeper } from './_keeper.ts'

export default keeper('own-keeper', true)
