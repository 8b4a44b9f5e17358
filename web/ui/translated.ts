/**
 * Lets the page's texts change where a program has replaced them.
 *
 * [Note: A page that is translated] Translators replace the text nodes of a page by elements. Preact goes on changing the nodes that it made, which are
 * no longer in the document. The page asks not to be translated, since it speaks twelve languages; if a translator ignores that, a text node that
 * changes is put back in its place, and may be translated again.
 * @returns how to stop
 */
export function surviveTranslation(root: Node): () => void {
  const places = new WeakMap<Node, ChildNode>()
  const observer = new MutationObserver((records) => {
    for (const record of records)
      if (record.type === 'characterData') comeBack(record.target as Text)
      else for (const node of record.removedNodes) if (node.nodeType === node.TEXT_NODE) left(node, record)
  })

  function left(text: Node, { addedNodes, previousSibling, nextSibling }: MutationRecord): void {
    const place = [...addedNodes, previousSibling, nextSibling].find((node) => node?.nodeName === 'FONT')
    if (place === undefined || text.isConnected) return
    places.set(text, place as ChildNode)
    observer.observe(text, { characterData: true })
  }

  function comeBack(text: Text): void {
    const place = places.get(text)
    if (place === undefined || text.isConnected) return
    places.delete(text)
    if (place.isConnected) place.replaceWith(text)
  }

  observer.observe(root, { childList: true, subtree: true })
  return () => observer.disconnect()
}
