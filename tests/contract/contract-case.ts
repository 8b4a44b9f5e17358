import type { Host } from '../support/host.ts'
import type { Setting } from './setting.ts'

/** One request as a case makes it. A body is sent as JSON; absent, `{}` is, where the endpoint takes one. */
export interface CaseRequest {
  /** Another host than the setting's own. */
  on?: Host
  query?: Record<string, string>
  /** A query as it stands in the address, `?` included, where no form could make it. */
  rawQuery?: string
  body?: unknown
  authorization?: string
  /** `Authorization` of another account that may ask the same, where it is not that of the setting. */
  stranger?: string
  headers?: Record<string, string>
}

export type Make = (setting: Setting) => Promise<CaseRequest> | CaseRequest

/** By the endpoint's name in the catalogue: a request for each status that it declares. */
export type Cases = Record<string, Record<number, Make>>

/** A limit of the specification, tried at both edges. */
export interface Limit {
  /** The document that sets it, and in which words: `interface: token lifetime 60 to 3600 seconds`. */
  readonly says: string
  /** Values that are just acceptable: the endpoint answers 200. */
  readonly within: readonly unknown[]
  /** Values that are just not: the endpoint answers `status`, 400 where absent, and points at the fault. */
  readonly beyond: readonly unknown[]
  /** Where the fault of a 400 stands, such as `#/query/expirationInSeconds`. */
  readonly pointer: string
  readonly status?: number
  readonly send: (setting: Setting, value: never) => Promise<CaseRequest> | CaseRequest
}

/** By the endpoint's name in the catalogue: its limits. */
export type Limits = Record<string, readonly Limit[]>
