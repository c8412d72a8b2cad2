/** Counts calls and their concurrency. */

export class Traffic {
  readonly #limit: number
  #counts: Record<string, number> = {}
  #running = 0
  #maxRunning = 0
  #refreshing = 0
  #maxRefreshing = 0

  /** @param limit the maximum number of concurrent calls. */
  constructor(limit: number) {
    this.#limit = limit
  }

  count(name: string): void {
    this.#counts[name] = (this.#counts[name] ?? 0) + 1
  }

  /** Starts an API call. @returns whether it exceeds the limit, and a function that ends it. */
  begin(): { tooMany: boolean; end: () => void } {
    this.#maxRunning = Math.max(this.#maxRunning, ++this.#running)
    return { tooMany: this.#running > this.#limit, end: () => void this.#running-- }
  }

  /** Starts a token refresh. @returns a function that ends it. */
  beginRefresh(): () => void {
    this.#maxRefreshing = Math.max(this.#maxRefreshing, ++this.#refreshing)
    return () => void this.#refreshing--
  }

  get calls(): Readonly<Record<string, number>> {
    return { ...this.#counts }
  }

  get maxParallel(): number {
    return this.#maxRunning
  }

  get refreshes(): { count: number; maxParallel: number } {
    return { count: this.#counts.refreshToken ?? 0, maxParallel: this.#maxRefreshing }
  }

  reset(): void {
    this.#counts = {}
    this.#maxRunning = this.#running
    this.#maxRefreshing = this.#refreshing
  }
}
