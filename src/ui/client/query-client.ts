import { type InvalidateOptions, type InvalidateQueryFilters, type Query, QueryClient } from '@tanstack/react-query'

/**
 * What is said to have changed while it is being asked for the first time may be answered as it was before. The library leaves such a first
 * answer as it is (there is nothing yet to ask again for), so it is marked as old once it has come.
 */
export class LateQueryClient extends QueryClient {
  override async invalidateQueries(filters?: InvalidateQueryFilters, options?: InvalidateOptions): Promise<void> {
    const first = this.getQueryCache()
      .findAll({ ...filters, fetchStatus: 'fetching' })
      .filter((query) => query.state.data === undefined)
    for (const query of first) void this.#invalidateOnceThere(query, filters, options)
    return super.invalidateQueries(filters, options)
  }

  async #invalidateOnceThere(query: Query, filters?: InvalidateQueryFilters, options?: InvalidateOptions): Promise<void> {
    try {
      await query.promise
    } catch {
      return // it shows its error, and is asked again by anyone who tries again
    }
    await super.invalidateQueries({ ...filters, queryKey: query.queryKey, exact: true }, options)
  }
}
