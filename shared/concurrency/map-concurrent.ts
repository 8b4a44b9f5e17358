/** Maps a list with limited concurrency and returns the results in the list's order. Rejects with the first failure. */
export async function mapConcurrent<T, Answer>(
  list: readonly T[],
  atOnce: number,
  work: (one: T, index: number) => Promise<Answer>,
): Promise<Answer[]> {
  const answers = new Array<Answer>(list.length)
  let next = 0
  const lane = async () => {
    for (let index = next++; index < list.length; index = next++)
      answers[index] = await work(list[index]!, index)
  }
  await Promise.all(Array.from({ length: Math.min(atOnce, list.length) }, lane))
  return answers
}
