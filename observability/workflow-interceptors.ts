import { fileURLToPath } from 'node:url'

/**
 * Modules that belong into every bundle of the workflows, traced or not: what is started with a trace somewhere must carry
 * it wherever it runs.
 */
export const workflowInterceptorModules = [fileURLToPath(new URL('./workflow-trace.ts', import.meta.url))]
