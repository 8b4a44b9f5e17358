import type { Host } from '../support/host.ts'
import type { Setting } from './setting.ts'

/** One request of a case. The body is sent as JSON; if absent, `{}` is sent to endpoints that take a body. */
export interface CaseRequest {
  /** Another host than the setting's own. */
  on?: Host
  query?: Record<string, string>
  /** A query string, `?` included, that the usual encoding cannot produce. */
  rawQuery?: string
  body?: unknown
  authorization?: string
  /** `Authorization` of another account that may make the same call, if it is not the setting's. */
  stranger?: string
  headers?: Record<string, string>
}

export type Make = (setting: Setting) => Promise<CaseRequest> | CaseRequest

/** Requests by the endpoint's name in the catalogue, then by declared status. */
export type Cases = Record<string, Record<number, Make>>

/** A limit of the specification, tested on both sides. */
export interface Limit {
  /** The document that sets it, and in which words: `interface: token lifetime 60 to 3600 seconds`. */
  readonly says: string
  /** Values just within the limit: the endpoint answers 200. */
  readonly within: readonly unknown[]
  /** Values just beyond it: the endpoint answers `status`, default 400, and points at the fault. */
  readonly beyond: readonly unknown[]
  /** Position of the fault of a 400, such as `#/query/expirationInSeconds`. */
  readonly pointer: string
  readonly status?: number
  readonly send: (setting: Setting, value: never) => Promise<CaseRequest> | CaseRequest
}

/** Limits by the endpoint's name in the catalogue. */
export type Limits = Record<string, readonly Limit[]>
