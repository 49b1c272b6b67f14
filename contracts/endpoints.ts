import { getAbout } from './about.ts'
import * as agents from './agents.ts'
import { getBatchGrid, listBatchTasks } from './batch-tasks.ts'
import * as batches from './batches.ts'
import { cancelJobs } from './cancel-jobs.ts'
import { clearCache } from './cache.ts'
import * as containers from './containers.ts'
import { deleteBatch, deleteJob } from './deletion.ts'
import type { Endpoint } from './endpoint.ts'
import { getHealth } from './health.ts'
import * as jobs from './jobs.ts'
import { listKeys } from './keys.ts'
import { getLimits } from './limits.ts'
import { getMetricsSeries } from './metrics-series.ts'
import { getMetrics } from './metrics.ts'
import * as prompts from './prompts.ts'
import { resolveResponse } from './responses.ts'
import { createStreamTicket } from './stream-tickets.ts'
import { getTraceOutline } from './trace-outline.ts'
import * as traces from './traces.ts'

/** Every endpoint of the HTTP interface, in the order of the documentation. */
export const endpoints: Endpoint[] = [
  getHealth,
  getAbout,
  listKeys,
  prompts.createPrompt,
  prompts.listPrompts,
  prompts.getPrompt,
  prompts.cancelPrompt,
  jobs.createJob,
  jobs.listJobs,
  jobs.getJob,
  jobs.cancelJob,
  cancelJobs,
  jobs.replayJob,
  deleteJob,
  batches.submitBatch,
  batches.addTasks,
  batches.listBatches,
  batches.getBatch,
  batches.cancelBatch,
  deleteBatch,
  getBatchGrid,
  listBatchTasks,
  agents.listAgents,
  agents.listTools,
  agents.chatByQuery,
  agents.chatByBody,
  clearCache,
  traces.listTraces,
  traces.listGroupedTraces,
  getTraceOutline,
  traces.getTrace,
  getMetrics,
  getMetricsSeries,
  getLimits,
  resolveResponse,
  containers.listContainers,
  containers.getContainerLogs,
  createStreamTicket,
]
