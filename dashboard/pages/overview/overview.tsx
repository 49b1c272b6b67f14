import { useNavigate, useSearch } from '@tanstack/react-router'
import { useHealth, useJobs, useMetrics, useSeries } from '../../api/queries.ts'
import { Loaded, Panel } from '../../parts/panel.tsx'
import { Segmented } from '../../parts/segmented.tsx'
import { OVERVIEW_WINDOWS } from '../../search.ts'
import { CoolingDown } from '../limits/cooling-down.tsx'
import { FirstSteps } from './first-steps.tsx'
import { HealthLine } from './health-line.tsx'
import { LatencyChart, ThroughputChart } from './charts.tsx'
import { LatestFailures } from './latest-failures.tsx'
import { LongestRunning } from './longest-running.tsx'
import { Numbers } from './numbers.tsx'
import { RecentBatches } from './recent-batches.tsx'
import { TokensByModel } from './tokens-by-model.tsx'

const LABELS = new Map([
  [15, '15 min'],
  [60, '1 h'],
  [360, '6 h'],
  [1_440, '24 h'],
])
/** Intervals of a chart. */
const INTERVALS = 60

/** How the service is doing. */
export function Overview() {
  const { minutes = 60 } = useSearch({ from: '/' })
  const navigate = useNavigate({ from: '/' })
  const metrics = useMetrics()
  const series = useSeries(minutes, Math.max(1, Math.round(minutes / INTERVALS)))
  const running = useJobs({ status: 'running' }, 200, 5_000)
  const failed = useJobs({ status: 'failed' }, 100, 10_000)
  const health = useHealth()
  if (metrics.data?.total_jobs === 0) return <FirstSteps health={health} />
  return (
    <>
      <div className="page-title">
        <h1>Overview</h1>
        <HealthLine query={health} />
        <span className="spacer" />
        <Segmented
          label="Window"
          options={OVERVIEW_WINDOWS.map((value) => ({ value, label: LABELS.get(value) ?? String(value) }))}
          value={minutes}
          onChange={(value) => void navigate({ search: { minutes: value } })}
        />
      </div>
      <CoolingDown />
      <Numbers metrics={metrics} series={series} running={running} window={LABELS.get(minutes) ?? ''} />
      <div className="columns">
        <Panel title={`Ended, by ${minutes > INTERVALS ? `${minutes / INTERVALS} minutes` : 'minute'}`}>
          <Loaded query={series} lines={8}>
            {(data) => <ThroughputChart series={data} />}
          </Loaded>
        </Panel>
        <Panel title="Time to completion">
          <Loaded query={series} lines={8}>
            {(data) => <LatencyChart series={data} />}
          </Loaded>
        </Panel>
      </div>
      <div className="columns columns-even">
        <LatestFailures query={failed} />
        <LongestRunning />
      </div>
      <div className="columns">
        <RecentBatches />
        <TokensByModel query={series} window={LABELS.get(minutes) ?? ''} />
      </div>
    </>
  )
}
