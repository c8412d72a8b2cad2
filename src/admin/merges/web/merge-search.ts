/** What the address of a merge says besides who stays: who is merged into them, and whether it was begun at the queue of duplicates. */
export interface MergeSearch {
  with?: string
  from?: 'duplicates'
}

/** What makes no sense is said to be undefined, for the router would take what is left out from the address as it stands. */
export const readMergeSearch = ({ with: source, from }: Record<string, unknown>): MergeSearch => ({
  with: typeof source === 'string' && source !== '' ? source : undefined,
  from: from === 'duplicates' ? from : undefined,
})
