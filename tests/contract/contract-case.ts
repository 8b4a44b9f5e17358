import type { Host } from '../support/host.ts'
import type { Setting } from './setting.ts'

/** One of a case's requests. The body is sent as JSON. If it is absent, endpoints that take a body receive `{}`. */
export interface CaseRequest {
  /** Overrides the setting's own host. */
  on?: Host
  query?: Record<string, string>
  /** A query string that the usual encoding cannot produce, including the `?`. */
  rawQuery?: string
  body?: unknown
  authorization?: string
  /** An `Authorization` for another account that may make the same call, if it is not the setting's other account. */
  stranger?: string
  headers?: Record<string, string>
}

export type Make = (setting: Setting) => Promise<CaseRequest> | CaseRequest

/** Requests by the endpoint's name in the catalogue, then by declared status. */
export type Cases = Record<string, Record<number, Make>>

/** One of the specification's limits, tested on both sides. */
export interface Limit {
  /** The document that defines the limit, and how it words it: `interface: token lifetime 60 to 3600 seconds`. */
  readonly says: string
  /** Values just within the limit, which the endpoint answers with 200. */
  readonly within: readonly unknown[]
  /** Values just beyond the limit. The endpoint answers with `status` (400 by default) and points at the fault. */
  readonly beyond: readonly unknown[]
  /** The position that a 400 reports for the fault, such as `#/query/expirationInSeconds`. */
  readonly pointer: string
  readonly status?: number
  readonly send: (setting: Setting, value: never) => Promise<CaseRequest> | CaseRequest
}

/** Limits by the endpoint's name in the catalogue. */
export type Limits = Record<string, readonly Limit[]>
