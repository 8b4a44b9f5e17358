import type { Context } from 'koa'
import { nearName } from '#shared/near-name.ts'
import type { RequestState } from './request-record.ts'

/** Request names that no schema declares, in order of appearance, each with the names that are declared in its place. */
export type IgnoredNames = Map<string, readonly string[]>

/** Further distinct names are dropped, because the header would not have room for them. */
export const mostIgnoredNames = 200

/** The header that lists ignored names. [Note: Ignored names are listed] */
const ignoredNamesHeader = 'Selfsame-Ignored'
const mostBytes = 500
const more = 'more'
/** An RFC 9651 token. */
const token = /^[A-Za-z*][\w!#$%&'*+.^`|~:/-]{0,63}$/

/** Lists the names in the response, whatever its status, and in the request log. */
export function listIgnoredNames(ctx: Context, ignored: IgnoredNames): void {
  if (ignored.size === 0) return
  const list = ignoredNamesList(ignored)
  ctx.set(ignoredNamesHeader, list)
  ;(ctx.state as RequestState).ignored = list
}

/**
 * An RFC 9651 list such as `threshold;near="faceMatchThreshold", zebra`, of at most 500 bytes. A name that is not a
 * token, and so could contain anything, is written as `"?"`; a bare question mark would not be a valid item.
 */
export function ignoredNamesList(ignored: IgnoredNames): string {
  const items = new Set<string>()
  let bytes = 0
  for (const [name, known] of ignored) {
    const item = itemOf(name, known)
    if (items.has(item)) continue
    if (bytes + item.length + 2 * more.length > mostBytes) return [...items, more].join(', ')
    items.add(item)
    bytes += item.length + 2
  }
  if (ignored.size >= mostIgnoredNames) items.add(more)
  return [...items].join(', ')
}

function itemOf(name: string, known: readonly string[]): string {
  if (!token.test(name)) return '"?"'
  const near = nearName(name, known)
  return near === undefined ? name : `${name};near="${near}"`
}
