/** The one name in Cache Storage that is ours. */
export const shelfName = 'selfsame-files'
