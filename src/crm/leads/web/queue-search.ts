/** Search parameters of the queue: the page, one source, and whether discarded leads are shown. */
export interface QueueSearch {
  page?: number
  source?: string
  show?: 'discarded'
}

/**
 * Validates the search parameters. Invalid ones are set to undefined explicitly, because the router would keep omitted ones as they are.
 */
export function readQueueSearch({ page, source, show }: Record<string, unknown>): QueueSearch {
  const number = Number(page)
  return {
    page: Number.isSafeInteger(number) && number > 1 && number <= 10_000 ? number : undefined,
    source: typeof source === 'string' && /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(source) ? source : undefined,
    show: show === 'discarded' ? show : undefined,
  }
}
