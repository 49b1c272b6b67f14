import { serveThread } from './serve-thread.ts'
import { readPage } from './read-page.ts'

// The thread that reads pages: nothing else runs in it, and it is ended when a page takes too long.
serveThread(readPage)
