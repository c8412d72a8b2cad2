import { useCallback, useSyncExternalStore } from 'react'
import { orpc, queryClient } from '../../../ui/client/api.ts'
import { sendBytes } from '../../../ui/uploads/send-bytes.ts'
import { formatFileSize } from '../../../ui/format.ts'
import { clinicFileLimit, kindOfName } from '../../../documents/rules.ts'
import { importArchiveLimit } from '../contract.ts'
import { isJunk } from '../file-rules.ts'

/** A file with the folders that it lies in. */
export interface FoundFile {
  file: File
  path: string
}

interface Failure extends FoundFile {
  reason: string
  /** It was on its way: unless the server has refused it, sending it again could end otherwise. */
  mayRetry: boolean
}

/** How far the files of an import have come. */
export interface Sending {
  isBusy: boolean
  total: number
  /** Of the total, those that have come to an end, good or bad. */
  done: number
  /** The file that is on its way, and how much of it has gone: an archive may take a while. */
  last: { path: string; part: number } | null
  failed: readonly Failure[]
}

const idle: Sending = { isBusy: false, total: 0, done: 0, last: null, failed: [] }
/** Files that are on their way at the same time. */
const most = 3
/** Milliseconds between two looks at what the server has by now. */
const lookEvery = 2_000

/** Why a file is not even sent. */
function refusalOf({ file, path }: FoundFile): string | null {
  if (/\.zip$/i.test(path))
    return file.size > importArchiveLimit ? `This archive is larger than ${formatFileSize(importArchiveLimit)}` : null
  if (kindOfName(path) === null) return 'This type of file cannot be taken. PDF, Word, JPEG, PNG and HEIC can.'
  return file.size > clinicFileLimit ? `This file is larger than ${formatFileSize(clinicFileLimit)}` : null
}

/** The files of one import on their way. It belongs to no page: what was begun goes on when another page is opened. */
class FileSending {
  #state = idle
  #waiting: FoundFile[] = []
  #running = new Set<AbortController>()
  #watchers = new Set<() => void>()
  #looked = 0
  readonly #importId: string

  constructor(importId: string) {
    this.#importId = importId
  }

  subscribe = (watch: () => void): (() => void) => {
    this.#watchers.add(watch)
    return () => this.#watchers.delete(watch)
  }

  snapshot = (): Sending => this.#state

  add(found: readonly FoundFile[]): void {
    const wanted = found.filter(({ path }) => !isJunk(path))
    const refused = wanted.flatMap((one) => {
      const reason = refusalOf(one)
      return reason === null ? [] : [{ ...one, reason, mayRetry: false }]
    })
    const paths = new Set(wanted.map(({ path }) => path))
    const { isBusy, total, done, failed } = this.#state
    const sent = wanted.filter((one) => refusalOf(one) === null)
    this.#waiting.push(...sent)
    this.#set({
      total: (isBusy ? total : 0) + sent.length,
      done: isBusy ? done : 0,
      failed: [...failed.filter(({ path }) => !paths.has(path)), ...refused],
    })
    this.#next()
  }

  retry(paths: ReadonlySet<string>): void {
    this.add(this.#state.failed.filter(({ path }) => paths.has(path)))
  }

  /** Stops. What has arrived stays. */
  stop(): void {
    this.#waiting = []
    for (const abort of this.#running) abort.abort()
    this.#running.clear()
    this.#end()
  }

  #next(): void {
    while (this.#running.size < most) {
      const one = this.#waiting.shift()
      if (!one) break
      void this.#send(one)
    }
    if (this.#running.size === 0) this.#end()
  }

  async #send(one: FoundFile): Promise<void> {
    const abort = new AbortController()
    this.#running.add(abort)
    this.#set({ isBusy: true })
    const address = `/api/imports/${this.#importId}/files?${new URLSearchParams({ path: one.path }).toString()}`
    try {
      await sendBytes(address, one.file, (part) => this.#set({ last: { path: one.path, part } }), abort.signal)
    } catch (error) {
      if (abort.signal.aborted) return
      const reason = error instanceof Error ? error.message : String(error)
      this.#set({ failed: [...this.#state.failed, { ...one, reason, mayRetry: true }] })
    }
    if (abort.signal.aborted) return
    this.#running.delete(abort)
    this.#set({ done: this.#state.done + 1 })
    if (Date.now() - this.#looked > lookEvery) this.#look()
    this.#next()
  }

  #end(): void {
    this.#set({ isBusy: false, last: null })
    this.#look()
  }

  #look(): void {
    this.#looked = Date.now()
    void queryClient.invalidateQueries({ queryKey: orpc.imports.files.key({ input: { id: this.#importId } }) })
  }

  #set(change: Partial<Sending>): void {
    this.#state = { ...this.#state, ...change }
    if (this.#state.isBusy) addEventListener('beforeunload', stay)
    else removeEventListener('beforeunload', stay)
    for (const watch of this.#watchers) watch()
  }
}

// Leaving the product would stop what is on its way; going to another of its pages does not.
function stay(event: BeforeUnloadEvent) {
  event.preventDefault()
}

const sendings = new Map<string, FileSending>()

function sendingOf(importId: string): FileSending {
  const known = sendings.get(importId) ?? new FileSending(importId)
  sendings.set(importId, known)
  return known
}

/** How far the files of an import have come, and what can be done with them. */
export function useFileSending(importId: string) {
  const sending = sendingOf(importId)
  const state = useSyncExternalStore(sending.subscribe, sending.snapshot)
  const add = useCallback((found: readonly FoundFile[]) => sending.add(found), [sending])
  return { ...state, add, retry: (paths: ReadonlySet<string>) => sending.retry(paths), stop: () => sending.stop() }
}
