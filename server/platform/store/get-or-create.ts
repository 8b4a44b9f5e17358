/** Returns a key's cached value, or creates it. Clears the whole cache when it exceeds `most` entries. */
export function getOrCreate<V>(known: Map<string, V>, most: number, key: string, make: () => V): V {
  const found = known.get(key)
  if (found !== undefined) return found
  if (known.size >= most) known.clear()
  const made = make()
  known.set(key, made)
  return made
}
