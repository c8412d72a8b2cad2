import { type InvalidateOptions, type InvalidateQueryFilters, type Query, QueryClient } from '@tanstack/react-query'

/**
 * A change during the first fetch may be missing from its answer. The library ignores invalidation then (there is nothing to refetch yet),
 * so the answer is marked stale on arrival.
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
      return // shows its error, and is refetched on retry
    }
    await super.invalidateQueries({ ...filters, queryKey: query.queryKey, exact: true }, options)
  }
}
