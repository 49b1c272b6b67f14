// Made from the OpenAPI document by `npm run client:types`; do not edit.

export interface paths {
    "/api/health": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Gets the health, version and components of the service */
        get: operations["getHealth"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/about": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Gets the settings of the service that user interfaces need */
        get: operations["getAbout"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Gets the permissions of the key of this request; for admins, also lists all keys */
        get: operations["listKeys"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/prompts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists prompts, newest first */
        get: operations["listPrompts"];
        put?: never;
        /**
         * Runs an agent or a chain of agents
         * @description Returns at once while the run continues. Follow it on `/ws/prompts/{prompt_id}`.
         */
        post: operations["createPrompt"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/prompts/{prompt_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Gets one prompt with inputs, outputs and token usage */
        get: operations["getPrompt"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/prompts/{prompt_id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancels a running execution
         * @description Takes effect at once and cannot be undone. Model and tool calls in progress are aborted.
         */
        post: operations["cancelPrompt"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/jobs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists executions of every kind, newest first
         * @description Executions must match all given filters.
         */
        get: operations["listJobs"];
        put?: never;
        /**
         * Runs an agent and waits for its end
         * @description The job continues when the connection is lost. Prefer `POST /api/prompts`.
         */
        post: operations["createJob"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/jobs/{job_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Gets one execution with inputs, outputs and token usage */
        get: operations["getJob"];
        put?: never;
        post?: never;
        /**
         * Deletes an execution that has ended
         * @description Also deletes its traces, steps and stored objects. This cannot be undone. The totals of the metrics do not change. Returns 409 while it is running. Also returns 409 for a task of a batch: delete the batch instead.
         */
        delete: operations["deleteJob"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/jobs/{job_id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Cancels a running execution */
        post: operations["cancelJob"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/jobs/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancels all running executions that match a filter
         * @description With `dry_run: true`, counts them without canceling any.
         */
        post: operations["cancelJobs"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/jobs/{job_id}/replay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Gets the stored result, or runs the job again
         * @description With `reexecute: true`, starts a new execution with the same inputs and waits for its end, unless `wait` is false.
         */
        post: operations["replayJob"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/agents/{agent_name}/batch": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Runs many tasks of one agent in parallel
         * @description With the `batch_id` of an existing batch, adds the tasks to it. Follow the batch on `/ws/batches/{batch_id}`.
         */
        post: operations["submitBatch"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/batches/{batch_id}/add-tasks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Adds tasks to a batch
         * @description A completed batch becomes running again. A canceled batch accepts no more tasks.
         */
        post: operations["addTasks"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/batches": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists batches, newest first */
        get: operations["listBatches"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/batches/{batch_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Gets one batch with its tasks, results and summary
         * @description Request only the fields that you need of a large batch: the cost of `?results=false&inputs=false&ids=false` does not depend on its size.
         */
        get: operations["getBatch"];
        put?: never;
        post?: never;
        /**
         * Deletes a batch that has ended, with all of its tasks
         * @description Also deletes its traces, steps and stored objects. This cannot be undone. The totals of the metrics do not change. Returns 409 while it is running. The id can be used for a new batch afterwards.
         */
        delete: operations["deleteBatch"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/batches/{batch_id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancels a batch and all of its unfinished tasks
         * @description The batch is canceled when the response arrives. In a very large batch, the last tasks are canceled shortly afterwards.
         */
        post: operations["cancelBatch"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/batches/{batch_id}/grid": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Gets the state of every task of a batch, as one letter per task
         * @description The response is plain text, one letter for each task: w waiting, r running, s success, e error, c canceled. With `Accept: application/json` it is an object with these letters and the state of the batch at the same moment. The response has an ETag: send it in `If-None-Match` to get 304 without a body while nothing has changed.
         */
        get: operations["getBatchGrid"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/batches/{batch_id}/tasks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists the tasks of a batch in the order of submission */
        get: operations["listBatchTasks"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/agents": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists the registered agents */
        get: operations["listAgents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/agents/{agent_name}/tools": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists the tools of an agent */
        get: operations["listTools"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/agents/{agent_name}/chat": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Sends a message to an agent
         * @description When the timeout expires, the task continues; get its response from `/api/responses/{task_id}/resolved` later.
         */
        get: operations["chatByQuery"];
        put?: never;
        /**
         * Sends a message to an agent
         * @description When the timeout expires, the task continues; get its response from `/api/responses/{task_id}/resolved` later.
         */
        post: operations["chatByBody"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/cache": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Clears the cache of model and tool results
         * @description The results of calls that are in progress are still cached when they complete.
         */
        delete: operations["clearCache"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/traces": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists trace events
         * @description Oldest first with `job_id`, otherwise newest first.
         */
        get: operations["listTraces"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/traces/grouped": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists executions by their latest event, each with all of its events */
        get: operations["listGroupedTraces"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/traces/outline": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Gets all events of an execution as columns, without payloads
         * @description A compact form for large traces: 100,000 events take a few hundred kilobytes. Get payloads from `/api/traces/{trace_id}`.
         */
        get: operations["getTraceOutline"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/traces/{trace_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Gets one trace event with its full payload */
        get: operations["getTrace"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/metrics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Gets the totals of the service */
        get: operations["getMetrics"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/metrics/series": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Gets counts, durations, tokens and costs of executions per interval
         * @description Counts, tokens and costs are exact. Percentiles come from a histogram with buckets 10 % wide, so their error is at most 5 %. The data is kept for seven days.
         */
        get: operations["getMetricsSeries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/limits": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Gets the limits, usage, waiting calls and cool-downs of provider accounts */
        get: operations["getLimits"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/responses/{task_id}/resolved": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Gets the full response of a task, wherever it is stored */
        get: operations["resolveResponse"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/logs/containers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Lists all containers, including stopped ones */
        get: operations["listContainers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/logs/containers/{container_name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Gets the log of a container */
        get: operations["getContainerLogs"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/stream-tickets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Creates a ticket that opens one WebSocket
         * @description Browsers cannot set headers on a WebSocket. A ticket keeps the key out of URLs and logs. It opens one WebSocket within 30 seconds, with the permissions of the key of this request.
         */
        post: operations["createStreamTicket"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        PromptRequest: {
            /** @description Name of the agent to execute. */
            prompt_name: string;
            /** @description Input data for the agent. */
            inputs: Record<string, unknown>;
            /**
             * @default single
             * @enum {string}
             */
            mode?: "single" | "sequential";
            /** @description The agents of a chain in order, for mode `sequential`. The output of each agent is the input of the next. */
            agents?: string[] | null;
            /**
             * @description True bypasses the cache: all calls are made again, and their results replace the cached ones.
             * @default false
             */
            no_cache?: boolean;
            budget?: components["schemas"]["Budget"];
        };
        /** @description Limits for the work: `usd`, `tokens`, `ms` (working time of models and tools), `modelCalls`, `toolCalls`. Called agents share the budget; if a called agent has its own budget, both apply. `warnAt` (default 0.8) is the spent fraction at which a warning event is recorded. With `onExceeded: "answer"`, a tenth of the budget is kept for one final answer; with `"fail"` (the default), the execution fails. */
        Budget: {
            usd?: number;
            tokens?: number;
            ms?: number;
            modelCalls?: number;
            toolCalls?: number;
            warnAt?: number;
            /** @enum {string} */
            onExceeded?: "fail" | "answer";
        };
        JobRequest: {
            /** @description Name of the agent to execute. */
            pipeline_name: string;
            inputs: Record<string, unknown>;
            /**
             * @description True bypasses the cache: all calls are made again, and their results replace the cached ones.
             * @default false
             */
            no_cache?: boolean;
            budget?: components["schemas"]["Budget"];
        };
        CancelJobsRequest: {
            /** @description Selects running executions; the fields have the same meaning as in `GET /api/jobs`. */
            filter: {
                /**
                 * @description Only executions of this kind.
                 * @enum {string}
                 */
                kind?: "prompt" | "job" | "task" | "chat";
                /** @description Only executions of this agent. */
                agent?: string;
                /** @description Only tasks of this batch. */
                batch_id?: string;
                /** @description Only executions created at this time or later. An ISO 8601 time, or a duration before now, such as 1h. */
                since?: string;
                /** @description Only executions created before this time. An ISO 8601 time, or a duration before now, such as 1h. */
                until?: string;
                /** @description Only executions whose id begins with this prefix of at least 4 characters. */
                id_prefix?: string;
            };
            /**
             * @description True counts the matching executions without canceling them.
             * @default false
             */
            dry_run?: boolean;
        };
        ReplayRequest: {
            /**
             * @description True runs the job again.
             * @default false
             */
            reexecute?: boolean;
            /**
             * @description False returns as soon as the new job has been accepted.
             * @default true
             */
            wait?: boolean;
            /**
             * @description True bypasses the cache: all calls are made again, and their results replace the cached ones.
             * @default true
             */
            no_cache?: boolean;
        };
        BatchRequest: {
            /** @description The inputs of each task; tasks run in parallel. */
            tasks: Record<string, unknown>[];
            /**
             * @description True waits until all tasks have ended and returns their results.
             * @default false
             */
            wait?: boolean;
            /** @description Id of an existing batch to add the tasks to, or the id for a new batch; null generates an id. */
            batch_id?: string | null;
            /**
             * @description True bypasses the cache: all calls are made again, and their results replace the cached ones.
             * @default false
             */
            no_cache?: boolean;
            /** @description Limits for all tasks of the new batch together. An existing batch keeps its budget. */
            budget?: components["schemas"]["Budget"];
            /** @description Limits for each task of this request. */
            task_budget?: components["schemas"]["Budget"];
        };
        AddTasksRequest: {
            /** @description The agent that runs the new tasks. */
            agent_name: string;
            /** @description The inputs of each task; tasks run in parallel. */
            tasks: Record<string, unknown>[];
            /**
             * @description True waits until all tasks have ended and returns their results.
             * @default false
             */
            wait?: boolean;
            /**
             * @description True bypasses the cache: all calls are made again, and their results replace the cached ones.
             * @default false
             */
            no_cache?: boolean;
            /** @description Limits for each task of this request. */
            task_budget?: components["schemas"]["Budget"];
        };
        ChatRequest: {
            message: string;
            /** @default true */
            wait?: boolean;
            /**
             * @description True bypasses the cache: all calls are made again, and their results replace the cached ones.
             * @default false
             */
            no_cache?: boolean;
            /**
             * @description How many seconds to wait for the response.
             * @default 30
             */
            timeout?: number;
            budget?: components["schemas"]["Budget"];
        };
        Span: {
            id: number;
            /** @description The agent for task events, the tool or the model for calls, otherwise the event type. */
            name: string;
            /** @enum {string} */
            type: "agent" | "tool" | "llm" | "event";
            /**
             * Format: date-time
             * @example 2026-01-31T09:30:00.000Z
             */
            start_time: string;
            agent: string;
            event_type: components["schemas"]["EventType"];
            input: Record<string, unknown>;
            output: Record<string, unknown> | null;
            metadata: Record<string, unknown>;
            children: components["schemas"]["Span"][];
        };
        /** @enum {string} */
        EventType: "task_start" | "task_complete" | "tool_call" | "llm_usage" | "cache_hit" | "delegation" | "error" | "task_cancel_requested" | "budget_warning" | "model_fallback";
        LogEntry: {
            /** @description ISO 8601 in UTC with nanoseconds; empty when the container engine gave none. */
            timestamp: string;
            message: string;
        };
        TraceMessage: {
            /** @constant */
            type: "trace";
            data: {
                id: number;
                job_id: string;
                agent_name: string;
                event_type: components["schemas"]["EventType"];
                /**
                 * Format: date-time
                 * @example 2026-01-31T09:30:00.000Z
                 */
                timestamp: string;
            };
        };
        Health: {
            /**
             * @description `degraded` when a component is unreachable.
             * @enum {string}
             */
            status: "ok" | "degraded";
            version: string;
            components: {
                database: string;
                storage: string;
                message_bus: string;
                tracing: {
                    enabled: boolean;
                    /** @enum {string} */
                    backend: "database" | "external" | "disabled";
                };
            };
            /** @description The components that did not respond in time; present while the status is `degraded`. */
            unreachable?: ("database" | "storage" | "message_bus")[];
        };
        /** @description Description of an error. */
        Error: {
            /** @description One sentence that explains the error. */
            detail: string;
        };
        About: {
            version: string;
            /**
             * Format: date-time
             * @description The server's clock.
             * @example 2026-01-31T09:30:00.000Z
             */
            now: string;
            temporal: {
                namespace: string;
                /** @description The workflow id of an execution or batch is this prefix followed by its id. */
                workflow_id_prefix: string;
                /** @description URL of Temporal's web UI; null when it is not configured. */
                ui: string | null;
            };
            /** @enum {string} */
            tracing: "database" | "external" | "disabled";
            /** @description Days after their end at which traces and executions are deleted; null keeps them for ever. */
            retention_days: {
                traces: number | null;
                executions: number | null;
            };
            max_body_bytes: number;
            response_offload_bytes: number;
        };
        KeyList: {
            /** @description The key of this request. */
            own: {
                /** @description Null when the service has no keys. */
                name: string | null;
                /** @enum {string} */
                role: "read" | "submit" | "admin";
                /** @description The agents that the key may submit to; null means all. */
                agents: string[] | null;
            };
            /** @description All keys, without their secret values; null unless the key of this request has the role `admin`. */
            keys: {
                name: string;
                /** @enum {string} */
                role: "read" | "submit" | "admin";
                /** @description The agents that the key may submit to; null means all. */
                agents: string[] | null;
                /** @description Relative share of the worker capacity. */
                weight: number;
            }[] | null;
        };
        PromptCreated: {
            prompt_id: string;
            /** @enum {string} */
            status: "running" | "completed" | "failed" | "canceled";
            agent: string;
            /** @enum {string} */
            mode: "single" | "sequential";
            agents: string[];
        };
        PromptItem: {
            prompt_id: string;
            prompt_name: string;
            /** @enum {string} */
            status: "running" | "completed" | "failed" | "canceled";
            /**
             * Format: date-time
             * @example 2026-01-31T09:30:00.000Z
             */
            created_at: string;
            completed_at: string | null;
        };
        Prompt: {
            prompt_id: string;
            prompt_name: string;
            /** @enum {string} */
            status: "running" | "completed" | "failed" | "canceled";
            /**
             * Format: date-time
             * @example 2026-01-31T09:30:00.000Z
             */
            created_at: string;
            completed_at: string | null;
            inputs: Record<string, unknown>;
            outputs: Record<string, unknown> | null;
            error: string | null;
            token_usage: components["schemas"]["TokenUsage"];
            cost: components["schemas"]["Cost"];
            budget: components["schemas"]["BudgetState"] | null;
            /** @description Name of the API key of the submission; null when the service has no keys. */
            submitted_by: string | null;
        };
        TokenUsage: {
            prompt_tokens: number;
            completion_tokens: number;
            total_tokens: number;
            by_model: components["schemas"]["ModelUsage"][];
        };
        ModelUsage: {
            provider: string;
            model: string;
            prompt_tokens: number;
            completion_tokens: number;
            total_tokens: number;
            /** @description Number of model calls. */
            calls: number;
        };
        /** @description Cost at the prices that applied when each call was made. */
        Cost: {
            /** @description US dollars; null while no price is known. */
            usd: number | null;
            /** @description False when the cost of at least one call is unknown; `usd` is then the sum of the known costs. */
            complete: boolean;
            by_model: components["schemas"]["ModelCost"][];
        };
        ModelCost: {
            provider: string;
            model: string;
            /** @description US dollars; null while no price is known. */
            usd: number | null;
            /** @description False when the cost of at least one call is unknown; `usd` is then the sum of the known costs. */
            complete: boolean;
            /** @description True when the provider did not report the usage, so Troupe estimated token counts. */
            estimated: boolean;
            /** @description Prompt tokens that were not cached. The token counts do not overlap. */
            input: number;
            /** @description Prompt tokens read from the provider's cache. */
            cached: number;
            /** @description Prompt tokens written to the provider's cache. */
            cache_write: number;
            /** @description Generated tokens, without reasoning. */
            output: number;
            reasoning: number;
        };
        BudgetState: {
            limits: {
                usd: number | null;
                tokens: number | null;
                ms: number | null;
                modelCalls: number | null;
                toolCalls: number | null;
            };
            /** @description Amounts used of each limited quantity. They exceed a limit at most by the error of an estimate. */
            spent: {
                usd: number | null;
                tokens: number | null;
                ms: number | null;
                modelCalls: number | null;
                toolCalls: number | null;
            };
            /** @description Amounts reserved by calls in progress. */
            reserved: {
                usd: number | null;
                tokens: number | null;
                ms: number | null;
                modelCalls: number | null;
                toolCalls: number | null;
            };
            /** @description Spent fraction at which a warning event is recorded. */
            warnAt: number;
            /**
             * @description What happens when the budget is exhausted.
             * @enum {string}
             */
            onExceeded: "fail" | "answer";
        };
        PromptCanceled: {
            /** @description False when the execution had already ended. */
            ok: boolean;
            prompt_id: string;
            /** @enum {string} */
            status: "running" | "completed" | "failed" | "canceled";
        };
        JobEnded: {
            job_id: string;
            /** @enum {string} */
            status: "success" | "error" | "canceled";
            result: Record<string, unknown> | null;
            error: string | null;
            duration_ms: number;
            agent: string;
        };
        JobItem: {
            job_id: string;
            /** @enum {string} */
            status: "running" | "completed" | "failed" | "canceled";
            pipeline_name: string;
            /**
             * Format: date-time
             * @example 2026-01-31T09:30:00.000Z
             */
            created_at: string;
            completed_at: string | null;
            /** @enum {string} */
            kind: "prompt" | "job" | "task" | "chat";
            /** @description The batch of a task; null for other kinds. */
            batch_id: string | null;
            /** @description Milliseconds from submission to end; null until the end. */
            duration_ms: number | null;
            total_tokens: number;
            /** @description The first 200 characters of the error message. */
            error: string | null;
        };
        Job: {
            job_id: string;
            /** @enum {string} */
            status: "running" | "completed" | "failed" | "canceled";
            pipeline_name: string;
            /**
             * Format: date-time
             * @example 2026-01-31T09:30:00.000Z
             */
            created_at: string;
            completed_at: string | null;
            /** @enum {string} */
            kind: "prompt" | "job" | "task" | "chat";
            /** @enum {string} */
            mode: "single" | "sequential";
            /** @description The agents of the execution, in order. */
            agents: string[];
            batch_id: string | null;
            /** @description Id of the execution that this one replays. */
            replay_of: string | null;
            /** @description When the first agent started. */
            started_at: string | null;
            inputs: Record<string, unknown>;
            outputs: Record<string, unknown> | null;
            error: string | null;
            token_usage: components["schemas"]["TokenUsage"];
            cost: components["schemas"]["Cost"];
            budget: components["schemas"]["BudgetState"] | null;
            /** @description Name of the API key of the submission; null when the service has no keys. */
            submitted_by: string | null;
        };
        Deleted: {
            ok: boolean;
            id: string;
            deleted: {
                /** @description Deleted executions; for a batch, its tasks. */
                executions: number;
                traces: number;
                steps: number;
                /** @description Objects deleted from the object store. */
                objects: number;
            };
        };
        JobCanceled: {
            ok: boolean;
            job_id: string;
            /** @enum {string} */
            status: "running" | "completed" | "failed" | "canceled";
        };
        JobsCanceled: {
            /** @description Running executions that match the filter. */
            matched: number;
            canceled: number;
            /** @description Executions that ended before they could be canceled. */
            already_ended: number;
            /** @description Executions that could not be canceled now; send the request again. */
            failed: number;
        };
        JobStored: {
            job_id: string;
            /** @enum {string} */
            status: "running" | "completed" | "failed" | "canceled";
            pipeline_name: string;
            /**
             * Format: date-time
             * @example 2026-01-31T09:30:00.000Z
             */
            created_at: string;
            completed_at: string | null;
            result: Record<string, unknown> | null;
            error: string | null;
        };
        JobReplayed: {
            job_id: string;
            /** @enum {string} */
            status: "success" | "error" | "canceled";
            result: Record<string, unknown> | null;
            error: string | null;
            duration_ms: number;
            agent: string;
            replay_of: string;
        };
        JobStarted: {
            job_id: string;
            /** @enum {string} */
            status: "running" | "completed" | "failed" | "canceled";
            agent: string;
            replay_of: string;
        };
        BatchSubmitted: {
            batch_id: string;
            agent_name: string;
            /** @enum {string} */
            status: "submitted" | "running" | "completed" | "canceled";
            /** @description The number of tasks of this request. */
            task_count: number;
            task_ids: string[];
            job_ids: string[];
            trace_ids: string[];
            /** @description Results in the order of the tasks; present with `wait: true`. */
            results?: components["schemas"]["TaskResult"][];
        };
        TaskResult: {
            task_id: string;
            /** @enum {string} */
            status: "success" | "error" | "canceled";
            /** @description `{status, result, error}`, or `{offloaded: true, pointer}` for a large response. */
            response: Record<string, unknown>;
        };
        TasksAdded: {
            batch_id: string;
            /** @enum {string} */
            status: "submitted" | "running" | "completed" | "canceled";
            added_job_ids: string[];
            added_trace_ids: string[];
            added_task_ids: string[];
            total_tasks: number;
            total_job_ids: number;
            /** @description Results in the order of the tasks; present with `wait: true`. */
            results?: components["schemas"]["TaskResult"][];
        };
        BatchItem: {
            batch_id: string;
            agent_name: string;
            /** @enum {string} */
            status: "submitted" | "running" | "completed" | "canceled";
            task_count: number;
            job_ids: string[];
            task_ids: string[];
            /**
             * Format: date-time
             * @example 2026-01-31T09:30:00.000Z
             */
            created_at: string;
            completed_at: string | null;
            summary: components["schemas"]["BatchSummary"];
        };
        BatchSummary: {
            total_expected: number;
            /** @description The number of tasks that have ended. */
            recorded: number;
            succeeded: number;
            /** @description Failed tasks, including canceled ones. */
            failed: number;
        };
        Batch: {
            batch_id: string;
            agent_name: string;
            /** @enum {string} */
            status: "submitted" | "running" | "completed" | "canceled";
            task_count: number;
            job_ids: string[];
            task_ids: string[];
            /**
             * Format: date-time
             * @example 2026-01-31T09:30:00.000Z
             */
            created_at: string;
            completed_at: string | null;
            inputs: {
                tasks: Record<string, unknown>[];
            };
            outputs: {
                /** @description Results by job_id. */
                results: {
                    [key: string]: {
                        /** @enum {string} */
                        status: "success" | "error" | "canceled";
                        /** @description The object, or `{offloaded: true, pointer}` for a large object. */
                        response: Record<string, unknown>;
                    };
                };
                summary: components["schemas"]["BatchSummary"];
            };
            cost: components["schemas"]["Cost"];
            budget: components["schemas"]["BudgetState"] | null;
            /** @description The budgets of the first submission, for use when tasks are run again. */
            budgets: {
                budget?: components["schemas"]["Budget"];
                task_budget?: components["schemas"]["Budget"];
            };
            /** @description Name of the API key of the submission; null when the service has no keys. */
            submitted_by: string | null;
        };
        BatchPart: {
            batch_id?: string;
            agent_name?: string;
            /** @enum {string} */
            status?: "submitted" | "running" | "completed" | "canceled";
            task_count?: number;
            job_ids?: string[];
            task_ids?: string[];
            /**
             * Format: date-time
             * @example 2026-01-31T09:30:00.000Z
             */
            created_at?: string;
            completed_at?: string | null;
            inputs?: {
                tasks: Record<string, unknown>[];
            };
            outputs?: {
                /** @description Results by job_id. */
                results: {
                    [key: string]: {
                        /** @enum {string} */
                        status: "success" | "error" | "canceled";
                        /** @description The object, or `{offloaded: true, pointer}` for a large object. */
                        response: Record<string, unknown>;
                    };
                };
                summary: components["schemas"]["BatchSummary"];
            };
            cost?: components["schemas"]["Cost"];
            budget?: components["schemas"]["BudgetState"] | null;
            /** @description The budgets of the first submission, for use when tasks are run again. */
            budgets?: {
                budget?: components["schemas"]["Budget"];
                task_budget?: components["schemas"]["Budget"];
            };
            /** @description Name of the API key of the submission; null when the service has no keys. */
            submitted_by?: string | null;
        };
        BatchCanceled: {
            ok: boolean;
            batch_id: string;
            /** @enum {string} */
            status: "submitted" | "running" | "completed" | "canceled";
        };
        BatchGrid: {
            batch_id: string;
            agent_name: string;
            /** @enum {string} */
            status: "submitted" | "running" | "completed" | "canceled";
            /**
             * Format: date-time
             * @example 2026-01-31T09:30:00.000Z
             */
            created_at: string;
            completed_at: string | null;
            /** @description When tasks were last added to the completed batch; null if this has never happened. */
            revived_at: string | null;
            summary: components["schemas"]["BatchSummary"];
            waiting: number;
            running: number;
            /** @description Canceled tasks; the summary counts them as failed, too. */
            canceled: number;
            token_usage: components["schemas"]["TokenUsage"];
            cost: components["schemas"]["Cost"];
            budget: components["schemas"]["BudgetState"] | null;
            /** @description One letter for each task, in the order of submission: w waiting, r running, s success, e error, c canceled. */
            tasks: string;
        };
        BatchTask: {
            task_id: string;
            /** @description Position in the batch, starting at 0. */
            index: number;
            agent: string;
            /** @enum {string} */
            state: "waiting" | "running" | "completed" | "failed" | "canceled";
            /**
             * Format: date-time
             * @example 2026-01-31T09:30:00.000Z
             */
            created_at: string;
            started_at: string | null;
            completed_at: string | null;
            /** @description Milliseconds from start to end; null until both are known. */
            duration_ms: number | null;
            total_tokens: number;
            /** @description The first 200 characters of the error message. */
            error: string | null;
        };
        Agent: {
            name: string;
            role: string;
            goal: string;
            /**
             * @description `active` while at least one worker that hosts the agent is alive.
             * @enum {string}
             */
            status: "active" | "inactive";
            /** @description In order of preference: the first is used, the others are fallbacks. Empty for agents in plain code, and for agents of workers of an earlier version. */
            models: string[];
            tools: string[];
            /**
             * Format: date-time
             * @description Time of the last heartbeat of a worker that hosts the agent.
             * @example 2026-01-31T09:30:00.000Z
             */
            last_seen: string;
            trace_count: number;
            /** @description How often the agent was started, including calls by other agents. */
            runs: number;
            last_executed: string | null;
            /** @description How its runs ended in the last 24 hours; the window starts on a full hour (`since`). */
            last_day: {
                /**
                 * Format: date-time
                 * @example 2026-01-31T09:30:00.000Z
                 */
                since: string;
                completed: number;
                failed: number;
                canceled: number;
            };
            /** @description JSON Schema of the inputs; null when any input is accepted. */
            input: Record<string, unknown> | null;
            /** @description JSON Schema of the outputs; null when the agent declares none. */
            output: Record<string, unknown> | null;
        };
        Tool: {
            name: string;
            description: string;
            /** @description JSON Schema of the parameters, as the model receives it. */
            parameters: Record<string, unknown>;
        };
        ChatAnswer: {
            task_id: string;
            /** @enum {string} */
            status: "submitted" | "completed" | "failed" | "canceled" | "timeout";
            /** @description The response of the agent; present when it has completed. */
            response?: Record<string, unknown> | null;
            /** @description Present when the timeout has expired; says where to get the response later. */
            message?: string;
        };
        CacheCleared: {
            ok: boolean;
            deleted: {
                answers: number;
                /** @description Objects deleted from the object store. */
                objects: number;
            };
        };
        Trace: {
            id: number;
            job_id: string;
            agent_name: string;
            event_type: components["schemas"]["EventType"];
            /** @description Id of the parent trace event. */
            parent_id: number | null;
            /** @description The fields depend on event_type. In lists, large values are replaced by `{offloaded: true, pointer}`. */
            payload: Record<string, unknown>;
            /**
             * Format: date-time
             * @example 2026-01-31T09:30:00.000Z
             */
            timestamp: string;
        };
        TraceGroup: {
            job_id: string;
            trace_count: number;
            agents: string[];
            /**
             * Format: date-time
             * @example 2026-01-31T09:30:00.000Z
             */
            start_time: string;
            /**
             * Format: date-time
             * @example 2026-01-31T09:30:00.000Z
             */
            end_time: string;
            traces: components["schemas"]["Trace"][];
        };
        TraceOutline: {
            job_id: string;
            /** @description The reference time of `columns.start`; null when there are no events. */
            start_time: string | null;
            /** @description Names; `columns.name` and `columns.agent` contain indexes into this array. */
            names: string[];
            /** @description Event types; `columns.type` contains indexes into this array. */
            event_types: components["schemas"]["EventType"][];
            /** @description Each column has one entry per event, in the order of event ids. */
            columns: {
                id: number[];
                /** @description Id of the parent event, or 0. */
                parent: number[];
                name: number[];
                agent: number[];
                type: number[];
                /** @description Milliseconds from `start_time` to the start of the event. */
                start: number[];
                /** @description Milliseconds; -1 for events without a duration. */
                duration: number[];
                /** @description 1 for errors and failed calls or tasks, otherwise 0. */
                failed: number[];
                prompt_tokens: number[];
                completion_tokens: number[];
            };
            /** @description Number of events in this response. */
            count: number;
            /** @description Pass this as `after` to get further events; null when there are none. */
            next_after: number | null;
        };
        Metrics: {
            total_jobs: number;
            completed_jobs: number;
            failed_jobs: number;
            /** @description Average over completed executions. */
            avg_latency_ms: number;
            active_agents_count: number;
            tool_calls: number;
            cache_hits: number;
            total_tokens: number;
            /**
             * Format: date-time
             * @example 2026-01-31T09:30:00.000Z
             */
            timestamp: string;
        };
        MetricsSeries: {
            minutes: number;
            /** @description Length of an interval in minutes. */
            step: number;
            /**
             * Format: date-time
             * @example 2026-01-31T09:30:00.000Z
             */
            now: string;
            /** @description Oldest first, without gaps; the last interval is still in progress. */
            points: components["schemas"]["MetricsPoint"][];
            total: components["schemas"]["MetricsPoint"];
        };
        MetricsPoint: {
            /**
             * Format: date-time
             * @description Start of the interval.
             * @example 2026-01-31T09:30:00.000Z
             */
            at: string;
            created: number;
            completed: number;
            failed: number;
            canceled: number;
            /** @description Median duration of completed executions from submission to end; null when there are none. */
            p50_ms: number | null;
            /** @description 95th percentile of the same durations. */
            p95_ms: number | null;
            tokens: components["schemas"]["ModelUsage"][];
            cost: components["schemas"]["Cost"];
        };
        Limits: {
            accounts: components["schemas"]["Account"][];
            /**
             * Format: date-time
             * @example 2026-01-31T09:30:00.000Z
             */
            timestamp: string;
        };
        Account: {
            /** @description A provider, or `provider/model`. */
            account: string;
            /** @description The limits of the setting LIMITS; null means no limit. */
            configured: {
                rpm: number | null;
                tpm: number | null;
                concurrent: number | null;
            } | null;
            /** @description The limits from the provider's response headers; null when unknown. */
            learned: {
                rpm: number | null;
                tpm: number | null;
            };
            /** @description Reduced limit of concurrent calls after rejections by the provider; null once the provider accepts full concurrency again. */
            adaptive_concurrent: number | null;
            /** @description Calls in progress; counted for limited accounts and during a cool-down. */
            in_use: number;
            /** @description Calls that wait for capacity in a worker, and executions that wait durably in Temporal because the wait is long. */
            waiting: {
                chat: number;
                prompt: number;
                task: number;
            };
            /** @description The number of workers that share the limits. */
            workers: number;
            /** @description No calls start during the cool-down; null without one. */
            cooldown: {
                /**
                 * Format: date-time
                 * @example 2026-01-31T09:30:00.000Z
                 */
                since: string;
                /**
                 * Format: date-time
                 * @example 2026-01-31T09:30:00.000Z
                 */
                until: string;
                code: string;
            } | null;
        };
        ResolvedResponse: {
            task_id: string;
            /** @description True when the response is stored in the object store. */
            offloaded: boolean;
            /** @description Null when the response is stored inline. */
            pointer: components["schemas"]["Pointer"] | null;
            /** @description The full response; null for a canceled execution. */
            data: Record<string, unknown> | null;
        };
        Pointer: {
            bucket: string;
            key: string;
            size_bytes: number;
        };
        Container: {
            id: string;
            name: string;
            service_name: string;
            project_name: string;
            /** @enum {string} */
            type: "api" | "worker" | "infrastructure" | "other";
            status: string;
            image: string;
            created: string;
        };
        StreamTicket: {
            /** @description Pass this as `?ticket=` when opening a WebSocket. */
            ticket: string;
            /**
             * Format: date-time
             * @example 2026-01-31T09:30:00.000Z
             */
            expires_at: string;
        };
        TracesMessage: {
            /** @constant */
            type: "traces";
            data: {
                spans: components["schemas"]["Span"][];
                count: number;
            };
        };
        DeltaMessage: {
            /** @constant */
            type: "delta";
            data: {
                job_id: string;
                agent_name: string;
                /** @description Identifies the model call within its execution. */
                step: string;
                /** @description Increases with each attempt at the call; each attempt starts its text again. */
                attempt: number;
                /** @description Number of UTF-16 characters of all kinds before this part. Parts may overlap with earlier ones. */
                offset: number;
                /** @enum {string} */
                kind: "text" | "reasoning" | "tool_input";
                text: string;
                /**
                 * @description Present when a new attempt starts: discard the text of the earlier attempt.
                 * @constant
                 */
                reset?: true;
            };
        };
        CompleteMessage: {
            /** @constant */
            type: "complete";
            data: {
                status: string;
                outputs: Record<string, unknown>;
                error: string | null;
                spans: components["schemas"]["Span"][];
                /**
                 * @description Present when the spans of a very large batch are incomplete.
                 * @constant
                 */
                truncated?: true;
            };
        };
        ErrorMessage: {
            /** @constant */
            type: "error";
            data: {
                error: string;
            };
        };
        LogMessage: {
            /** @constant */
            type: "log";
            data: components["schemas"]["LogEntry"];
        };
        BatchMessage: {
            /** @constant */
            type: "batch";
            events: components["schemas"]["TraceMessage"][];
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    getHealth: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Health"];
                };
            };
            /** @description Invalid or missing API key. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key does not permit this, the request comes from a web page of another origin, or its Host header is not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Method not allowed; the Allow header lists the allowed methods. */
            405: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal server error; search the log for the X-Request-Id. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A required server is unavailable, or the service is overloaded; try again after the time in Retry-After. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getAbout: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["About"];
                };
            };
            /** @description Invalid or missing API key. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key does not permit this, the request comes from a web page of another origin, or its Host header is not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Method not allowed; the Allow header lists the allowed methods. */
            405: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal server error; search the log for the X-Request-Id. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A required server is unavailable, or the service is overloaded; try again after the time in Retry-After. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listKeys: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["KeyList"];
                };
            };
            /** @description Invalid or missing API key. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key does not permit this, the request comes from a web page of another origin, or its Host header is not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Method not allowed; the Allow header lists the allowed methods. */
            405: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal server error; search the log for the X-Request-Id. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A required server is unavailable, or the service is overloaded; try again after the time in Retry-After. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listPrompts: {
        parameters: {
            query?: {
                /** @description Maximum number of prompts to return. */
                limit?: number;
                /** @description Number of prompts to skip. */
                offset?: number;
                /** @description The `next_cursor` of the previous page. Cannot be combined with `offset`. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        prompts: components["schemas"]["PromptItem"][];
                        limit: number;
                        /** @description Pass this as `cursor` to get the next page; null on the last page. */
                        next_cursor: string | null;
                    };
                };
            };
            /** @description Bad request; the detail names the field. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Invalid or missing API key. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key does not permit this, the request comes from a web page of another origin, or its Host header is not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Method not allowed; the Allow header lists the allowed methods. */
            405: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal server error; search the log for the X-Request-Id. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A required server is unavailable, or the service is overloaded; try again after the time in Retry-After. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    createPrompt: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key and body within 24 hours give the first answer again. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "prompt_name": "researcher",
                 *       "inputs": {
                 *         "query": "Why is the sky blue?"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["PromptRequest"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PromptCreated"];
                };
            };
            /** @description Bad request; the detail names the field. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Invalid or missing API key. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key does not permit this, the request comes from a web page of another origin, or its Host header is not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unknown resource, agent or path. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Method not allowed; the Allow header lists the allowed methods. */
            405: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The request did not arrive in time. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The Idempotency-Key was used with a different body, or the execution or batch to delete is still running. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The body is larger than MAX_BODY_BYTES, contains more than 1,000,000 objects and arrays, 500,000 distinct field names or 500,000 numbers that a double cannot represent, or has too many tasks. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal server error; search the log for the X-Request-Id. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Reading from or writing to the object store failed. */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A required server is unavailable, or the service is overloaded; try again after the time in Retry-After. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getPrompt: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id from the response of the submission; the id of any execution works. */
                prompt_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Prompt"];
                };
            };
            /** @description Bad request; the detail names the field. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Invalid or missing API key. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key does not permit this, the request comes from a web page of another origin, or its Host header is not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unknown resource, agent or path. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Method not allowed; the Allow header lists the allowed methods. */
            405: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal server error; search the log for the X-Request-Id. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Reading from or writing to the object store failed. */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A required server is unavailable, or the service is overloaded; try again after the time in Retry-After. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    cancelPrompt: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id from the response of the submission; the id of any execution works. */
                prompt_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PromptCanceled"];
                };
            };
            /** @description Bad request; the detail names the field. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Invalid or missing API key. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key does not permit this, the request comes from a web page of another origin, or its Host header is not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unknown resource, agent or path. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Method not allowed; the Allow header lists the allowed methods. */
            405: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The request did not arrive in time. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The body is larger than MAX_BODY_BYTES, contains more than 1,000,000 objects and arrays, 500,000 distinct field names or 500,000 numbers that a double cannot represent, or has too many tasks. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal server error; search the log for the X-Request-Id. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A required server is unavailable, or the service is overloaded; try again after the time in Retry-After. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listJobs: {
        parameters: {
            query?: {
                /** @description Only executions with this status. */
                status?: "running" | "completed" | "failed" | "canceled";
                /** @description Only executions of this kind. */
                kind?: "prompt" | "job" | "task" | "chat";
                /** @description Only executions of this agent; for a chain, its prompt_name. */
                agent?: string;
                /** @description Only tasks of this batch. */
                batch_id?: string;
                /** @description Only executions created at this time or later. An ISO 8601 time, or a duration before now, such as 1h. */
                since?: string;
                /** @description Only executions created before this time. An ISO 8601 time, or a duration before now, such as 1h. */
                until?: string;
                /** @description Only executions whose id begins with this prefix of at least 4 characters. */
                id_prefix?: string;
                /** @description Maximum number of jobs to return. */
                limit?: number;
                /** @description Number of jobs to skip. */
                offset?: number;
                /** @description The `next_cursor` of the previous page. Cannot be combined with `offset`. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        jobs: components["schemas"]["JobItem"][];
                        limit: number;
                        offset: number;
                        /** @description The number of executions in the whole list. For a filtered list, counting stops at 10000; there may be more. */
                        total: number;
                        /** @description Pass this as `cursor` to get the next page; null on the last page. */
                        next_cursor: string | null;
                    };
                };
            };
            /** @description Bad request; the detail names the field. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Invalid or missing API key. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key does not permit this, the request comes from a web page of another origin, or its Host header is not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Method not allowed; the Allow header lists the allowed methods. */
            405: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal server error; search the log for the X-Request-Id. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A required server is unavailable, or the service is overloaded; try again after the time in Retry-After. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    createJob: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key and body within 24 hours give the first answer again. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "pipeline_name": "researcher",
                 *       "inputs": {
                 *         "query": "Why is the sky blue?"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["JobRequest"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JobEnded"];
                };
            };
            /** @description Bad request; the detail names the field. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Invalid or missing API key. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key does not permit this, the request comes from a web page of another origin, or its Host header is not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unknown resource, agent or path. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Method not allowed; the Allow header lists the allowed methods. */
            405: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The request did not arrive in time. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The Idempotency-Key was used with a different body, or the execution or batch to delete is still running. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The body is larger than MAX_BODY_BYTES, contains more than 1,000,000 objects and arrays, 500,000 distinct field names or 500,000 numbers that a double cannot represent, or has too many tasks. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal server error; search the log for the X-Request-Id. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Reading from or writing to the object store failed. */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A required server is unavailable, or the service is overloaded; try again after the time in Retry-After. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getJob: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of any execution: job, prompt, task or chat message. */
                job_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Job"];
                };
            };
            /** @description Bad request; the detail names the field. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Invalid or missing API key. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key does not permit this, the request comes from a web page of another origin, or its Host header is not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unknown resource, agent or path. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Method not allowed; the Allow header lists the allowed methods. */
            405: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal server error; search the log for the X-Request-Id. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Reading from or writing to the object store failed. */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A required server is unavailable, or the service is overloaded; try again after the time in Retry-After. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    deleteJob: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of any execution: job, prompt or chat message. */
                job_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Deleted"];
                };
            };
            /** @description Bad request; the detail names the field. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Invalid or missing API key. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key does not permit this, the request comes from a web page of another origin, or its Host header is not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unknown resource, agent or path. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Method not allowed; the Allow header lists the allowed methods. */
            405: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The request did not arrive in time. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The Idempotency-Key was used with a different body, or the execution or batch to delete is still running. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The body is larger than MAX_BODY_BYTES, contains more than 1,000,000 objects and arrays, 500,000 distinct field names or 500,000 numbers that a double cannot represent, or has too many tasks. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal server error; search the log for the X-Request-Id. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Reading from or writing to the object store failed. */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A required server is unavailable, or the service is overloaded; try again after the time in Retry-After. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    cancelJob: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of any execution: job, prompt, task or chat message. */
                job_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JobCanceled"];
                };
            };
            /** @description Bad request; the detail names the field. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Invalid or missing API key. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key does not permit this, the request comes from a web page of another origin, or its Host header is not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unknown resource, agent or path. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Method not allowed; the Allow header lists the allowed methods. */
            405: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The request did not arrive in time. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The body is larger than MAX_BODY_BYTES, contains more than 1,000,000 objects and arrays, 500,000 distinct field names or 500,000 numbers that a double cannot represent, or has too many tasks. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal server error; search the log for the X-Request-Id. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A required server is unavailable, or the service is overloaded; try again after the time in Retry-After. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    cancelJobs: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "filter": {
                 *         "agent": "researcher",
                 *         "since": "1h"
                 *       },
                 *       "dry_run": true
                 *     }
                 */
                "application/json": components["schemas"]["CancelJobsRequest"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JobsCanceled"];
                };
            };
            /** @description Bad request; the detail names the field. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Invalid or missing API key. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key does not permit this, the request comes from a web page of another origin, or its Host header is not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Method not allowed; the Allow header lists the allowed methods. */
            405: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The request did not arrive in time. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The body is larger than MAX_BODY_BYTES, contains more than 1,000,000 objects and arrays, 500,000 distinct field names or 500,000 numbers that a double cannot represent, or has too many tasks. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal server error; search the log for the X-Request-Id. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A required server is unavailable, or the service is overloaded; try again after the time in Retry-After. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    replayJob: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key and body within 24 hours give the first answer again. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The id of any execution: job, prompt, task or chat message. */
                job_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "reexecute": true
                 *     }
                 */
                "application/json": components["schemas"]["ReplayRequest"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JobStored"] | components["schemas"]["JobReplayed"] | components["schemas"]["JobStarted"];
                };
            };
            /** @description Bad request; the detail names the field. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Invalid or missing API key. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key does not permit this, the request comes from a web page of another origin, or its Host header is not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unknown resource, agent or path. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Method not allowed; the Allow header lists the allowed methods. */
            405: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The request did not arrive in time. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The Idempotency-Key was used with a different body, or the execution or batch to delete is still running. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The body is larger than MAX_BODY_BYTES, contains more than 1,000,000 objects and arrays, 500,000 distinct field names or 500,000 numbers that a double cannot represent, or has too many tasks. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal server error; search the log for the X-Request-Id. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Reading from or writing to the object store failed. */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A required server is unavailable, or the service is overloaded; try again after the time in Retry-After. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    submitBatch: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key and body within 24 hours give the first answer again. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The agent that runs the tasks. */
                agent_name: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "tasks": [
                 *         {
                 *           "query": "one"
                 *         },
                 *         {
                 *           "query": "two"
                 *         }
                 *       ],
                 *       "wait": false
                 *     }
                 */
                "application/json": components["schemas"]["BatchRequest"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BatchSubmitted"];
                };
            };
            /** @description Bad request; the detail names the field. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Invalid or missing API key. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key does not permit this, the request comes from a web page of another origin, or its Host header is not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unknown resource, agent or path. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Method not allowed; the Allow header lists the allowed methods. */
            405: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The request did not arrive in time. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The Idempotency-Key was used with a different body, or the execution or batch to delete is still running. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The body is larger than MAX_BODY_BYTES, contains more than 1,000,000 objects and arrays, 500,000 distinct field names or 500,000 numbers that a double cannot represent, or has too many tasks. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal server error; search the log for the X-Request-Id. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Reading from or writing to the object store failed. */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A required server is unavailable, or the service is overloaded; try again after the time in Retry-After. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    addTasks: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key and body within 24 hours give the first answer again. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The id of the batch. */
                batch_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "agent_name": "researcher",
                 *       "tasks": [
                 *         {
                 *           "query": "three"
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["AddTasksRequest"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TasksAdded"];
                };
            };
            /** @description Bad request; the detail names the field. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Invalid or missing API key. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key does not permit this, the request comes from a web page of another origin, or its Host header is not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unknown resource, agent or path. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Method not allowed; the Allow header lists the allowed methods. */
            405: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The request did not arrive in time. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The Idempotency-Key was used with a different body, or the execution or batch to delete is still running. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The body is larger than MAX_BODY_BYTES, contains more than 1,000,000 objects and arrays, 500,000 distinct field names or 500,000 numbers that a double cannot represent, or has too many tasks. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal server error; search the log for the X-Request-Id. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Reading from or writing to the object store failed. */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A required server is unavailable, or the service is overloaded; try again after the time in Retry-After. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listBatches: {
        parameters: {
            query?: {
                /** @description False leaves `job_ids` and `task_ids` empty. */
                ids?: boolean;
                /** @description Maximum number of batches to return. */
                limit?: number;
                /** @description Number of batches to skip. */
                offset?: number;
                /** @description The `next_cursor` of the previous page. Cannot be combined with `offset`. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        batches: components["schemas"]["BatchItem"][];
                        limit: number;
                        /** @description Pass this as `cursor` to get the next page; null on the last page. */
                        next_cursor: string | null;
                    };
                };
            };
            /** @description Bad request; the detail names the field. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Invalid or missing API key. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key does not permit this, the request comes from a web page of another origin, or its Host header is not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Method not allowed; the Allow header lists the allowed methods. */
            405: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal server error; search the log for the X-Request-Id. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A required server is unavailable, or the service is overloaded; try again after the time in Retry-After. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getBatch: {
        parameters: {
            query?: {
                /** @description False leaves `outputs.results` empty. */
                results?: boolean;
                /** @description False leaves `inputs.tasks` empty. */
                inputs?: boolean;
                /** @description False leaves `job_ids` and `task_ids` empty. */
                ids?: boolean;
                /** @description The fields to return, separated by commas. */
                fields?: string;
            };
            header?: never;
            path: {
                /** @description The id of the batch. */
                batch_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Batch"] | components["schemas"]["BatchPart"];
                };
            };
            /** @description Bad request; the detail names the field. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Invalid or missing API key. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key does not permit this, the request comes from a web page of another origin, or its Host header is not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unknown resource, agent or path. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Method not allowed; the Allow header lists the allowed methods. */
            405: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal server error; search the log for the X-Request-Id. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Reading from or writing to the object store failed. */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A required server is unavailable, or the service is overloaded; try again after the time in Retry-After. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    deleteBatch: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the batch. */
                batch_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Deleted"];
                };
            };
            /** @description Bad request; the detail names the field. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Invalid or missing API key. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key does not permit this, the request comes from a web page of another origin, or its Host header is not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unknown resource, agent or path. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Method not allowed; the Allow header lists the allowed methods. */
            405: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The request did not arrive in time. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The Idempotency-Key was used with a different body, or the execution or batch to delete is still running. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The body is larger than MAX_BODY_BYTES, contains more than 1,000,000 objects and arrays, 500,000 distinct field names or 500,000 numbers that a double cannot represent, or has too many tasks. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal server error; search the log for the X-Request-Id. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Reading from or writing to the object store failed. */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A required server is unavailable, or the service is overloaded; try again after the time in Retry-After. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    cancelBatch: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the batch. */
                batch_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BatchCanceled"];
                };
            };
            /** @description Bad request; the detail names the field. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Invalid or missing API key. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key does not permit this, the request comes from a web page of another origin, or its Host header is not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unknown resource, agent or path. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Method not allowed; the Allow header lists the allowed methods. */
            405: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The request did not arrive in time. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The body is larger than MAX_BODY_BYTES, contains more than 1,000,000 objects and arrays, 500,000 distinct field names or 500,000 numbers that a double cannot represent, or has too many tasks. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal server error; search the log for the X-Request-Id. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A required server is unavailable, or the service is overloaded; try again after the time in Retry-After. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getBatchGrid: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the batch. */
                batch_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BatchGrid"];
                    "text/plain": string;
                };
            };
            /** @description Bad request; the detail names the field. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Invalid or missing API key. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key does not permit this, the request comes from a web page of another origin, or its Host header is not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unknown resource, agent or path. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Method not allowed; the Allow header lists the allowed methods. */
            405: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal server error; search the log for the X-Request-Id. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A required server is unavailable, or the service is overloaded; try again after the time in Retry-After. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listBatchTasks: {
        parameters: {
            query?: {
                /** @description Only tasks in this state. */
                state?: "waiting" | "running" | "completed" | "failed" | "canceled";
                /** @description Another name for `state`. If both are given, both must match. */
                status?: "waiting" | "running" | "completed" | "failed" | "canceled";
                /** @description Maximum number of tasks to return. */
                limit?: number;
                /** @description Number of tasks to skip. */
                offset?: number;
                /** @description The `next_cursor` of the previous page. Cannot be combined with `offset`. */
                cursor?: string;
            };
            header?: never;
            path: {
                /** @description The id of the batch. */
                batch_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        tasks: components["schemas"]["BatchTask"][];
                        limit: number;
                        offset: number;
                        /** @description Pass this as `cursor` to get the next page; null on the last page. */
                        next_cursor: string | null;
                    };
                };
            };
            /** @description Bad request; the detail names the field. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Invalid or missing API key. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key does not permit this, the request comes from a web page of another origin, or its Host header is not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unknown resource, agent or path. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Method not allowed; the Allow header lists the allowed methods. */
            405: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal server error; search the log for the X-Request-Id. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A required server is unavailable, or the service is overloaded; try again after the time in Retry-After. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listAgents: {
        parameters: {
            query?: {
                /** @description Maximum number of agents to return. */
                limit?: number;
                /** @description Number of agents to skip. */
                offset?: number;
                /** @description The `next_cursor` of the previous page. Cannot be combined with `offset`. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        agents: components["schemas"]["Agent"][];
                        /** @description Pass this as `cursor` to get the next page; null on the last page. */
                        next_cursor: string | null;
                    };
                };
            };
            /** @description Bad request; the detail names the field. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Invalid or missing API key. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key does not permit this, the request comes from a web page of another origin, or its Host header is not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Method not allowed; the Allow header lists the allowed methods. */
            405: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal server error; search the log for the X-Request-Id. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A required server is unavailable, or the service is overloaded; try again after the time in Retry-After. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listTools: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Name of the agent. */
                agent_name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        agent: string;
                        tools: components["schemas"]["Tool"][];
                    };
                };
            };
            /** @description Bad request; the detail names the field. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Invalid or missing API key. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key does not permit this, the request comes from a web page of another origin, or its Host header is not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unknown resource, agent or path. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Method not allowed; the Allow header lists the allowed methods. */
            405: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal server error; search the log for the X-Request-Id. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A required server is unavailable, or the service is overloaded; try again after the time in Retry-After. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    chatByQuery: {
        parameters: {
            query: {
                message: string;
                /** @description False returns at once, without waiting for the response. */
                wait?: boolean;
                /** @description True bypasses the cache: all calls are made again, and their results replace the cached ones. */
                no_cache?: boolean;
                /** @description How many seconds to wait for the response. */
                timeout?: number;
            };
            header?: never;
            path: {
                /** @description Name of the agent. */
                agent_name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChatAnswer"];
                };
            };
            /** @description Bad request; the detail names the field. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Invalid or missing API key. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key does not permit this, the request comes from a web page of another origin, or its Host header is not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unknown resource, agent or path. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Method not allowed; the Allow header lists the allowed methods. */
            405: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal server error; search the log for the X-Request-Id. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Reading from or writing to the object store failed. */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A required server is unavailable, or the service is overloaded; try again after the time in Retry-After. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    chatByBody: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key and body within 24 hours give the first answer again. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description Name of the agent. */
                agent_name: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "message": "Hello!",
                 *       "timeout": 30
                 *     }
                 */
                "application/json": components["schemas"]["ChatRequest"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChatAnswer"];
                };
            };
            /** @description Bad request; the detail names the field. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Invalid or missing API key. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key does not permit this, the request comes from a web page of another origin, or its Host header is not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unknown resource, agent or path. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Method not allowed; the Allow header lists the allowed methods. */
            405: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The request did not arrive in time. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The Idempotency-Key was used with a different body, or the execution or batch to delete is still running. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The body is larger than MAX_BODY_BYTES, contains more than 1,000,000 objects and arrays, 500,000 distinct field names or 500,000 numbers that a double cannot represent, or has too many tasks. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal server error; search the log for the X-Request-Id. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Reading from or writing to the object store failed. */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A required server is unavailable, or the service is overloaded; try again after the time in Retry-After. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    clearCache: {
        parameters: {
            query?: {
                /** @description Only results of calls by this agent. */
                agent?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CacheCleared"];
                };
            };
            /** @description Bad request; the detail names the field. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Invalid or missing API key. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key does not permit this, the request comes from a web page of another origin, or its Host header is not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Method not allowed; the Allow header lists the allowed methods. */
            405: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The request did not arrive in time. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The body is larger than MAX_BODY_BYTES, contains more than 1,000,000 objects and arrays, 500,000 distinct field names or 500,000 numbers that a double cannot represent, or has too many tasks. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal server error; search the log for the X-Request-Id. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Reading from or writing to the object store failed. */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A required server is unavailable, or the service is overloaded; try again after the time in Retry-After. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listTraces: {
        parameters: {
            query?: {
                /** @description Only events of this execution. */
                job_id?: string;
                /** @description Only events of this agent. */
                agent_name?: string;
                /** @description Maximum number of events to return. */
                limit?: number;
                /** @description Number of events to skip. */
                offset?: number;
                /** @description The `next_cursor` of the previous page. Cannot be combined with `offset`. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        traces: components["schemas"]["Trace"][];
                        /** @description Pass this as `cursor` to get the next page; null on the last page. */
                        next_cursor: string | null;
                    };
                };
            };
            /** @description Bad request; the detail names the field. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Invalid or missing API key. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key does not permit this, the request comes from a web page of another origin, or its Host header is not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Method not allowed; the Allow header lists the allowed methods. */
            405: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal server error; search the log for the X-Request-Id. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A required server is unavailable, or the service is overloaded; try again after the time in Retry-After. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listGroupedTraces: {
        parameters: {
            query?: {
                /** @description Maximum number of job groups to return. */
                limit?: number;
                /** @description Number of job groups to skip. */
                offset?: number;
                /** @description The `next_cursor` of the previous page. Cannot be combined with `offset`. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        grouped_traces: components["schemas"]["TraceGroup"][];
                        /** @description Pass this as `cursor` to get the next page; null on the last page. */
                        next_cursor: string | null;
                    };
                };
            };
            /** @description Bad request; the detail names the field. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Invalid or missing API key. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key does not permit this, the request comes from a web page of another origin, or its Host header is not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Method not allowed; the Allow header lists the allowed methods. */
            405: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal server error; search the log for the X-Request-Id. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A required server is unavailable, or the service is overloaded; try again after the time in Retry-After. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getTraceOutline: {
        parameters: {
            query: {
                /** @description The execution. */
                job_id: string;
                /** @description Only events with an id greater than this. */
                after?: number;
                /** @description Maximum number of events to return. */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TraceOutline"];
                };
            };
            /** @description Bad request; the detail names the field. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Invalid or missing API key. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key does not permit this, the request comes from a web page of another origin, or its Host header is not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unknown resource, agent or path. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Method not allowed; the Allow header lists the allowed methods. */
            405: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal server error; search the log for the X-Request-Id. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A required server is unavailable, or the service is overloaded; try again after the time in Retry-After. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getTrace: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The integer id of the event. */
                trace_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Trace"];
                };
            };
            /** @description Bad request; the detail names the field. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Invalid or missing API key. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key does not permit this, the request comes from a web page of another origin, or its Host header is not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unknown resource, agent or path. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Method not allowed; the Allow header lists the allowed methods. */
            405: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal server error; search the log for the X-Request-Id. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Reading from or writing to the object store failed. */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A required server is unavailable, or the service is overloaded; try again after the time in Retry-After. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getMetrics: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Metrics"];
                };
            };
            /** @description Invalid or missing API key. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key does not permit this, the request comes from a web page of another origin, or its Host header is not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Method not allowed; the Allow header lists the allowed methods. */
            405: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal server error; search the log for the X-Request-Id. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A required server is unavailable, or the service is overloaded; try again after the time in Retry-After. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getMetricsSeries: {
        parameters: {
            query?: {
                /** @description Length of the period before now, in minutes. */
                minutes?: number;
                /** @description Length of an interval in minutes. */
                step?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MetricsSeries"];
                };
            };
            /** @description Bad request; the detail names the field. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Invalid or missing API key. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key does not permit this, the request comes from a web page of another origin, or its Host header is not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Method not allowed; the Allow header lists the allowed methods. */
            405: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal server error; search the log for the X-Request-Id. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A required server is unavailable, or the service is overloaded; try again after the time in Retry-After. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getLimits: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Limits"];
                };
            };
            /** @description Invalid or missing API key. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key does not permit this, the request comes from a web page of another origin, or its Host header is not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Method not allowed; the Allow header lists the allowed methods. */
            405: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal server error; search the log for the X-Request-Id. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A required server is unavailable, or the service is overloaded; try again after the time in Retry-After. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    resolveResponse: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of any execution that has ended. */
                task_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ResolvedResponse"];
                };
            };
            /** @description Bad request; the detail names the field. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Invalid or missing API key. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key does not permit this, the request comes from a web page of another origin, or its Host header is not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unknown resource, agent or path. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Method not allowed; the Allow header lists the allowed methods. */
            405: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal server error; search the log for the X-Request-Id. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Reading from or writing to the object store failed. */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A required server is unavailable, or the service is overloaded; try again after the time in Retry-After. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listContainers: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        containers: components["schemas"]["Container"][];
                        total: number;
                    };
                };
            };
            /** @description Invalid or missing API key. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key does not permit this, the request comes from a web page of another origin, or its Host header is not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Method not allowed; the Allow header lists the allowed methods. */
            405: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal server error; search the log for the X-Request-Id. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A required server is unavailable, or the service is overloaded; try again after the time in Retry-After. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getContainerLogs: {
        parameters: {
            query?: {
                /** @description The number of last lines to return. */
                tail?: number;
                /** @description Only lines after this time: a duration before now such as 5m or 1h, or an ISO 8601 time. */
                since?: string;
                /** @description False returns empty timestamps. */
                timestamps?: boolean;
            };
            header?: never;
            path: {
                /** @description Name, id, or the first characters of the id (at least 12). */
                container_name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        container: string;
                        container_id: string;
                        status: string;
                        logs: components["schemas"]["LogEntry"][];
                        total: number;
                    };
                };
            };
            /** @description Bad request; the detail names the field. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Invalid or missing API key. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key does not permit this, the request comes from a web page of another origin, or its Host header is not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unknown resource, agent or path. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Method not allowed; the Allow header lists the allowed methods. */
            405: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal server error; search the log for the X-Request-Id. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A required server is unavailable, or the service is overloaded; try again after the time in Retry-After. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    createStreamTicket: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StreamTicket"];
                };
            };
            /** @description Bad request; the detail names the field. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Invalid or missing API key. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The key does not permit this, the request comes from a web page of another origin, or its Host header is not allowed. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Method not allowed; the Allow header lists the allowed methods. */
            405: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The request did not arrive in time. */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The body is larger than MAX_BODY_BYTES, contains more than 1,000,000 objects and arrays, 500,000 distinct field names or 500,000 numbers that a double cannot represent, or has too many tasks. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal server error; search the log for the X-Request-Id. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A required server is unavailable, or the service is overloaded; try again after the time in Retry-After. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
}
