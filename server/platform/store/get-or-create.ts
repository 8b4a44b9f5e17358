/** What was made for a key before, or is made now; all is forgotten when there is too much of it. */
export function getOrCreate<V>(known: Map<string, V>, most: number, key: string, make: () => V): V {
  const found = known.get(key)
  if (found !== undefined) return found
  if (known.size >= most) known.clear()
  const made = make()
  known.set(key, made)
  return made
}
