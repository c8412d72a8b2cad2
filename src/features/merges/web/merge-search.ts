/** What the address of a merge says besides who stays: who is merged into them, and whether it was begun at the queue of duplicates. */
export interface MergeSearch {
  with?: string
  from?: 'duplicates'
}

export const readMergeSearch = ({ with: source, from }: Record<string, unknown>): MergeSearch => ({
  ...(typeof source === 'string' && source !== '' ? { with: source } : {}),
  ...(from === 'duplicates' ? { from } : {}),
})
