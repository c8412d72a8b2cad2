import { useEffect, useRef, useState } from 'react'
import { toast } from '../../../ui/overlays/toast.ts'
import { useTexts } from '../../../ui/patient/language.ts'
import { codeOf, isSessionOver, type PatientSession, uploadFile } from '../calls.ts'
import { documentTexts, problemOf } from './texts.ts'

/** Milliseconds after the last file (spec 9). */
const [completionAfter, resetAfter] = [2000, 3000]

interface Progress {
  uploading: boolean
  /** Files that are finished, successfully or not. */
  completed: number
  total: number
  /** The names of uploaded files, once all are finished. */
  uploaded: string[]
}

interface RefusedFile {
  name: string
  problem: string
}

const idle: Progress = { uploading: false, completed: 0, total: 0, uploaded: [] }

interface UploadOptions {
  session: PatientSession
  callTracked: <Result>(call: () => Promise<Result>) => Promise<Result>
  onUploaded: () => void
}

/** Uploads one file at a time, in order; a failed file does not stop the rest (spec 4). */
export function useUpload({ session, callTracked, onUploaded }: UploadOptions) {
  const t = useTexts(documentTexts)
  const [progress, setProgress] = useState(idle)
  /** Stays until the next files are chosen. */
  const [refused, setRefused] = useState<readonly RefusedFile[]>([])
  const sending = useRef<AbortController | null>(null)
  const reset = useRef(0)
  const completion = useRef(0)
  /** The list says the same and stays, so the toasts leave with the progress. */
  const dismissals = useRef<(() => void)[]>([])

  useEffect(
    () => () => {
      sending.current?.abort()
      clearTimeout(reset.current)
      clearTimeout(completion.current)
    },
    [],
  )

  // Asks before leaving the page, because running uploads would be lost.
  useEffect(() => {
    if (!progress.uploading) return
    const ask = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', ask)
    return () => window.removeEventListener('beforeunload', ask)
  }, [progress.uploading])

  function dismissToasts() {
    for (const dismiss of dismissals.current.splice(0)) dismiss()
  }

  async function upload(files: readonly File[]) {
    if (sending.current) return
    dismissToasts()
    setRefused([])
    if (files.length === 0) return
    const abort = new AbortController()
    sending.current = abort
    clearTimeout(reset.current)
    setProgress({ ...idle, uploading: true, total: files.length })
    const uploaded: string[] = []
    try {
      for (const [index, file] of files.entries()) {
        try {
          await callTracked(() => uploadFile(session, file, { signal: abort.signal }))
          uploaded.push(file.name)
        } catch (error) {
          // The page was left or the session ended: nothing more can be sent.
          if (abort.signal.aborted || isSessionOver(error)) return
          const problem = t(`problems.${problemOf(codeOf(error))}`)
          setRefused((before) => [...before, { name: file.name, problem }])
          dismissals.current.push(toast.error(t('notUploaded', { name: file.name, problem })))
        }
        setProgress((before) => ({ ...before, completed: index + 1 }))
      }
      if (uploaded.length > 0) {
        toast.success(t('uploaded', { total: uploaded.length }))
        completion.current = window.setTimeout(onUploaded, completionAfter)
      }
    } catch {
      toast.error(t('uploadStopped'))
    } finally {
      sending.current = null
      setProgress((before) => ({ ...before, uploading: false, uploaded }))
      reset.current = window.setTimeout(() => {
        setProgress(idle)
        dismissToasts()
      }, resetAfter)
    }
  }

  return { ...progress, refused, upload }
}
