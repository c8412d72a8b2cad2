/** Search parameters of the merge page: who is merged (`with`), and whether the user came from the duplicates queue (`from`). */
export interface MergeSearch {
  with?: string
  from?: 'duplicates'
}

/** Sets invalid values to undefined explicitly, because the router would keep omitted ones from the current URL. */
export const readMergeSearch = ({ with: source, from }: Record<string, unknown>): MergeSearch => ({
  with: typeof source === 'string' && source !== '' ? source : undefined,
  from: from === 'duplicates' ? from : undefined,
})
