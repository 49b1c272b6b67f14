import { createRootRoute, createRoute, createRouter, lazyRouteComponent } from '@tanstack/react-router'
import { Failure } from './parts/panel.tsx'
import {
  batchSearch,
  compareSearch,
  executionSearch,
  executionsSearch,
  liveSearch,
  logSearch,
  newBatchSearch,
  overviewSearch,
  playgroundSearch,
} from './search.ts'
import { NotFound } from './shell/not-found.tsx'
import { Shell } from './shell/shell.tsx'

const root = createRootRoute({ component: Shell, notFoundComponent: NotFound })

const overview = createRoute({
  getParentRoute: () => root,
  path: '/',
  validateSearch: overviewSearch,
  component: lazyRouteComponent(() => import('./pages/overview/overview.tsx'), 'Overview'),
})
const executions = createRoute({
  getParentRoute: () => root,
  path: '/executions',
  validateSearch: executionsSearch,
  component: lazyRouteComponent(() => import('./pages/executions/executions.tsx'), 'Executions'),
})
const execution = createRoute({
  getParentRoute: () => root,
  path: '/executions/$id',
  validateSearch: executionSearch,
  component: lazyRouteComponent(() => import('./pages/execution/execution.tsx'), 'ExecutionPage'),
})
const batches = createRoute({
  getParentRoute: () => root,
  path: '/batches',
  component: lazyRouteComponent(() => import('./pages/batches/batches.tsx'), 'Batches'),
})
const newBatch = createRoute({
  getParentRoute: () => root,
  path: '/batches/new',
  validateSearch: newBatchSearch,
  component: lazyRouteComponent(() => import('./pages/new-batch/new-batch.tsx'), 'NewBatch'),
})
const batch = createRoute({
  getParentRoute: () => root,
  path: '/batches/$id',
  validateSearch: batchSearch,
  component: lazyRouteComponent(() => import('./pages/batch/batch.tsx'), 'BatchPage'),
})
const agents = createRoute({
  getParentRoute: () => root,
  path: '/agents',
  component: lazyRouteComponent(() => import('./pages/agents/agents.tsx'), 'Agents'),
})
const agent = createRoute({
  getParentRoute: () => root,
  path: '/agents/$id',
  component: lazyRouteComponent(() => import('./pages/agents/agent.tsx'), 'AgentPage'),
})
const playground = createRoute({
  getParentRoute: () => root,
  path: '/playground',
  validateSearch: playgroundSearch,
  component: lazyRouteComponent(() => import('./pages/playground/playground.tsx'), 'Playground'),
})
const live = createRoute({
  getParentRoute: () => root,
  path: '/live',
  validateSearch: liveSearch,
  component: lazyRouteComponent(() => import('./pages/live/live.tsx'), 'Live'),
})
const containers = createRoute({
  getParentRoute: () => root,
  path: '/containers',
  component: lazyRouteComponent(() => import('./pages/containers/containers.tsx'), 'Containers'),
})
const container = createRoute({
  getParentRoute: () => root,
  path: '/containers/$id',
  validateSearch: logSearch,
  component: lazyRouteComponent(() => import('./pages/containers/container.tsx'), 'ContainerPage'),
})
const service = createRoute({
  getParentRoute: () => root,
  path: '/service',
  component: lazyRouteComponent(() => import('./pages/service/service.tsx'), 'Service'),
})
const limits = createRoute({
  getParentRoute: () => root,
  path: '/limits',
  component: lazyRouteComponent(() => import('./pages/limits/limits.tsx'), 'LimitsPage'),
})
const compare = createRoute({
  getParentRoute: () => root,
  path: '/compare',
  validateSearch: compareSearch,
  component: lazyRouteComponent(() => import('./pages/compare/compare.tsx'), 'Compare'),
})

const pages = [overview, executions, execution, batches, newBatch, batch, agents, agent, playground, live, containers]

/** The pages by their addresses; what a page shows is in its address. */
export const router = createRouter({
  routeTree: root.addChildren([...pages, container, compare, service, limits]),
  defaultPreload: 'intent',
  scrollRestoration: true,
  defaultErrorComponent: ({ error }) => <Failure error={error as Error} onRetry={() => location.reload()} />,
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
