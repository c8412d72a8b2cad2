/** An upload in progress. Finished ones leave the list. */
export interface Upload<Given> {
  key: number
  file: File
  given: Given
  state: 'waiting' | 'sending' | 'failed'
  /** 0 to 1; at 1 the server is processing it. */
  part: number
  /** Reason of the failure. */
  reason: string | null
  /** Whether a retry could succeed. */
  mayRetry: boolean
}

export interface UploadSteps<Given> {
  /** Reason why a file is invalid. */
  refuse: (file: File) => string | null
  send: (file: File, given: Given, onProgress: (part: number) => void, signal: AbortSignal) => Promise<unknown>
  /** Awaited before an upload leaves the list, so that its row is already there. */
  arrived: (upload: Upload<Given>) => Promise<unknown>
  failed: (upload: Upload<Given>) => void
}

/** Uploads files one request each, `most` at a time, in order. It belongs to no page, so uploads continue across navigation. */
export class UploadQueue<Given> {
  #uploads: readonly Upload<Given>[] = []
  #watchers = new Set<() => void>()
  #running = new Map<number, AbortController>()
  #last = 0
  readonly #steps: UploadSteps<Given>
  readonly #most: number

  constructor(steps: UploadSteps<Given>, most = 3) {
    this.#steps = steps
    this.#most = most
  }

  subscribe = (watch: () => void): (() => void) => {
    this.#watchers.add(watch)
    return () => this.#watchers.delete(watch)
  }

  snapshot = (): readonly Upload<Given>[] => this.#uploads

  get isBusy(): boolean {
    return this.#uploads.some(({ state }) => state !== 'failed')
  }

  add(files: readonly File[], given: Given): void {
    const added = files.map((file): Upload<Given> => {
      const reason = this.#steps.refuse(file)
      const key = ++this.#last
      return { key, file, given, state: reason === null ? 'waiting' : 'failed', part: 0, reason, mayRetry: false }
    })
    this.#set([...this.#uploads, ...added])
    this.#next()
  }

  retry(key: number): void {
    this.#change(key, { state: 'waiting', part: 0, reason: null })
    this.#next()
  }

  /** Removes an upload, and aborts it if running. */
  remove(key: number): void {
    this.#running.get(key)?.abort()
    this.#set(this.#uploads.filter((upload) => upload.key !== key))
  }

  #next(): void {
    for (const upload of this.#uploads) {
      if (this.#running.size >= this.#most) return
      if (upload.state === 'waiting' && !this.#running.has(upload.key)) void this.#run(upload)
    }
  }

  async #run(upload: Upload<Given>): Promise<void> {
    const { key, file, given } = upload
    const abort = new AbortController()
    this.#running.set(key, abort)
    this.#change(key, { state: 'sending' })
    try {
      await this.#steps.send(file, given, (part) => this.#change(key, { part }), abort.signal)
      this.#running.delete(key)
      this.#next()
      await this.#steps.arrived(upload)
      this.remove(key)
    } catch (error) {
      this.#running.delete(key)
      if (!abort.signal.aborted) {
        const reason = error instanceof Error ? error.message : String(error)
        this.#change(key, { state: 'failed', reason, mayRetry: true })
        this.#steps.failed({ ...upload, reason })
      }
      this.#next()
    }
  }

  #change(key: number, change: Partial<Upload<Given>>): void {
    this.#set(this.#uploads.map((upload) => (upload.key === key ? { ...upload, ...change } : upload)))
  }

  #set(uploads: readonly Upload<Given>[]): void {
    this.#uploads = uploads
    for (const watch of this.#watchers) watch()
  }
}
