/** Placeholders still in the text to be sent. */
export const placeholdersIn = (text: string): string[] => [
  ...new Set([...text.matchAll(/\{\{\s*([\w.]+)\s*\}\}/g)].map(([, name]) => name!)),
]
