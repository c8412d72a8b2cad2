/** Who calls how often, and how many at once. */

export class Traffic {
  readonly #limit: number
  #counts: Record<string, number> = {}
  #now = 0
  #most = 0
  #refreshing = 0
  #maxRefreshing = 0

  /** @param limit more calls than this at once are refused. */
  constructor(limit: number) {
    this.#limit = limit
  }

  count(name: string): void {
    this.#counts[name] = (this.#counts[name] ?? 0) + 1
  }

  /** A call to the company's books begins. @returns whether it is one too many, and what to call when it is over. */
  begin(): { tooMany: boolean; end: () => void } {
    this.#most = Math.max(this.#most, ++this.#now)
    return { tooMany: this.#now > this.#limit, end: () => void this.#now-- }
  }

  /** A refresh of a token begins. @returns what to call when it is over. */
  beginRefresh(): () => void {
    this.#maxRefreshing = Math.max(this.#maxRefreshing, ++this.#refreshing)
    return () => void this.#refreshing--
  }

  get calls(): Readonly<Record<string, number>> {
    return { ...this.#counts }
  }

  get maxParallel(): number {
    return this.#most
  }

  get refreshes(): { count: number; maxParallel: number } {
    return { count: this.#counts.refreshToken ?? 0, maxParallel: this.#maxRefreshing }
  }

  reset(): void {
    this.#counts = {}
    this.#most = this.#now
    this.#maxRefreshing = this.#refreshing
  }
}
