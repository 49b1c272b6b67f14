import { z } from 'zod'
import { defineTool } from '../definition.ts'

const parameters = z.object({
  time_zone: z.string().default('UTC').describe('An IANA time zone such as Europe/Zurich.'),
})

/** The date and time in a time zone. An unknown zone throws an error, which the model reads. */
export const currentTime = defineTool({
  name: 'current_time',
  description: 'Tells the date and the time in a time zone.',
  parameters,
  execute: ({ time_zone: timeZone }: z.infer<typeof parameters>) => {
    const now = new Date()
    const local = new Intl.DateTimeFormat('en-GB', { dateStyle: 'full', timeStyle: 'medium', timeZone }).format(now)
    return { time_zone: timeZone, local, utc: now.toISOString() }
  },
})
