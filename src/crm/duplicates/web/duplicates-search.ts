/** What the address of the queue says: a page, and whether those are shown of whom someone has said that they are two. */
export interface DuplicatesSearch {
  page?: number
  show?: 'dismissed'
}

/** What makes no sense is said to be undefined, for the router would take what is left out from the address as it stands. */
export function readDuplicatesSearch({ page, show }: Record<string, unknown>): DuplicatesSearch {
  const number = Number(page)
  return {
    page: Number.isSafeInteger(number) && number > 1 ? number : undefined,
    show: show === 'dismissed' ? show : undefined,
  }
}
