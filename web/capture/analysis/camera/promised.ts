/**
 * What `ask` promises; undefined if it throws, is refused, or is not answered in time. [Note: Browsers promise more than they keep] Everything that
 * `navigator.mediaDevices` and `navigator.permissions` promise may be refused, answered with nothing, or never answered.
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
