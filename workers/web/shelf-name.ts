/** The only Cache Storage name that we use. */
export const shelfName = 'selfsame-files'
