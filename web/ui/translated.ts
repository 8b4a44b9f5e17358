/**
 * Lets the page's texts change where a program has replaced them.
 *
 * [Note: A page that is translated] Programs that translate a page put elements in the place of its texts, which whoever draws the page goes on
 * changing without anybody seeing it. The page asks not to be translated, as it has languages of its own; for programs that do it all the
 * same, a text that changes comes back to its place, where it may be translated again.
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
