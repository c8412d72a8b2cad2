/** What the address of the queue says: a page, and whether those are shown of whom somebody has said that they are two. */
export interface DuplicatesSearch {
  page?: number
  show?: 'dismissed'
}

export function readDuplicatesSearch({ page, show }: Record<string, unknown>): DuplicatesSearch {
  const number = Number(page)
  return {
    ...(Number.isSafeInteger(number) && number > 1 ? { page: number } : {}),
    ...(show === 'dismissed' ? { show } : {}),
  }
}
