import * as agents from './agents.ts'
import * as batches from './batches.ts'
import * as containers from './containers.ts'
import { deleteBatch, deleteJob } from './deletion.ts'
import type { Endpoint } from './endpoint.ts'
import { getHealth } from './health.ts'
import * as jobs from './jobs.ts'
import { getMetrics } from './metrics.ts'
import * as prompts from './prompts.ts'
import { resolveResponse } from './responses.ts'
import * as traces from './traces.ts'

/** Every endpoint of the HTTP interface, in the order of the documentation. */
export const endpoints: Endpoint[] = [
  getHealth,
  prompts.createPrompt,
  prompts.listPrompts,
  prompts.getPrompt,
  prompts.cancelPrompt,
  jobs.createJob,
  jobs.listJobs,
  jobs.getJob,
  jobs.cancelJob,
  jobs.replayJob,
  deleteJob,
  batches.submitBatch,
  batches.addTasks,
  batches.listBatches,
  batches.getBatch,
  batches.cancelBatch,
  deleteBatch,
  agents.listAgents,
  agents.listTools,
  agents.chatByQuery,
  agents.chatByBody,
  traces.listTraces,
  traces.listGroupedTraces,
  traces.getTrace,
  getMetrics,
  resolveResponse,
  containers.listContainers,
  containers.getContainerLogs,
]
