import { serveThread } from '../../../../agents/tools/page/serve-thread.ts'

// What a page might bring the parser to: work without end, a crash, or all memory there is.
serveThread((input: string): string => {
  if (input === 'endless') for (;;);
  if (input === 'crash') process.exit(1)
  if (input === 'environment') return Object.keys(process.env).join()
  if (input === 'throw') throw new Error('not this one')
  const kept: unknown[] = []
  while (input === 'memory') kept.push(new Array(1_000_000).fill(kept.length))
  return input.toUpperCase()
})
