import { buildDashboard } from './build-dashboard.ts'

/** `npm run build:dashboard`: builds the dashboard unless it is there already. */
const say = (sentence: string): void => void process.stderr.write(`${sentence}\n`)
if (!(await buildDashboard(say))) say('The dashboard is up to date.')
