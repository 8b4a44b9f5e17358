import * as v from 'valibot'
import { nullableText, queryInteger } from './elements.ts'

export const pageLimit = { minimum: 1, maximum: 100, default: 50 } as const

/** The maximum number of entries per page. */
export const limitOfPage = v.optional(
  v.pipe(
    queryInteger(pageLimit.minimum, pageLimit.maximum),
    v.description('Maximum number of entries to return.'),
  ),
  pageLimit.default,
)

export const nextCursor = nullableText('Cursor of the next page, or null on the last page.')
