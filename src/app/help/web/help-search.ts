/** Search parameters of Help: the words searched. */
export interface HelpSearch {
  q?: string
}

export const readHelpSearch = ({ q }: Record<string, unknown>): HelpSearch => ({
  q: typeof q === 'string' && q.trim() !== '' ? q.slice(0, 100) : undefined,
})
