import { useCallback, useSyncExternalStore } from 'react'
import { orpc, queryClient } from '../../../ui/client/api.ts'
import { sendBytes } from '../../../ui/uploads/send-bytes.ts'
import { formatFileSize } from '../../../ui/format.ts'
import { clinicFileLimit, kindOfName } from '../../../documents/rules.ts'
import { importArchiveLimit } from '../contract.ts'
import { isJunk } from '../file-rules.ts'

/** A file with its folder path. */
export interface FoundFile {
  file: File
  path: string
}

interface Failure extends FoundFile {
  reason: string
  /** The upload itself failed, so a retry may succeed unless the server refused the file. */
  mayRetry: boolean
}

/** The upload progress of an import's files. */
export interface FileUploadState {
  isBusy: boolean
  total: number
  /** How many of the total have finished, successfully or not. */
  done: number
  /** The file being uploaded and its progress, because an archive may take a while. */
  last: { path: string; part: number } | null
  failed: readonly Failure[]
}

const idle: FileUploadState = { isBusy: false, total: 0, done: 0, last: null, failed: [] }
/** Number of parallel uploads. */
const maxParallel = 3
/** Minimum time in milliseconds between refreshes of the server's file list. */
const refreshInterval = 2_000

/** The error message for a file that cannot be uploaded; otherwise null. */
function checkFile({ file, path }: FoundFile): string | null {
  if (/\.zip$/i.test(path))
    return file.size > importArchiveLimit ? `This archive is larger than ${formatFileSize(importArchiveLimit)}` : null
  if (kindOfName(path) === null) return 'This file type is not supported. Use PDF, Word, JPEG, PNG or HEIC.'
  return file.size > clinicFileLimit ? `This file is larger than ${formatFileSize(clinicFileLimit)}` : null
}

/** Uploads the files of one import. Independent of any page, so that uploads continue when the user navigates. */
class FileUploader {
  #state = idle
  #waiting: FoundFile[] = []
  #running = new Set<AbortController>()
  #listeners = new Set<() => void>()
  #refreshedAt = 0
  readonly #importId: string

  constructor(importId: string) {
    this.#importId = importId
  }

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  snapshot = (): FileUploadState => this.#state

  add(found: readonly FoundFile[]): void {
    const wanted = found.filter(({ path }) => !isJunk(path))
    const refused = wanted.flatMap((item) => {
      const reason = checkFile(item)
      return reason === null ? [] : [{ ...item, reason, mayRetry: false }]
    })
    const paths = new Set(wanted.map(({ path }) => path))
    const { isBusy, total, done, failed } = this.#state
    const accepted = wanted.filter((item) => checkFile(item) === null)
    this.#waiting.push(...accepted)
    this.#set({
      total: (isBusy ? total : 0) + accepted.length,
      done: isBusy ? done : 0,
      failed: [...failed.filter(({ path }) => !paths.has(path)), ...refused],
    })
    this.#next()
  }

  retry(paths: ReadonlySet<string>): void {
    this.add(this.#state.failed.filter(({ path }) => paths.has(path)))
  }

  /** Stops uploading. Files already uploaded stay. */
  stop(): void {
    this.#waiting = []
    for (const abort of this.#running) abort.abort()
    this.#running.clear()
    this.#end()
  }

  #next(): void {
    while (this.#running.size < maxParallel) {
      const next = this.#waiting.shift()
      if (!next) break
      void this.#send(next)
    }
    if (this.#running.size === 0) this.#end()
  }

  async #send(item: FoundFile): Promise<void> {
    const abort = new AbortController()
    this.#running.add(abort)
    this.#set({ isBusy: true })
    const url = `/api/imports/${this.#importId}/files?${new URLSearchParams({ path: item.path }).toString()}`
    try {
      await sendBytes(url, item.file, (part) => this.#set({ last: { path: item.path, part } }), abort.signal)
    } catch (error) {
      if (abort.signal.aborted) return
      const reason = error instanceof Error ? error.message : String(error)
      this.#set({ failed: [...this.#state.failed, { ...item, reason, mayRetry: true }] })
    }
    if (abort.signal.aborted) return
    this.#running.delete(abort)
    this.#set({ done: this.#state.done + 1 })
    if (Date.now() - this.#refreshedAt > refreshInterval) this.#refresh()
    this.#next()
  }

  #end(): void {
    this.#set({ isBusy: false, last: null })
    this.#refresh()
  }

  #refresh(): void {
    this.#refreshedAt = Date.now()
    void queryClient.invalidateQueries({ queryKey: orpc.imports.files.key({ input: { id: this.#importId } }) })
  }

  #set(change: Partial<FileUploadState>): void {
    this.#state = { ...this.#state, ...change }
    if (this.#state.isBusy) addEventListener('beforeunload', preventUnload)
    else removeEventListener('beforeunload', preventUnload)
    for (const listener of this.#listeners) listener()
  }
}

// Leaving the app would stop running uploads; navigating within it does not.
function preventUnload(event: BeforeUnloadEvent) {
  event.preventDefault()
}

const uploaders = new Map<string, FileUploader>()

function getUploader(importId: string): FileUploader {
  const uploader = uploaders.get(importId) ?? new FileUploader(importId)
  uploaders.set(importId, uploader)
  return uploader
}

/** The upload state of an import's files, with actions. */
export function useFileUploads(importId: string) {
  const uploader = getUploader(importId)
  const state = useSyncExternalStore(uploader.subscribe, uploader.snapshot)
  const add = useCallback((found: readonly FoundFile[]) => uploader.add(found), [uploader])
  return { ...state, add, retry: (paths: ReadonlySet<string>) => uploader.retry(paths), stop: () => uploader.stop() }
}
