export { asWritten, isRawJson, parseJson } from '../core/exact-json.ts'
export { nameAlikeErrors } from './alike-errors.ts'
export { Troupe, type TroupeOptions } from './troupe.ts'
export { TroupeError, type TroupeErrorReason } from './troupe-error.ts'
export { COLUMN_TYPES, columnValue, ColumnTypes, type ColumnType } from './column-types.ts'
export { budgetParts, budgetText, costText, type BudgetPart } from './cost-text.ts'
export { durationText } from './duration-text.ts'
export { inputsCsv } from './inputs-csv.ts'
export { resultsCsv } from './results-csv.ts'
export { LiveAnswers, type LiveAnswer } from './live-answers.ts'
export type { AddAllOptions } from './add-all.ts'
export type { BatchEnd } from './batches.ts'
export type { BatchResult, ResultsOptions } from './batch-results.ts'
export type { ConnectionState } from './connection.ts'
export type { ApiPath, CallOptions, MethodOf, QueryOf, RequestOf, ResponseOf, Schema } from './endpoint-types.ts'
export type { EventStreamOptions, SystemEvent } from './event-stream.ts'
export type { List, Page, PageQuery } from './list.ts'
export type { LogEntry, LogStreamOptions } from './log-stream.ts'
export type { StreamOptions } from './resuming-stream.ts'
export type { SocketCredentials } from './socket-addresses.ts'
export type { SubmitAllOptions, SubmitProgress } from './submit-all.ts'
export type { Tasks } from './task-chunks.ts'
export type {
  CompleteEvent,
  DeltaEvent,
  LiveStreamEvent,
  LiveStreamOptions,
  SpansEvent,
  TraceStreamEvent,
  TraceStreamOptions,
} from './trace-stream.ts'
export type { TransportOptions } from './transport.ts'
export type { WaitOptions } from './wait-for-end.ts'
export type { components, operations, paths } from './openapi.ts'
