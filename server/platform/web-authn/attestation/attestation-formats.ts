/** How devices say what they are, of what is read here. */
export const attestationFormats = ['packed', 'tpm', 'android-key'] as const
