/**
 * Lets the page's text change even after another program has replaced it.
 *
 * [Note: A page that is translated] Translators and reading aids replace a page's text nodes with nodes of their own. Preact keeps updating
 * the ones that it created, although they are no longer in the document. The page asks not to be translated, because it has twelve languages.
 * If a program ignores that, a text node that changes is put back in its place, and may then be replaced again.
 * @returns a function that stops this
 */
export function surviveTranslation(root: Node): () => void {
  /** The nodes that are shown instead of a text. */
  const instead = new WeakMap<Node, readonly ChildNode[]>()
  const observer = new MutationObserver((records) => {
    const added = new Set(records.flatMap(({ addedNodes }) => [...addedNodes]))
    for (const record of records)
      if (record.type === 'characterData') comeBack(record.target as Text)
      else
        for (const node of record.removedNodes)
          if (node.nodeType === node.TEXT_NODE && !node.isConnected) left(node, record, added)
  })

  function left(text: Node, { addedNodes, previousSibling, nextSibling }: MutationRecord, added: Set<Node>) {
    // Some programs add their nodes next to the text before they remove it.
    const near = [previousSibling, nextSibling].filter((node) => node !== null && added.has(node))
    const shown = addedNodes.length > 0 ? [...addedNodes] : near.slice(0, 1)
    if (shown.length === 0) return
    instead.set(text, shown as ChildNode[])
    observer.observe(text, { characterData: true })
  }

  function comeBack(text: Text): void {
    const [first, ...others] = instead.get(text)?.filter(({ isConnected }) => isConnected) ?? []
    instead.delete(text)
    if (first === undefined || text.isConnected) return
    first.replaceWith(text)
    for (const other of others) other.remove()
  }

  observer.observe(root, { childList: true, subtree: true })
  return () => observer.disconnect()
}
