import * as v from 'valibot'
import { isAllowEntry } from '#server/platform/http/outbound/allow-list.ts'

/** One of several words. As with every setting, the message does not repeat the value, which may be a secret. */
export function oneOf<const T extends string>(allowed: readonly T[]) {
  return v.picklist(allowed, `Must be one of ${allowed.join(', ')}.`)
}

export const flag = v.pipe(
  v.picklist(['true', 'false', '1', '0', 'on', 'off'], 'Must be true or false.'),
  v.transform((text) => ['true', '1', 'on'].includes(text)),
)

export function wholeNumber(minimum: number, maximum: number) {
  const words = `Must be a whole number from ${minimum} to ${maximum}.`
  return v.pipe(
    v.string(),
    v.regex(/^\d+$/, words),
    v.transform(Number),
    v.minValue(minimum, words),
    v.maxValue(maximum, words),
  )
}

export const secret = v.pipe(v.string(), v.minLength(32, 'Must have 32 characters or more.'))

export function listOf<T extends string>(allowed: readonly T[]) {
  return v.pipe(
    v.string(),
    v.transform((text) => text.split(',').map((name) => name.trim())),
    v.array(oneOf(allowed)),
    v.minLength(1),
  )
}

export const httpOrigin = v.pipe(
  v.string(),
  v.regex(/^https?:\/\/[^/?#@\s]+$/, 'Must be an origin such as https://a.example.'),
)

export const allowEntries = v.pipe(
  v.string(),
  v.transform((text) => text.split(/[\s,]+/).filter((entry) => entry !== '')),
  v.array(
    v.pipe(
      v.string(),
      v.check(isAllowEntry, 'Must be loopback, a host, an IP or a network such as 10.0.0.0/8.'),
    ),
  ),
)

export const publicOrigin = v.pipe(
  v.string(),
  v.transform((text) => text.replace(/\/$/, '')),
  httpOrigin,
)

/** `lmdb`, or the address of a server. The message does not repeat a wrong value, since it may contain a password. */
export const storeAddress = v.pipe(
  v.string(),
  v.regex(
    /^(lmdb|(rediss?|postgres(ql)?):\/\/[^\s]+)$/,
    'Must be lmdb, or an address such as redis://127.0.0.1:6379 or postgres://user@127.0.0.1/selfsame.',
  ),
)

/** A limit per minute, or `off`. */
export const rate = v.union(
  [v.literal('off'), wholeNumber(1, 1_000_000)],
  'Must be a whole number from 1 to 1000000, or off.',
)

/** An empty variable counts as not set, because compose files pass unset variables that way. */
export function withoutEmpty(
  env: Readonly<Record<string, string | undefined>>,
): Readonly<Record<string, string | undefined>> {
  return Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined && value !== ''))
}

export function separatedBySpaces(text: string): string[] {
  return text.split(/\s+/).filter((part) => part !== '')
}

/** A limit per hour, or none. */
export const limitAnHour = v.union(
  [v.literal('off'), wholeNumber(1, 1000)],
  'Must be a whole number from 1 to 1000, or off.',
)

/** A limit that may be `off`, which is the default on loopback; undefined means no limit. */
export function chosenLimit(
  given: number | 'off' | undefined,
  usual: number,
  listensOnLoopback: boolean,
): number | undefined {
  const limit = given ?? (listensOnLoopback ? 'off' : usual)
  return limit === 'off' ? undefined : limit
}

export function isPostgresAddress(text: string): boolean {
  return /^postgres(ql)?:\/\/\S+$/.test(text)
}
