/** Search parameters of the queue: the page, and whether dismissed pairs are shown. */
export interface DuplicatesSearch {
  page?: number
  show?: 'dismissed'
}

/**
 * Validates the search parameters. Invalid ones are set to undefined explicitly, because the router would keep omitted ones as they are.
 */
export function readDuplicatesSearch({ page, show }: Record<string, unknown>): DuplicatesSearch {
  const number = Number(page)
  return {
    page: Number.isSafeInteger(number) && number > 1 ? number : undefined,
    show: show === 'dismissed' ? show : undefined,
  }
}
