import type * as v from 'valibot'
import type { accountDetail } from '#shared/contract/account/account.ts'

/** An account as the console reads it. */
export type Account = v.InferOutput<typeof accountDetail>
