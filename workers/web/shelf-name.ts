/** The only name in Cache Storage that we use. */
export const shelfName = 'selfsame-files'
