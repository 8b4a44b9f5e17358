/**
 * Settles like `ask`, but resolves to undefined if it throws, rejects or takes too long.
 * [Note: Browsers promise more than they keep] Promises from `navigator.mediaDevices` and `navigator.permissions` may never settle.
 */
export async function promised<T>(
  ask: () => Promise<T> | undefined,
  milliseconds: number,
): Promise<T | undefined> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), milliseconds)
  })
  try {
    return await Promise.race([ask(), late])
  } catch {
    return undefined
  } finally {
    clearTimeout(timer)
  }
}
