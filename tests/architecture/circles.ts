import type { SourceFile } from './source-file.ts'

/** Import cycles of any length. Each is listed once, with all its files. Type imports count too. */
export function circlesIn(files: readonly Pick<SourceFile, 'path' | 'imports'>[]): string[][] {
  const byPath = new Map(files.map((file) => [file.path, file]))
  const neighbours = (path: string) =>
    byPath
      .get(path)!
      .imports.filter(({ isPackage, isAddress, target }) => !isPackage && !isAddress && byPath.has(target))
      .map(({ target }) => target)
  return strongComponents([...byPath.keys()], neighbours).filter(({ length }) => length > 1)
}

/** Tarjan, Depth-first search and linear graph algorithms, 1972. */
function strongComponents(nodes: readonly string[], neighbours: (node: string) => readonly string[]) {
  const order = new Map<string, number>()
  const lowest = new Map<string, number>()
  const open: string[] = []
  const isOpen = new Set<string>()
  const found: string[][] = []
  const visit = (node: string): void => {
    order.set(node, order.size)
    lowest.set(node, order.get(node)!)
    open.push(node)
    isOpen.add(node)
    for (const next of neighbours(node)) {
      if (!order.has(next)) visit(next)
      const reached = isOpen.has(next) ? lowest.get(next)! : Number.POSITIVE_INFINITY
      lowest.set(node, Math.min(lowest.get(node)!, reached))
    }
    if (lowest.get(node) !== order.get(node)) return
    const component = open.splice(open.lastIndexOf(node))
    for (const one of component) isOpen.delete(one)
    found.push(component)
  }
  for (const node of nodes) if (!order.has(node)) visit(node)
  return found
}
