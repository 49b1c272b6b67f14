import { serveThread } from './serve-thread.ts'
import { readPage } from './read-page.ts'

// Entry point of the thread that reads pages. The pool terminates it if a page takes too long.
serveThread(readPage)
