/** Works through a list, so many at once. */
export async function inLanes<T>(
  list: readonly T[],
  atOnce: number,
  work: (one: T, index: number) => Promise<void>,
): Promise<void> {
  let next = 0
  const lane = async () => {
    for (let index = next++; index < list.length; index = next++) await work(list[index]!, index)
  }
  await Promise.all(Array.from({ length: Math.min(atOnce, list.length) }, lane))
}
