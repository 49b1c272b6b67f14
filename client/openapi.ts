// Made from the OpenAPI document by `npm run client:types`; do not edit.

export interface paths {
    "/api/health": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Says whether the service is well, and what it runs on */
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
        /** Tells what a tool for people needs to know of the service */
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
        /** Tells what the key of this request may do, and an admin which keys there are */
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
         * Runs an agent, or a chain of agents
         * @description Answers at once; the run goes on. Follow it on `/ws/prompts/{prompt_id}`.
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
        /** Gives one prompt with inputs, outputs and token usage */
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
         * @description Canceled at once and for good; calls to models and tools that are under way are broken off.
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
         * @description All filters that are given must hold.
         */
        get: operations["listJobs"];
        put?: never;
        /**
         * Runs an agent and waits for its end
         * @description A lost connection does not end the job. Prefer `POST /api/prompts`.
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
        /** Gives one job with inputs, outputs and token usage */
        get: operations["getJob"];
        put?: never;
        post?: never;
        /**
         * Deletes an execution that has ended
         * @description With its traces, steps and stored objects, for good. The totals of the metrics stay as they were. While it runs: 409. A task of a batch is deleted with its batch: alone it is 409 too.
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
         * Cancels all running executions that a filter fits
         * @description With `dry_run` it says how many there are and cancels nothing.
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
         * Gives the stored result, or runs the job again
         * @description With `reexecute` true: a new execution with the same inputs, awaited to its end unless `wait` is false.
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
         * @description A `batch_id` that exists gets the tasks added; follow the batch on `/ws/batches/{batch_id}`.
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
         * @description A batch that has ended runs again. A canceled batch takes no more tasks.
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
         * Gives one batch with its tasks, results and summary
         * @description Of a large batch ask only for what you need: `?results=false&inputs=false&ids=false` costs the same for any size.
         */
        get: operations["getBatch"];
        put?: never;
        post?: never;
        /**
         * Deletes a batch that has ended, with all of its tasks
         * @description With its traces, steps and stored objects, for good. The totals of the metrics stay as they were. While it runs: 409. Its id can be used again.
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
         * Cancels a batch and every task of it that has not ended
         * @description The batch is canceled with the answer; of very many tasks the last are canceled soon after.
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
         * Gives the state of every task of a batch, a letter each
         * @description As text, the letters alone: w waiting, r running, s success, e error, c canceled. With Accept: application/json, the batch with them; everything in the answer is of one moment. It has an ETag: a request that names it in If-None-Match gets 304 without a body for as long as nothing has changed.
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
        /** Lists the agents that workers have registered */
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
        /** Describes an agent's tools */
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
         * Sends an agent a message
         * @description When the time is up the task goes on; its answer will be at `/api/responses/{task_id}/resolved`.
         */
        get: operations["chatByQuery"];
        put?: never;
        /**
         * Sends an agent a message
         * @description When the time is up the task goes on; its answer will be at `/api/responses/{task_id}/resolved`.
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
         * Forgets the kept answers of models and tools
         * @description Calls that are under way keep their answers all the same.
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
         * @description With `job_id` the oldest first, otherwise the newest first.
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
        /** Lists the jobs with the latest events, each with all of its events */
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
         * Gives all events of an execution as columns, without their payloads
         * @description A trace of 100,000 events in one answer of some hundred kilobytes. Payloads come from `/api/traces/{trace_id}`.
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
        /** Gives one trace event with its full payload */
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
        /** Gives the totals of the service */
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
         * Gives what was created, ended and spent, by intervals
         * @description Counts, tokens and costs are exact; they are kept for seven days. Percentiles come from a histogram whose buckets are 10 % wide, so they are off by at most 5 %.
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
        /** Gives the providers' accounts: limits, what is in use and waits, cool-downs */
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
        /** Gives the full response of a task, wherever it is stored */
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
        /** Lists all containers, stopped ones included */
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
        /** Gives a container's log */
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
         * Gives a ticket that opens one WebSocket
         * @description For browsers, which cannot set headers on a WebSocket: the key stays out of addresses, and with it out of logs. A ticket opens one WebSocket, within 30 seconds, with the rights of the key that asked for it.
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
            /** @description In sequential mode: the agents in order; each one's output is the next one's input. */
            agents?: string[] | null;
            /**
             * @description True makes every call anew; the new answers replace those in the cache.
             * @default false
             */
            no_cache?: boolean;
            budget?: components["schemas"]["Budget"];
        };
        /** @description What the work may use at most: `usd`, `tokens`, `ms` of models and tools at work, `modelCalls`, `toolCalls`. Agents that it calls draw from it, too; where an agent has a budget of its own, both hold. `warnAt` (0.8) is the part that is spent when an event says so; `onExceeded: "answer"` keeps a tenth for one last answer, `fail` is the default. */
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
             * @description True makes every call anew; the new answers replace those in the cache.
             * @default false
             */
            no_cache?: boolean;
            budget?: components["schemas"]["Budget"];
        };
        CancelJobsRequest: {
            /** @description Which of the running executions; as in `GET /api/jobs`. */
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
                /** @description Only executions created at this time or later. An ISO 8601 time, or a duration such as 1h back from now. */
                since?: string;
                /** @description Only executions created before this time. An ISO 8601 time, or a duration such as 1h back from now. */
                until?: string;
                /** @description Only executions whose id begins so; at least 4 characters. */
                id_prefix?: string;
            };
            /**
             * @description True only counts.
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
             * @description False answers as soon as the new job runs.
             * @default true
             */
            wait?: boolean;
            /**
             * @description True makes every call anew; the new answers replace those in the cache.
             * @default true
             */
            no_cache?: boolean;
        };
        BatchRequest: {
            /** @description Task payloads; they are executed in parallel. */
            tasks: Record<string, unknown>[];
            /**
             * @description True blocks until all responses have arrived.
             * @default false
             */
            wait?: boolean;
            /** @description A batch to add to, or the id of the new batch; null makes an id. */
            batch_id?: string | null;
            /**
             * @description True makes every call anew; the new answers replace those in the cache.
             * @default false
             */
            no_cache?: boolean;
            /** @description What all tasks of the new batch may use together. One that exists keeps the budget that it has. */
            budget?: components["schemas"]["Budget"];
            /** @description What each task of this call may use. */
            task_budget?: components["schemas"]["Budget"];
        };
        AddTasksRequest: {
            /** @description The agent that runs the new tasks. */
            agent_name: string;
            /** @description Task payloads; they are executed in parallel. */
            tasks: Record<string, unknown>[];
            /**
             * @description True blocks until all responses have arrived.
             * @default false
             */
            wait?: boolean;
            /**
             * @description True makes every call anew; the new answers replace those in the cache.
             * @default false
             */
            no_cache?: boolean;
            /** @description What each task of this call may use. */
            task_budget?: components["schemas"]["Budget"];
        };
        ChatRequest: {
            message: string;
            /** @default true */
            wait?: boolean;
            /**
             * @description True makes every call anew; the new answers replace those in the cache.
             * @default false
             */
            no_cache?: boolean;
            /**
             * @description Seconds to wait for the answer.
             * @default 30
             */
            timeout?: number;
            budget?: components["schemas"]["Budget"];
        };
        Span: {
            id: number;
            /** @description The agent of task events, the tool, the model, else the event type. */
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
            /** @description With nanoseconds. */
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
             * @description `degraded` when a component cannot be reached.
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
            /** @description The components that did not answer in time; only while the status is `degraded`. */
            unreachable?: ("database" | "storage" | "message_bus")[];
        };
        /** @description What went wrong. */
        Error: {
            /** @description One readable sentence. */
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
                /** @description The workflow of an execution or batch has its id, with this before it. */
                workflow_id_prefix: string;
                /** @description Address of Temporal's web UI; null when it is not configured. */
                ui: string | null;
            };
            /** @enum {string} */
            tracing: "database" | "external" | "disabled";
            /** @description After how many days what has ended is deleted; null keeps it for ever. */
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
                /** @description Null where the service asks for no key. */
                name: string | null;
                /** @enum {string} */
                role: "read" | "submit" | "admin";
                /** @description The agents that it may submit to; null means all. */
                agents: string[] | null;
            };
            /** @description All keys, without what they are; null for a key that is no admin. */
            keys: {
                name: string;
                /** @enum {string} */
                role: "read" | "submit" | "admin";
                /** @description The agents that it may submit to; null means all. */
                agents: string[] | null;
                /** @description Its share of the workers beside others. */
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
            /** @description Name of the API key that submitted it; null without keys. */
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
        /** @description What it cost, at the prices that held when each call was made. */
        Cost: {
            /** @description US dollars; null while no price of it is known. */
            usd: number | null;
            /** @description False when the cost of a call is not known: then `usd` is the sum of the others. */
            complete: boolean;
            by_model: components["schemas"]["ModelCost"][];
        };
        ModelCost: {
            provider: string;
            model: string;
            /** @description US dollars; null while no price of it is known. */
            usd: number | null;
            /** @description False when the cost of a call is not known: then `usd` is the sum of the others. */
            complete: boolean;
            /** @description Whether we had to count tokens that the provider did not tell. */
            estimated: boolean;
            /** @description Tokens of prompts that no cache had. The parts exclude each other. */
            input: number;
            /** @description Read from the provider's cache. */
            cached: number;
            /** @description Written to the provider's cache. */
            cache_write: number;
            /** @description Generated, without reasoning. */
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
            /** @description Of what is limited; above a limit by no more than an estimate was wrong. */
            spent: {
                usd: number | null;
                tokens: number | null;
                ms: number | null;
                modelCalls: number | null;
                toolCalls: number | null;
            };
            /** @description By calls that are being made. */
            reserved: {
                usd: number | null;
                tokens: number | null;
                ms: number | null;
                modelCalls: number | null;
                toolCalls: number | null;
            };
            /** @description The part that is spent when an event says so. */
            warnAt: number;
            /**
             * @description What happens at its end.
             * @enum {string}
             */
            onExceeded: "fail" | "answer";
        };
        PromptCanceled: {
            /** @description False when it had ended before. */
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
            /** @description Of a task: its batch. */
            batch_id: string | null;
            /** @description From submission to end; null until then. */
            duration_ms: number | null;
            total_tokens: number;
            /** @description Its first 200 characters. */
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
            /** @description The agents that run, in order. */
            agents: string[];
            batch_id: string | null;
            /** @description The execution that this one repeats. */
            replay_of: string | null;
            /** @description When its first agent began. */
            started_at: string | null;
            inputs: Record<string, unknown>;
            outputs: Record<string, unknown> | null;
            error: string | null;
            token_usage: components["schemas"]["TokenUsage"];
            cost: components["schemas"]["Cost"];
            budget: components["schemas"]["BudgetState"] | null;
            /** @description Name of the API key that submitted it; null without keys. */
            submitted_by: string | null;
        };
        Deleted: {
            ok: boolean;
            id: string;
            deleted: {
                /** @description Of a batch: its tasks. */
                executions: number;
                traces: number;
                steps: number;
                /** @description In the object store. */
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
            /** @description Running executions that the filter fits. */
            matched: number;
            canceled: number;
            /** @description They ended before they could be canceled. */
            already_ended: number;
            /** @description They could not be canceled now; ask again. */
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
            /** @description Tasks of this call. */
            task_count: number;
            task_ids: string[];
            job_ids: string[];
            trace_ids: string[];
            /** @description Only with `wait`: in the order of the tasks. */
            results?: components["schemas"]["TaskResult"][];
        };
        TaskResult: {
            task_id: string;
            /** @enum {string} */
            status: "success" | "error" | "canceled";
            /** @description `{status, result, error}`, or `{offloaded: true, pointer}` when it is large. */
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
            /** @description Only with `wait`: in the order of the tasks. */
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
            /** @description Tasks that have ended. */
            recorded: number;
            succeeded: number;
            /** @description Canceled ones included. */
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
                /** @description By job_id. */
                results: {
                    [key: string]: {
                        /** @enum {string} */
                        status: "success" | "error" | "canceled";
                        /** @description The object itself, or `{offloaded: true, pointer}` when it is large. */
                        response: Record<string, unknown>;
                    };
                };
                summary: components["schemas"]["BatchSummary"];
            };
            cost: components["schemas"]["Cost"];
            budget: components["schemas"]["BudgetState"] | null;
            /** @description As its first submission gave them; tasks that run again can be given the same. */
            budgets: {
                budget?: components["schemas"]["Budget"];
                task_budget?: components["schemas"]["Budget"];
            };
            /** @description Name of the API key that submitted it; null without keys. */
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
                /** @description By job_id. */
                results: {
                    [key: string]: {
                        /** @enum {string} */
                        status: "success" | "error" | "canceled";
                        /** @description The object itself, or `{offloaded: true, pointer}` when it is large. */
                        response: Record<string, unknown>;
                    };
                };
                summary: components["schemas"]["BatchSummary"];
            };
            cost?: components["schemas"]["Cost"];
            budget?: components["schemas"]["BudgetState"] | null;
            /** @description As its first submission gave them; tasks that run again can be given the same. */
            budgets?: {
                budget?: components["schemas"]["Budget"];
                task_budget?: components["schemas"]["Budget"];
            };
            /** @description Name of the API key that submitted it; null without keys. */
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
            /** @description When tasks were last added after it had completed; null: never. */
            revived_at: string | null;
            summary: components["schemas"]["BatchSummary"];
            waiting: number;
            running: number;
            /** @description Of those that the summary counts as failed. */
            canceled: number;
            token_usage: components["schemas"]["TokenUsage"];
            cost: components["schemas"]["Cost"];
            budget: components["schemas"]["BudgetState"] | null;
            /** @description A letter a task, in the order of submission: w waiting, r running, s success, e error, c canceled. */
            tasks: string;
        };
        BatchTask: {
            task_id: string;
            /** @description Its place in the batch, from 0. */
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
            /** @description From its start to its end; null until both are known. */
            duration_ms: number | null;
            total_tokens: number;
            /** @description Its first 200 characters. */
            error: string | null;
        };
        Agent: {
            name: string;
            role: string;
            goal: string;
            /**
             * @description Active while a worker that hosts it is alive.
             * @enum {string}
             */
            status: "active" | "inactive";
            /** @description In the order in which they are asked; empty for plain code, and where a worker of an earlier version hosts it. */
            models: string[];
            tools: string[];
            /**
             * Format: date-time
             * @description The last sign of life of a worker that hosts it.
             * @example 2026-01-31T09:30:00.000Z
             */
            last_seen: string;
            trace_count: number;
            /** @description Times that it was begun, also by other agents. */
            runs: number;
            last_executed: string | null;
            /** @description How its runs ended in the last 24 hours, counted from the beginning of an hour. */
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
            /** @description JSON Schema of the inputs that it takes; null: any. */
            input: Record<string, unknown> | null;
            /** @description JSON Schema of its outputs; null: any. */
            output: Record<string, unknown> | null;
        };
        Tool: {
            name: string;
            description: string;
            /** @description A JSON Schema with type, properties and required, as the model gets it. */
            parameters: Record<string, unknown>;
        };
        ChatAnswer: {
            task_id: string;
            /** @enum {string} */
            status: "submitted" | "completed" | "failed" | "canceled" | "timeout";
            /** @description Only when the agent has answered. */
            response?: Record<string, unknown> | null;
            /** @description Only when the time was up. */
            message?: string;
        };
        CacheCleared: {
            ok: boolean;
            deleted: {
                answers: number;
                /** @description In the object store. */
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
            /** @description Depends on event_type. In lists, large values in it are `{offloaded: true, pointer}`. */
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
            /** @description What the starts count from; null when there is no event. */
            start_time: string | null;
            /** @description The names that `columns.name` and `columns.agent` point into. */
            names: string[];
            /** @description The event types that `columns.type` points into. */
            event_types: components["schemas"]["EventType"][];
            /** @description One entry an event in each, in the order of their ids. */
            columns: {
                id: number[];
                /** @description Id of the parent event; 0 for none. */
                parent: number[];
                name: number[];
                agent: number[];
                type: number[];
                /** @description Milliseconds from start_time to its beginning. */
                start: number[];
                /** @description Milliseconds; -1 where the event has none. */
                duration: number[];
                /** @description 1 for errors and for calls and tasks that failed, else 0. */
                failed: number[];
                prompt_tokens: number[];
                completion_tokens: number[];
            };
            /** @description Events in this answer. */
            count: number;
            /** @description Give it as `after` to go on; null when there was no more. */
            next_after: number | null;
        };
        Metrics: {
            total_jobs: number;
            completed_jobs: number;
            failed_jobs: number;
            /** @description Over completed executions. */
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
            /** @description Minutes of an interval. */
            step: number;
            /**
             * Format: date-time
             * @example 2026-01-31T09:30:00.000Z
             */
            now: string;
            /** @description Oldest first, without gaps; the last one is not over yet. */
            points: components["schemas"]["MetricsPoint"][];
            total: components["schemas"]["MetricsPoint"];
        };
        MetricsPoint: {
            /**
             * Format: date-time
             * @description The beginning of the interval.
             * @example 2026-01-31T09:30:00.000Z
             */
            at: string;
            created: number;
            completed: number;
            failed: number;
            canceled: number;
            /** @description Of completed executions, from submission to end; null without any. */
            p50_ms: number | null;
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
            /** @description A provider, or provider/model. */
            account: string;
            /** @description What LIMITS allows it; null limits nothing. */
            configured: {
                rpm: number | null;
                tpm: number | null;
                concurrent: number | null;
            } | null;
            /** @description What the provider's headers say; null where they say nothing. */
            learned: {
                rpm: number | null;
                tpm: number | null;
            };
            /** @description Calls at a time since the provider has pushed back; null once it serves as many as before. */
            adaptive_concurrent: number | null;
            /** @description Calls under way; counted where something is limited, and during a cool-down. */
            in_use: number;
            /** @description Calls that wait for their turn, and executions that do so at Temporal because it takes long. */
            waiting: {
                chat: number;
                prompt: number;
                task: number;
            };
            /** @description Workers that have a share. */
            workers: number;
            /** @description While it lasts no call is begun. */
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
            /** @description The full response; null after a cancel. */
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
            /** @description Give it as `?ticket=` when a WebSocket is opened. */
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
                /** @description The model call within its execution. */
                step: string;
                /** @description Grows with each attempt at the call: a later one begins its text anew. */
                attempt: number;
                /** @description Characters (UTF-16) before this piece, of all kinds; what was seen before may come again. */
                offset: number;
                /** @enum {string} */
                kind: "text" | "reasoning" | "tool_input";
                text: string;
                /**
                 * @description An earlier attempt was shown: forget its text.
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
                 * @description Only when a very large batch was cut off.
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
            /** @description The key may not do this; or the request comes from a foreign page, or by a name that the service does not know. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Wrong method; the Allow header names the right ones. */
            405: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal server error; the log knows more under the X-Request-Id. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A server that the service needs cannot be reached; Retry-After says when to try again. */
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
            /** @description The key may not do this; or the request comes from a foreign page, or by a name that the service does not know. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Wrong method; the Allow header names the right ones. */
            405: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal server error; the log knows more under the X-Request-Id. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A server that the service needs cannot be reached; Retry-After says when to try again. */
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
            /** @description The key may not do this; or the request comes from a foreign page, or by a name that the service does not know. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Wrong method; the Allow header names the right ones. */
            405: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal server error; the log knows more under the X-Request-Id. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A server that the service needs cannot be reached; Retry-After says when to try again. */
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
                /** @description How many prompts to give at most. */
                limit?: number;
                /** @description How many prompts to skip. */
                offset?: number;
                /** @description `next_cursor` of the page before, and nothing else; not together with `offset`. */
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
                        /** @description Give it as `cursor` to get the next page; null at the end. */
                        next_cursor: string | null;
                    };
                };
            };
            /** @description Bad request: the detail names the field. */
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
            /** @description The key may not do this; or the request comes from a foreign page, or by a name that the service does not know. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Wrong method; the Allow header names the right ones. */
            405: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal server error; the log knows more under the X-Request-Id. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A server that the service needs cannot be reached; Retry-After says when to try again. */
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
            /** @description Bad request: the detail names the field. */
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
            /** @description The key may not do this; or the request comes from a foreign page, or by a name that the service does not know. */
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
            /** @description Wrong method; the Allow header names the right ones. */
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
            /** @description The Idempotency-Key was used with another body, or what is to be deleted still runs. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The body is larger than MAX_BODY_BYTES, holds more than 1,000,000 objects and arrays, 500,000 names of fields or 500,000 numbers that no double holds, or has more tasks than a submission may have. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal server error; the log knows more under the X-Request-Id. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A fetch from the object store failed. */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A server that the service needs cannot be reached; Retry-After says when to try again. */
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
                /** @description The id that the submission answered; the id of any execution works. */
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
            /** @description Bad request: the detail names the field. */
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
            /** @description The key may not do this; or the request comes from a foreign page, or by a name that the service does not know. */
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
            /** @description Wrong method; the Allow header names the right ones. */
            405: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal server error; the log knows more under the X-Request-Id. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A fetch from the object store failed. */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A server that the service needs cannot be reached; Retry-After says when to try again. */
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
                /** @description The id that the submission answered; the id of any execution works. */
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
            /** @description Bad request: the detail names the field. */
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
            /** @description The key may not do this; or the request comes from a foreign page, or by a name that the service does not know. */
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
            /** @description Wrong method; the Allow header names the right ones. */
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
            /** @description The body is larger than MAX_BODY_BYTES, holds more than 1,000,000 objects and arrays, 500,000 names of fields or 500,000 numbers that no double holds, or has more tasks than a submission may have. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal server error; the log knows more under the X-Request-Id. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A server that the service needs cannot be reached; Retry-After says when to try again. */
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
                /** @description Only executions of this status. */
                status?: "running" | "completed" | "failed" | "canceled";
                /** @description Only executions of this kind. */
                kind?: "prompt" | "job" | "task" | "chat";
                /** @description Only executions of this agent (of a chain: the name that it was submitted under). */
                agent?: string;
                /** @description Only tasks of this batch. */
                batch_id?: string;
                /** @description Only executions created at this time or later. An ISO 8601 time, or a duration such as 1h back from now. */
                since?: string;
                /** @description Only executions created before this time. An ISO 8601 time, or a duration such as 1h back from now. */
                until?: string;
                /** @description Only executions whose id begins so; at least 4 characters. */
                id_prefix?: string;
                /** @description How many jobs to give at most. */
                limit?: number;
                /** @description How many jobs to skip. */
                offset?: number;
                /** @description `next_cursor` of the page before, and nothing else; not together with `offset`. */
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
                        /** @description Executions that the whole list has. With a filter at most 10000: then there may be more. */
                        total: number;
                        /** @description Give it as `cursor` to get the next page; null at the end. */
                        next_cursor: string | null;
                    };
                };
            };
            /** @description Bad request: the detail names the field. */
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
            /** @description The key may not do this; or the request comes from a foreign page, or by a name that the service does not know. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Wrong method; the Allow header names the right ones. */
            405: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal server error; the log knows more under the X-Request-Id. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A server that the service needs cannot be reached; Retry-After says when to try again. */
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
            /** @description Bad request: the detail names the field. */
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
            /** @description The key may not do this; or the request comes from a foreign page, or by a name that the service does not know. */
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
            /** @description Wrong method; the Allow header names the right ones. */
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
            /** @description The Idempotency-Key was used with another body, or what is to be deleted still runs. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The body is larger than MAX_BODY_BYTES, holds more than 1,000,000 objects and arrays, 500,000 names of fields or 500,000 numbers that no double holds, or has more tasks than a submission may have. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal server error; the log knows more under the X-Request-Id. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A fetch from the object store failed. */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A server that the service needs cannot be reached; Retry-After says when to try again. */
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
            /** @description Bad request: the detail names the field. */
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
            /** @description The key may not do this; or the request comes from a foreign page, or by a name that the service does not know. */
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
            /** @description Wrong method; the Allow header names the right ones. */
            405: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal server error; the log knows more under the X-Request-Id. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A fetch from the object store failed. */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A server that the service needs cannot be reached; Retry-After says when to try again. */
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
            /** @description Bad request: the detail names the field. */
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
            /** @description The key may not do this; or the request comes from a foreign page, or by a name that the service does not know. */
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
            /** @description Wrong method; the Allow header names the right ones. */
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
            /** @description The Idempotency-Key was used with another body, or what is to be deleted still runs. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The body is larger than MAX_BODY_BYTES, holds more than 1,000,000 objects and arrays, 500,000 names of fields or 500,000 numbers that no double holds, or has more tasks than a submission may have. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal server error; the log knows more under the X-Request-Id. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A fetch from the object store failed. */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A server that the service needs cannot be reached; Retry-After says when to try again. */
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
            /** @description Bad request: the detail names the field. */
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
            /** @description The key may not do this; or the request comes from a foreign page, or by a name that the service does not know. */
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
            /** @description Wrong method; the Allow header names the right ones. */
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
            /** @description The body is larger than MAX_BODY_BYTES, holds more than 1,000,000 objects and arrays, 500,000 names of fields or 500,000 numbers that no double holds, or has more tasks than a submission may have. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal server error; the log knows more under the X-Request-Id. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A server that the service needs cannot be reached; Retry-After says when to try again. */
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
            /** @description Bad request: the detail names the field. */
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
            /** @description The key may not do this; or the request comes from a foreign page, or by a name that the service does not know. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Wrong method; the Allow header names the right ones. */
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
            /** @description The body is larger than MAX_BODY_BYTES, holds more than 1,000,000 objects and arrays, 500,000 names of fields or 500,000 numbers that no double holds, or has more tasks than a submission may have. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal server error; the log knows more under the X-Request-Id. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A server that the service needs cannot be reached; Retry-After says when to try again. */
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
            /** @description Bad request: the detail names the field. */
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
            /** @description The key may not do this; or the request comes from a foreign page, or by a name that the service does not know. */
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
            /** @description Wrong method; the Allow header names the right ones. */
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
            /** @description The Idempotency-Key was used with another body, or what is to be deleted still runs. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The body is larger than MAX_BODY_BYTES, holds more than 1,000,000 objects and arrays, 500,000 names of fields or 500,000 numbers that no double holds, or has more tasks than a submission may have. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal server error; the log knows more under the X-Request-Id. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A fetch from the object store failed. */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A server that the service needs cannot be reached; Retry-After says when to try again. */
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
            /** @description Bad request: the detail names the field. */
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
            /** @description The key may not do this; or the request comes from a foreign page, or by a name that the service does not know. */
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
            /** @description Wrong method; the Allow header names the right ones. */
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
            /** @description The Idempotency-Key was used with another body, or what is to be deleted still runs. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The body is larger than MAX_BODY_BYTES, holds more than 1,000,000 objects and arrays, 500,000 names of fields or 500,000 numbers that no double holds, or has more tasks than a submission may have. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal server error; the log knows more under the X-Request-Id. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A fetch from the object store failed. */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A server that the service needs cannot be reached; Retry-After says when to try again. */
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
            /** @description Bad request: the detail names the field. */
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
            /** @description The key may not do this; or the request comes from a foreign page, or by a name that the service does not know. */
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
            /** @description Wrong method; the Allow header names the right ones. */
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
            /** @description The Idempotency-Key was used with another body, or what is to be deleted still runs. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The body is larger than MAX_BODY_BYTES, holds more than 1,000,000 objects and arrays, 500,000 names of fields or 500,000 numbers that no double holds, or has more tasks than a submission may have. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal server error; the log knows more under the X-Request-Id. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A fetch from the object store failed. */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A server that the service needs cannot be reached; Retry-After says when to try again. */
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
                /** @description How many batches to give at most. */
                limit?: number;
                /** @description How many batches to skip. */
                offset?: number;
                /** @description `next_cursor` of the page before, and nothing else; not together with `offset`. */
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
                        /** @description Give it as `cursor` to get the next page; null at the end. */
                        next_cursor: string | null;
                    };
                };
            };
            /** @description Bad request: the detail names the field. */
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
            /** @description The key may not do this; or the request comes from a foreign page, or by a name that the service does not know. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Wrong method; the Allow header names the right ones. */
            405: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal server error; the log knows more under the X-Request-Id. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A server that the service needs cannot be reached; Retry-After says when to try again. */
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
                /** @description Only these fields of the answer, separated by commas. */
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
            /** @description Bad request: the detail names the field. */
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
            /** @description The key may not do this; or the request comes from a foreign page, or by a name that the service does not know. */
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
            /** @description Wrong method; the Allow header names the right ones. */
            405: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal server error; the log knows more under the X-Request-Id. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A fetch from the object store failed. */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A server that the service needs cannot be reached; Retry-After says when to try again. */
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
            /** @description Bad request: the detail names the field. */
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
            /** @description The key may not do this; or the request comes from a foreign page, or by a name that the service does not know. */
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
            /** @description Wrong method; the Allow header names the right ones. */
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
            /** @description The Idempotency-Key was used with another body, or what is to be deleted still runs. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The body is larger than MAX_BODY_BYTES, holds more than 1,000,000 objects and arrays, 500,000 names of fields or 500,000 numbers that no double holds, or has more tasks than a submission may have. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal server error; the log knows more under the X-Request-Id. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A fetch from the object store failed. */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A server that the service needs cannot be reached; Retry-After says when to try again. */
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
            /** @description Bad request: the detail names the field. */
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
            /** @description The key may not do this; or the request comes from a foreign page, or by a name that the service does not know. */
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
            /** @description Wrong method; the Allow header names the right ones. */
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
            /** @description The body is larger than MAX_BODY_BYTES, holds more than 1,000,000 objects and arrays, 500,000 names of fields or 500,000 numbers that no double holds, or has more tasks than a submission may have. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal server error; the log knows more under the X-Request-Id. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A server that the service needs cannot be reached; Retry-After says when to try again. */
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
            /** @description Bad request: the detail names the field. */
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
            /** @description The key may not do this; or the request comes from a foreign page, or by a name that the service does not know. */
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
            /** @description Wrong method; the Allow header names the right ones. */
            405: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal server error; the log knows more under the X-Request-Id. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A server that the service needs cannot be reached; Retry-After says when to try again. */
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
                /** @description The same under another name; of two that differ, both must hold. */
                status?: "waiting" | "running" | "completed" | "failed" | "canceled";
                /** @description How many tasks to give at most. */
                limit?: number;
                /** @description How many tasks to skip. */
                offset?: number;
                /** @description `next_cursor` of the page before, and nothing else; not together with `offset`. */
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
                        /** @description Give it as `cursor` to get the next page; null at the end. */
                        next_cursor: string | null;
                    };
                };
            };
            /** @description Bad request: the detail names the field. */
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
            /** @description The key may not do this; or the request comes from a foreign page, or by a name that the service does not know. */
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
            /** @description Wrong method; the Allow header names the right ones. */
            405: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal server error; the log knows more under the X-Request-Id. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A server that the service needs cannot be reached; Retry-After says when to try again. */
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
                /** @description How many agents to give at most. */
                limit?: number;
                /** @description How many agents to skip. */
                offset?: number;
                /** @description `next_cursor` of the page before, and nothing else; not together with `offset`. */
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
                        /** @description Give it as `cursor` to get the next page; null at the end. */
                        next_cursor: string | null;
                    };
                };
            };
            /** @description Bad request: the detail names the field. */
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
            /** @description The key may not do this; or the request comes from a foreign page, or by a name that the service does not know. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Wrong method; the Allow header names the right ones. */
            405: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal server error; the log knows more under the X-Request-Id. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A server that the service needs cannot be reached; Retry-After says when to try again. */
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
            /** @description Bad request: the detail names the field. */
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
            /** @description The key may not do this; or the request comes from a foreign page, or by a name that the service does not know. */
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
            /** @description Wrong method; the Allow header names the right ones. */
            405: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal server error; the log knows more under the X-Request-Id. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A server that the service needs cannot be reached; Retry-After says when to try again. */
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
                /** @description False answers at once. */
                wait?: boolean;
                /** @description True makes every call anew; the new answers replace those in the cache. */
                no_cache?: boolean;
                /** @description Seconds to wait for the answer. */
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
            /** @description Bad request: the detail names the field. */
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
            /** @description The key may not do this; or the request comes from a foreign page, or by a name that the service does not know. */
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
            /** @description Wrong method; the Allow header names the right ones. */
            405: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal server error; the log knows more under the X-Request-Id. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A fetch from the object store failed. */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A server that the service needs cannot be reached; Retry-After says when to try again. */
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
            /** @description Bad request: the detail names the field. */
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
            /** @description The key may not do this; or the request comes from a foreign page, or by a name that the service does not know. */
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
            /** @description Wrong method; the Allow header names the right ones. */
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
            /** @description The Idempotency-Key was used with another body, or what is to be deleted still runs. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The body is larger than MAX_BODY_BYTES, holds more than 1,000,000 objects and arrays, 500,000 names of fields or 500,000 numbers that no double holds, or has more tasks than a submission may have. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal server error; the log knows more under the X-Request-Id. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A fetch from the object store failed. */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A server that the service needs cannot be reached; Retry-After says when to try again. */
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
                /** @description Only answers to calls of this agent. */
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
            /** @description Bad request: the detail names the field. */
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
            /** @description The key may not do this; or the request comes from a foreign page, or by a name that the service does not know. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Wrong method; the Allow header names the right ones. */
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
            /** @description The body is larger than MAX_BODY_BYTES, holds more than 1,000,000 objects and arrays, 500,000 names of fields or 500,000 numbers that no double holds, or has more tasks than a submission may have. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal server error; the log knows more under the X-Request-Id. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A fetch from the object store failed. */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A server that the service needs cannot be reached; Retry-After says when to try again. */
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
                /** @description How many events to give at most. */
                limit?: number;
                /** @description How many events to skip. */
                offset?: number;
                /** @description `next_cursor` of the page before, and nothing else; not together with `offset`. */
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
                        /** @description Give it as `cursor` to get the next page; null at the end. */
                        next_cursor: string | null;
                    };
                };
            };
            /** @description Bad request: the detail names the field. */
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
            /** @description The key may not do this; or the request comes from a foreign page, or by a name that the service does not know. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Wrong method; the Allow header names the right ones. */
            405: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal server error; the log knows more under the X-Request-Id. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A server that the service needs cannot be reached; Retry-After says when to try again. */
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
                /** @description How many job groups to give at most. */
                limit?: number;
                /** @description How many job groups to skip. */
                offset?: number;
                /** @description `next_cursor` of the page before, and nothing else; not together with `offset`. */
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
                        /** @description Give it as `cursor` to get the next page; null at the end. */
                        next_cursor: string | null;
                    };
                };
            };
            /** @description Bad request: the detail names the field. */
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
            /** @description The key may not do this; or the request comes from a foreign page, or by a name that the service does not know. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Wrong method; the Allow header names the right ones. */
            405: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal server error; the log knows more under the X-Request-Id. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A server that the service needs cannot be reached; Retry-After says when to try again. */
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
                /** @description Only events with a higher id. */
                after?: number;
                /** @description How many events to give at most. */
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
            /** @description Bad request: the detail names the field. */
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
            /** @description The key may not do this; or the request comes from a foreign page, or by a name that the service does not know. */
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
            /** @description Wrong method; the Allow header names the right ones. */
            405: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal server error; the log knows more under the X-Request-Id. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A server that the service needs cannot be reached; Retry-After says when to try again. */
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
            /** @description Bad request: the detail names the field. */
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
            /** @description The key may not do this; or the request comes from a foreign page, or by a name that the service does not know. */
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
            /** @description Wrong method; the Allow header names the right ones. */
            405: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal server error; the log knows more under the X-Request-Id. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A fetch from the object store failed. */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A server that the service needs cannot be reached; Retry-After says when to try again. */
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
            /** @description The key may not do this; or the request comes from a foreign page, or by a name that the service does not know. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Wrong method; the Allow header names the right ones. */
            405: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal server error; the log knows more under the X-Request-Id. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A server that the service needs cannot be reached; Retry-After says when to try again. */
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
                /** @description How far to look back. */
                minutes?: number;
                /** @description Minutes of an interval. */
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
            /** @description Bad request: the detail names the field. */
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
            /** @description The key may not do this; or the request comes from a foreign page, or by a name that the service does not know. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Wrong method; the Allow header names the right ones. */
            405: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal server error; the log knows more under the X-Request-Id. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A server that the service needs cannot be reached; Retry-After says when to try again. */
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
            /** @description The key may not do this; or the request comes from a foreign page, or by a name that the service does not know. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Wrong method; the Allow header names the right ones. */
            405: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal server error; the log knows more under the X-Request-Id. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A server that the service needs cannot be reached; Retry-After says when to try again. */
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
                /** @description The id of any execution that has ended. */
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
            /** @description Bad request: the detail names the field. */
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
            /** @description The key may not do this; or the request comes from a foreign page, or by a name that the service does not know. */
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
            /** @description Wrong method; the Allow header names the right ones. */
            405: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal server error; the log knows more under the X-Request-Id. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A fetch from the object store failed. */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A server that the service needs cannot be reached; Retry-After says when to try again. */
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
            /** @description The key may not do this; or the request comes from a foreign page, or by a name that the service does not know. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Wrong method; the Allow header names the right ones. */
            405: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal server error; the log knows more under the X-Request-Id. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A server that the service needs cannot be reached; Retry-After says when to try again. */
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
                /** @description How many of the last lines to give. */
                tail?: number;
                /** @description Only lines after it: a duration such as 5m or 1h, or an ISO 8601 time. */
                since?: string;
                /** @description False leaves every timestamp empty. */
                timestamps?: boolean;
            };
            header?: never;
            path: {
                /** @description Name or id, or a prefix of the id of at least 12 characters. */
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
            /** @description Bad request: the detail names the field. */
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
            /** @description The key may not do this; or the request comes from a foreign page, or by a name that the service does not know. */
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
            /** @description Wrong method; the Allow header names the right ones. */
            405: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal server error; the log knows more under the X-Request-Id. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A server that the service needs cannot be reached; Retry-After says when to try again. */
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
            /** @description Bad request: the detail names the field. */
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
            /** @description The key may not do this; or the request comes from a foreign page, or by a name that the service does not know. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Wrong method; the Allow header names the right ones. */
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
            /** @description The body is larger than MAX_BODY_BYTES, holds more than 1,000,000 objects and arrays, 500,000 names of fields or 500,000 numbers that no double holds, or has more tasks than a submission may have. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal server error; the log knows more under the X-Request-Id. */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A server that the service needs cannot be reached; Retry-After says when to try again. */
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
